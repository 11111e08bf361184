//! Setting up a project over HTTP: from a table that haggle has never seen to a proved publication.

use std::fmt::Write;
use std::path::Path;

use haggle_server::{Server, Settings};
use serde_json::{Value, json};

use crate::client::{Place, Reply, start};
use crate::openapi::fits;

/// Patients with awkward fields: dates of one format, blanks, quotes, empty fields.
fn patients() -> String {
    let mut text = String::from("id,age,\"home town\",born,note,disease\n");
    for i in 0..200_u32 {
        let age = if i % 40 == 7 { String::new() } else { (20 + (i * 7) % 60).to_string() };
        let town = ["Ulm", "\"Köln, Altstadt\"", "  Bonn ", "\"say \"\"hi\"\"\""][(i % 4) as usize];
        let born = format!("{}.{}.{}", 1 + i % 28, 1 + i % 12, 1940 + i % 60);
        let disease = ["flu", "asthma", "cold"][(i % 3) as usize];
        writeln!(text, "P{i:04},{age},{town},{born},n{},{disease}", i % 5).unwrap();
    }
    text
}

fn upload(place: &Place, name: &str, bytes: &[u8]) -> Reply {
    let headers = place.honest().join("\r\n");
    let head = format!(
        "POST /api/setup/upload?name={name} HTTP/1.1\r\n{headers}\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        bytes.len()
    );
    place.raw(&[head.as_bytes(), bytes].concat())
}

/// A server of one's own, and the table that was sent to it.
fn uploaded() -> (Place, Value) {
    let place = start(Settings::default());
    let reply = upload(&place, "patients.csv", patients().as_bytes());
    assert_eq!(reply.status, 200, "{}", reply.text());
    let table = reply.json();
    (place, table)
}

fn path(table: &Value, what: &str) -> String {
    format!("/api/setup/{}{what}", table["id"].as_str().unwrap())
}

/// The first problem: what and fix, both there.
fn problem(reply: &Reply) -> (String, String) {
    let problem = &reply.json()["error"]["problems"][0];
    let text = |key: &str| problem[key].as_str().unwrap_or_else(|| panic!("{}", reply.text()));
    (text("what").to_owned(), text("fix").to_owned())
}

fn column<'a>(table: &'a Value, name: &str) -> &'a Value {
    let mut columns = table["columns"].as_array().unwrap().iter();
    columns.find(|column| column["name"] == name).unwrap()
}

fn planned<'a>(plan: &'a mut Value, name: &str) -> &'a mut Value {
    let mut columns = plan["columns"].as_array_mut().unwrap().iter_mut();
    columns.find(|column| column["name"] == name).unwrap()
}

#[test]
fn every_guess_has_its_reason_and_answers_are_as_described() {
    let (place, table) = uploaded();
    assert_eq!((&table["records"], &table["source"]), (&json!(200), &json!("uploaded")));
    assert_eq!(column(&table, "id")["role"], "identifier");
    assert_eq!(column(&table, "age")["role"], "quasi-identifier");
    assert_eq!(column(&table, "disease")["role"], "sensitive");
    assert_eq!(column(&table, "born")["kind"], "date");
    for column in table["columns"].as_array().unwrap() {
        assert!(!column["why"].as_str().unwrap().is_empty(), "{column}");
        assert!(!column["hierarchy_why"].as_str().unwrap().is_empty(), "{column}");
    }
    fits("/api/setup/upload", "post", &table);
    let again = place.get(&path(&table, "")).json();
    assert_eq!(again, table);
    let ages = place.get(&path(&table, "/values/age")).json();
    fits("/api/setup/{id}/values/{column}", "get", &ages);
    let records: u64 =
        ages["histogram"].as_array().unwrap().iter().map(|c| c["records"].as_u64().unwrap()).sum();
    assert_eq!(records, 195, "five ages are missing");
    let towns = place.get(&path(&table, "/values/home%20town")).json();
    assert_eq!(towns["values"].as_array().unwrap().len(), 4);
    let ids = place.get(&path(&table, "/values/id")).json();
    assert_eq!((&ids["values"], &ids["histogram"]), (&json!([]), &json!([])), "no names of people");
    let status = place.get("/api/setup").json();
    fits("/api/setup", "get", &status);
    assert_eq!(status["tables"][0]["name"], "patients.csv");
}

#[test]
fn a_plan_is_priced_by_counting_records() {
    let (place, table) = uploaded();
    let mut plan = table["plan"].clone();
    plan["on_missing"] = json!("drop");
    plan["k"] = json!(2);
    planned(&mut plan, "age")["hierarchy"] = json!({"rule": "intervals", "widths": [10, 30]});
    let checked = place.post(&path(&table, "/check"), &plan);
    assert_eq!(checked.status, 200, "{}", checked.text());
    let checked = checked.json();
    fits("/api/setup/{id}/check", "post", &checked);
    let missing = &checked["missing"];
    assert_eq!((&missing["records"], &missing["dropped"]), (&json!(200), &json!(5)));
    let attributes = checked["price"]["attributes"].as_array().unwrap();
    let age = attributes.iter().find(|a| a["name"] == "age").unwrap();
    let values: Vec<u64> =
        age["levels"].as_array().unwrap().iter().map(|l| l["values"].as_u64().unwrap()).collect();
    assert_eq!(values[1..], [6, 3, 1], "20 to 79 in intervals of 10 and 30, then *");
    assert!(checked["text"].as_str().unwrap().contains("intervals = [10, 30]"));

    plan["on_missing"] = json!("value");
    let kept = place.post(&path(&table, "/check"), &plan).json();
    let price = (&kept["missing"]["dropped"], &kept["missing"]["incomplete"]);
    assert_eq!(price, (&json!(0), &json!(5)), "what dropping would cost is still said");

    let remembered = place.get(&path(&table, "")).json();
    assert_eq!(remembered["plan"]["on_missing"], "value", "a page that is loaded again goes on");

    plan["on_missing"] = json!("error");
    let refused = place.post(&path(&table, "/check"), &plan);
    assert_eq!(refused.status, 422);
    let place_of = &refused.json()["error"]["problems"][0]["where"];
    assert!(!place_of.as_str().unwrap_or_default().contains('/'), "no private folder: {place_of}");
    let remembered = place.get(&path(&table, "")).json();
    assert_eq!(remembered["plan"]["on_missing"], "value", "what is not valid is not remembered");
}

#[test]
fn a_table_becomes_a_project_that_is_negotiated_published_and_discarded() {
    let (place, table) = uploaded();
    assert_eq!(place.get("/api/project").json()["name"], "adult");
    let mut plan = table["plan"].clone();
    plan["k"] = json!(3);
    plan["max_suppressed"] = json!("20%");
    let served = place.post(&path(&table, "/serve"), &plan);
    assert_eq!(served.json(), json!({"name": "patients"}), "{}", served.text());
    let project = place.get("/api/project").json();
    assert_eq!(project["name"], "patients");
    assert_eq!(project["defaults"]["privacy"][0]["k"], 3);
    let answer = place.post("/api/ask", &json!({"optimize": "lm"})).json();
    assert_eq!(answer["outcome"], "exact", "{answer}");
    let ended = place.post("/api/publish", &json!({"optimize": "lm"})).lines().pop().unwrap();
    let data = ended["done"]["downloads"]["data"].as_str().unwrap_or_else(|| panic!("{ended}"));
    let text = place.get(data).text();
    assert!(
        text.starts_with("age") || text.contains("disease"),
        "{}",
        text.lines().next().unwrap()
    );
    assert!(!text.contains("P0001"), "identifiers are dropped");

    let gone = place.post(&path(&table, "/discard"), &json!({}));
    assert_eq!(gone.json(), json!({"was_served": true}));
    fits("/api/setup/{id}/discard", "post", &gone.json());
    assert_eq!(place.get("/api/project").json()["name"], "adult", "what was served first");
    assert_eq!(place.get(&path(&table, "")).status, 404);
}

#[test]
fn a_file_that_was_sent_is_private_and_goes_when_it_is_discarded() {
    let state = tempfile::tempdir().unwrap();
    let settings = Settings { state: Some(state.path().to_owned()), ..Settings::default() };
    let place = start(settings);
    let table = upload(&place, "patients.csv", patients().as_bytes()).json();
    let found = files(state.path(), "patients.csv");
    assert_eq!(found.len(), 1, "{found:?}");
    #[cfg(unix)]
    for path in found[0].ancestors().take_while(|path| *path != state.path()) {
        use std::os::unix::fs::PermissionsExt;
        let mode = path.metadata().unwrap().permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{}", path.display());
    }
    place.post(&path(&table, "/discard"), &json!({}));
    assert_eq!(files(state.path(), "patients.csv").len(), 0);
}

/// The files of a name below a folder.
fn files(folder: &Path, name: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let below = |path: std::path::PathBuf| {
        if path.is_dir() { files(&path, name) } else { vec![path] }
    };
    entries.flat_map(below).filter(|path| path.file_name().unwrap() == name).collect()
}

#[test]
fn bad_files_are_refused_with_what_and_fix_and_leave_nothing() {
    let state = tempfile::tempdir().unwrap();
    let settings = Settings {
        state: Some(state.path().to_owned()),
        upload_limit: 20_000,
        ..Settings::default()
    };
    let place = start(settings);
    let png = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01";
    let parquet = [b"PAR1".as_slice(), &[7; 100], b"PAR1"].concat();
    let ragged = "a,b\n1,2\n3\n";
    for (name, bytes, status) in [
        ("empty.csv", &b""[..], 422),
        ("picture.csv", png, 422),
        ("broken.parquet", &parquet, 422),
        ("ragged.csv", ragged.as_bytes(), 422),
        ("large.csv", &vec![b'a'; 20_001], 413),
    ] {
        let refused = upload(&place, name, bytes);
        assert_eq!(refused.status, status, "{name}: {}", refused.text());
        let (what, fix) = problem(&refused);
        assert!(!what.is_empty() && !fix.is_empty(), "{name}: {what}: {fix}");
        assert!(
            !refused.text().contains(&*state.path().to_string_lossy()),
            "{name}: a private path"
        );
        assert_eq!(files(state.path(), name).len(), 0, "{name} is still there");
    }
    assert_eq!(place.get("/api/setup").json()["tables"], json!([]));
}

#[test]
fn bad_plans_are_refused_with_what_and_fix() {
    let (place, table) = uploaded();
    let check = |change: &dyn Fn(&mut Value)| {
        let mut plan = table["plan"].clone();
        change(&mut plan);
        let reply = place.post(&path(&table, "/check"), &plan);
        assert!((400..500).contains(&reply.status), "{}", reply.text());
        problem(&reply)
    };
    let (what, _) = check(&|plan| planned(plan, "age")["name"] = json!("aeg"));
    assert_eq!(what, "the table has no column 'aeg'");
    let (what, _) = check(&|plan| {
        for column in plan["columns"].as_array_mut().unwrap() {
            column["role"] = json!("insensitive");
        }
    });
    assert!(what.contains("quasi-identifier"), "{what}");
    let (what, fix) = check(&|plan| {
        planned(plan, "age")["hierarchy"] = json!({"rule": "intervals", "widths": [-5]});
    });
    assert!(what.contains("'age'") && !fix.is_empty(), "{what}: {fix}");
    let (what, _) = check(&|plan| {
        planned(plan, "age")["hierarchy"] = json!({"rule": "file", "path": "/etc/passwd"});
    });
    assert_eq!(what, "the hierarchy of 'age' names another file", "no file is read by request");
    let (what, fix) = check(&|plan| plan["k"] = json!("secret"));
    assert!(!what.contains("secret") && fix.contains("openapi"), "values are not quoted: {what}");
    check(&|plan| plan["max_suppressed"] = json!("a lot"));
    check(&|plan| plan["more"] = json!(1));
}

#[test]
fn a_pasted_hierarchy_becomes_a_rule() {
    let (place, table) = uploaded();
    let text = "flu;infection;*\ncold;infection;*\nasthma;chronic;*\n";
    let body = json!({"column": "disease", "text": text});
    let read = place.post(&path(&table, "/hierarchy"), &body).json();
    fits("/api/setup/{id}/hierarchy", "post", &read);
    assert_eq!(read["hierarchy"]["rule"], "groups");
    let refused =
        place.post(&path(&table, "/hierarchy"), &json!({"column": "disease", "text": ""}));
    assert_eq!(refused.status, 422);
    let refused = place.post(&path(&table, "/hierarchy"), &json!({"column": "x", "text": text}));
    assert_eq!(problem(&refused).0, "the table has no column 'x'");
}

/// A server that was started with a table in a folder.
fn given(folder: &Path) -> Place {
    let file = folder.join("patients.csv");
    std::fs::write(&file, patients()).unwrap();
    let server = Server::bind_table(&file, Settings::default()).unwrap();
    crate::client::run(server)
}

#[test]
fn a_server_that_was_started_with_a_table_sets_up_a_project_and_saves_it() {
    let folder = tempfile::tempdir().unwrap();
    let place = given(folder.path());
    assert_eq!(place.get("/api/project").status, 404);
    assert_eq!(problem(&place.get("/api/project")).0, "there is no project yet");
    let status = place.get("/api/setup").json();
    assert_eq!((&status["needed"], &status["table"]), (&json!(true), &json!("patients.csv")));
    let table = place.post("/api/setup/open", &json!({"source": "given"})).json();
    fits("/api/setup/open", "post", &table);
    let mut plan = table["plan"].clone();
    planned(&mut plan, "note")["role"] = json!("identifier");
    planned(&mut plan, "age")["hierarchy"] = json!({"rule": "bounds", "levels": [[40, 60]]});
    let saved = place.post(&path(&table, "/save"), &json!({"plan": plan}));
    fits("/api/setup/{id}/save", "post", &saved.json());
    let text = std::fs::read_to_string(folder.path().join("haggle.toml")).unwrap();
    assert!(text.contains("role = \"identifier\" # chosen on the page"), "{text}");
    assert!(text.contains("bounds = [[40, 60]]") && text.contains("its name suggests an age"));
    let project = haggle::Project::open(folder.path()).unwrap();
    assert!(project.named(haggle::Role::Identifier).contains(&"note".to_owned()));
    let refused = place.post(&path(&table, "/save"), &json!({"plan": plan}));
    assert_eq!(refused.status, 409, "an existing file is not replaced unasked");
    assert_eq!(refused.json()["error"]["kind"], "conflict");
    let replaced = place.post(&path(&table, "/save"), &json!({"plan": plan, "replace": true}));
    assert_eq!(replaced.status, 200, "{}", replaced.text());
    let served = place.post(&path(&table, "/serve"), &plan);
    assert_eq!(served.status, 200, "{}", served.text());
    assert_eq!(place.get("/api/project").status, 200);
}

#[test]
fn an_existing_project_is_changed_with_its_comments_kept() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("patients.csv"), patients()).unwrap();
    let text = "# Ethics vote 12/34.\n[data]\npath = \"patients.csv\" # the export of May\n\
        on_missing = \"drop\"\n\n[[attribute]] # known to neighbours\nname = \"age\"\n\
        role = \"quasi-identifier\"\nhierarchy = { intervals = [5, 10] } # agreed with Ada\n\n\
        [request]\nk = 4 # the rule of the house\n";
    let file = folder.path().join("haggle.toml");
    std::fs::write(&file, text).unwrap();
    let project = haggle::Project::open(folder.path()).unwrap();
    let place = crate::client::start_on(project, Settings::default());
    let table = place.post("/api/setup/open", &json!({"source": "project"})).json();
    assert_eq!(table["plan"]["k"], 4, "{table}");
    let unchanged = place.post(&path(&table, "/check"), &table["plan"]).json();
    assert_eq!(unchanged["text"], text, "a plan that changes nothing changes no byte");
    let mut plan = table["plan"].clone();
    plan["k"] = json!(7);
    planned(&mut plan, "disease")["role"] = json!("sensitive");
    planned(&mut plan, "age")["hierarchy"] = json!({"rule": "intervals", "widths": [10, 20]});
    let saved = place.post(&path(&table, "/save"), &json!({"plan": plan}));
    assert_eq!(saved.status, 200, "{}", saved.text());
    let written = std::fs::read_to_string(&file).unwrap();
    for kept in [
        "# Ethics vote 12/34.",
        "# the export of May",
        "# known to neighbours",
        "# agreed with Ada",
    ] {
        assert!(written.contains(kept), "{kept}\n{written}");
    }
    assert!(written.contains("k = 7 # the rule of the house"), "{written}");
    assert!(written.contains("intervals = [10, 20]") && written.contains("\"disease\""));
    assert!(haggle::Project::open(folder.path()).is_ok());
}

#[test]
fn only_clients_with_the_secret_can_set_up() {
    let place = crate::client::server();
    let host = vec![format!("Host: {}", place.host)];
    for (method, path) in [
        ("GET", "/api/setup"),
        ("POST", "/api/setup/upload?name=a.csv"),
        ("POST", "/api/setup/open"),
        ("POST", "/api/setup/x/serve"),
        ("POST", "/api/setup/x/discard"),
    ] {
        assert_eq!(place.say(method, path, &host, "a,b\n1,2\n").status, 401, "{path}");
    }
    let other = upload_from_elsewhere(place);
    assert_eq!(other.status, 403);
}

fn upload_from_elsewhere(place: &Place) -> Reply {
    let mut headers = place.honest();
    headers.push("Origin: http://evil.example".into());
    place.say("POST", "/api/setup/upload?name=a.csv", &headers, "a,b\n1,2\n")
}

#[test]
fn an_address_of_a_database_is_never_repeated() {
    let place = crate::client::server();
    for (url, status) in [
        ("postgres://ada:hunter2@127.0.0.1:1/none", 500),
        ("ada:hunter2@host", 422),
        ("hunter2", 422),
    ] {
        let body = json!({"source": "database", "url": url, "table": "people"});
        let refused = place.post("/api/setup/open", &body);
        assert_eq!(refused.status, status, "{}", refused.text());
        assert!(!refused.text().contains("hunter2"), "{}", refused.text());
        assert!(!problem(&refused).0.is_empty());
    }
    let body = json!({"source": "database", "url": ["hunter2"], "table": "people"});
    assert!(!place.post("/api/setup/open", &body).text().contains("hunter2"));
}

#[test]
fn an_address_of_a_database_makes_the_server_read_no_file() {
    let place = crate::client::server();
    for settings in [
        "?sslmode=verify-ca&sslrootcert=/etc/passwd",
        "?sslcert=/etc/passwd&sslkey=/etc/passwd",
        "?sslmode=require&x=1?sslkey =/etc/passwd",
    ] {
        let url = format!("postgres://ada@127.0.0.1:1/none{settings}");
        let body = json!({"source": "database", "url": url, "table": "people"});
        let refused = place.post("/api/setup/open", &body);
        assert_eq!(refused.status, 422, "{settings}: {}", refused.text());
        let (what, _) = problem(&refused);
        assert!(what.contains("are not read for a request"), "{settings}: {what}");
        assert!(!refused.text().contains("passwd"), "{settings}: {}", refused.text());
    }
}

#[cfg(unix)]
#[test]
fn a_table_of_a_database_is_set_up_and_its_password_is_written_nowhere() {
    use haggle_testkit::postgres::{PASSWORD, Server as Database, USER};
    let database = Database::start();
    database.sql(
        "CREATE TABLE people AS SELECT i AS id, 20 + i % 5 AS age, 'flu' || i % 3 AS disease \
         FROM generate_series(1, 60) AS i",
    );
    let state = tempfile::tempdir().unwrap();
    let place = start(Settings { state: Some(state.path().to_owned()), ..Settings::default() });
    let url = database.url(&format!("{USER}:{PASSWORD}"));
    let body = json!({"source": "database", "url": url, "table": "people"});
    let table = place.post("/api/setup/open", &body);
    assert_eq!(table.status, 200, "{}", table.text());
    let table = table.json();
    assert_eq!(table["records"], 60);
    let checked = place.post(&path(&table, "/check"), &table["plan"]);
    assert_eq!(checked.status, 200, "{}", checked.text());
    assert!(checked.json()["text"].as_str().unwrap().contains(&format!("{USER}@")));
    let served = place.post(&path(&table, "/serve"), &table["plan"]);
    assert_eq!(served.status, 200, "{}", served.text());
    let answer = place.post("/api/ask", &json!({"privacy": {"k-anonymity": 2}}));
    assert_eq!(answer.json()["account"]["read"], 60, "{}", answer.text());
    for reply in [checked.text(), served.text(), place.get(&path(&table, "")).text()] {
        assert!(!reply.contains(PASSWORD), "{reply}");
    }
    for file in files(state.path(), "haggle.toml") {
        assert!(!std::fs::read_to_string(file).unwrap().contains(PASSWORD));
    }
}
