//! Every column is accounted for: nothing that singles people out is published unless it is named.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use insta::assert_snapshot;
use serde_json::Value;

use crate::common::Folder;

const THREE: &str = "age,race,workclass";

/// A written file: its header and its records.
struct Written {
    header: Vec<String>,
    records: Vec<Vec<String>>,
}

impl Written {
    fn of(folder: &Folder, file: &str) -> Self {
        let text = folder.read(file);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&text[..]);
        let fields = |record: csv::StringRecord| record.iter().map(String::from).collect();
        let mut lines = reader.records().map(|record| fields(record.unwrap()));
        Self { header: lines.next().unwrap(), records: lines.collect() }
    }

    fn column(&self, name: &str) -> Vec<usize> {
        self.header.iter().position(|column| column == name).into_iter().collect()
    }

    fn columns(&self, wanted: impl Fn(&str) -> bool) -> Vec<usize> {
        (0..self.header.len()).filter(|&i| wanted(&self.header[i])).collect()
    }

    /// How many records are alike with fewer than k over these columns.
    fn below(&self, columns: &[usize], k: u64) -> u64 {
        let mut groups: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
        for record in &self.records {
            *groups.entry(columns.iter().map(|&i| record[i].as_str()).collect()).or_default() += 1;
        }
        groups.values().filter(|&&records| records < k).sum()
    }
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// What the report says of a column.
fn account<'r>(report: &'r Value, name: &str) -> &'r Value {
    let columns = report["columns"]["columns"].as_array().unwrap();
    columns.iter().find(|column| column["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The uniqueness that publish, verify and assess report is that of the written file, and no
/// unchanged column singles people out unless it was named.
fn assert_accounted(folder: &Folder, report: &Value, sensitive: &[&str]) {
    let file = report["output"].as_str().unwrap();
    let written = Written::of(folder, file);
    let k = report["columns"]["k"].as_u64().unwrap();
    let allowed = written.records.len() as u64 / 100;
    let columns = report["columns"]["columns"].as_array().unwrap();
    let published = |c: &&Value| c["treatment"] != "dropped";
    let names: Vec<&str> =
        columns.iter().filter(published).map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, written.header, "what is listed is what is written");
    for column in columns.iter().filter(published) {
        let own = written.column(column["name"].as_str().unwrap());
        assert_eq!(column["unique"], written.below(&own, 2), "{column}");
        assert_eq!(column["below_k"], written.below(&own, k), "{column}");
        if column["treatment"] == "unchanged" && column["as_recorded"] == false {
            assert!(
                !["quasi-identifier", "identifier"].contains(&column["role"].as_str().unwrap())
            );
            let stays = column["role"] == "sensitive" || written.below(&own, k) <= allowed;
            assert!(stays, "{column}");
        }
    }
    let unchanged = strings(&report["unchanged"]);
    let as_recorded = strings(&report["as_recorded"]);
    let by_default = |name: &str| {
        unchanged.contains(&name) && !sensitive.contains(&name) && !as_recorded.contains(&name)
    };
    assert!(written.below(&written.columns(by_default), k) <= allowed, "{report}");
    let over = strings(&report["promise_over"]);
    let jointly = written.columns(|name| by_default(name) || over.contains(&name));
    let jointly = written.below(&jointly, k);
    assert_eq!(report["columns"]["below_k_jointly"], jointly, "{report}");
    assert!(jointly <= written.records.len() as u64 / 20, "{report}");
    let unique = written.below(&written.columns(|name| !sensitive.contains(&name)), 2);
    assert_eq!(report["unique_over_all_columns"], unique, "publish");
    let k = k.to_string();
    let run = folder.haggle(&["verify", file, "--k", &k, "--json"]);
    let verdict = run.json(0);
    assert_eq!(verdict["unique_over_all_columns"], unique, "verify");
    let found = folder.haggle(&["assess", file, "--json"]).json(0);
    assert_eq!(found["unique_over_all_columns"], unique, "assess");
    for column in verdict["other_columns"].as_array().unwrap() {
        let own = written.column(column["name"].as_str().unwrap());
        assert_eq!(column["unique"], written.below(&own, 2), "{column}");
    }
}

fn publish_demo(folder: &Folder, more: &[&str]) -> Value {
    let fixed = ["publish", "demo:adult", "--qi", THREE, "--k", "10", "--scheme", "1,1,0"];
    folder.haggle(&[&fixed[..], &["-o", "out.csv", "--json"], more].concat()).json(0)
}

#[test]
fn the_demo_publishes_no_column_that_singles_people_out() {
    let folder = Folder::empty();
    let report = publish_demo(&folder, &[]);
    assert_accounted(&folder, &report, &["hours-per-week"]);
    for (name, reason) in [
        ("fnlwgt", "nearly-unique"),
        ("sex", "not-negotiated"),
        ("native-country", "not-negotiated"),
        ("education", "not-negotiated"),
        ("education-num", "shadow"),
    ] {
        let column = account(&report, name);
        assert_eq!((&column["treatment"], &column["reason"]), (&"dropped".into(), &reason.into()));
    }
    assert_eq!(account(&report, "fnlwgt")["unique"], 14_345);
    assert_eq!(strings(&report["promise_over"]), ["age", "race", "workclass"]);
}

#[test]
fn a_column_that_undoes_a_generalized_attribute_is_dropped() {
    let folder = Folder::empty();
    let shadow = |levels: &str| {
        let qi = ["--qi", "age,education", "--scheme", levels, "--k", "5", "--json"];
        let fixed = ["publish", "demo:adult", "-o", "out.csv"];
        let report = folder.haggle(&[&fixed[..], &qi].concat()).json(0);
        assert_accounted(&folder, &report, &["hours-per-week"]);
        account(&report, "education-num").clone()
    };
    let dropped = shadow("2,2");
    assert_eq!((&dropped["treatment"], &dropped["reason"]), (&"dropped".into(), &"shadow".into()));
    assert_snapshot!(dropped["explanation"].as_str().unwrap(), @"it determines a finer value of education than is published");
    assert_eq!(shadow("3,0")["reason"], Value::Null, "nothing of education is hidden");
}

#[test]
fn cuts_and_boxes_account_for_every_column() {
    let folder = Folder::empty();
    for (kind, k, how) in [
        ("cuts", "100", ["--qi", "race,education", "--levels", "1,2", "--strategy", "k-optimize"]),
        ("boxes", "10", ["--qi", "age,education", "--levels", "2,2", "--strategy", "mondrian"]),
    ] {
        let fixed = ["publish", "demo:adult", "--max-suppressed", "1%", "-o", "out.csv", "--json"];
        let publish = [&fixed[..], &how, &["--k", k]].concat();
        let report = folder.haggle(&publish).json(0);
        assert_eq!(report["recoding"], kind);
        assert_accounted(&folder, &report, &["hours-per-week"]);
        for (name, reason) in
            [("fnlwgt", "nearly-unique"), ("sex", "not-negotiated"), ("education-num", "shadow")]
        {
            assert_eq!(account(&report, name)["reason"], reason, "{kind}");
        }
        let named = [&publish[..], &["--as-recorded", "education-num,sex"]].concat();
        let report = folder.haggle(&named).json(0);
        assert_accounted(&folder, &report, &["hours-per-week"]);
        assert_eq!(strings(&report["as_recorded"]), ["education-num", "sex"], "{kind}");
    }
}

#[test]
fn columns_that_are_named_are_published_as_recorded() {
    let folder = Folder::empty();
    let report = publish_demo(&folder, &["--as-recorded", "sex,fnlwgt"]);
    assert_accounted(&folder, &report, &["hours-per-week"]);
    assert_eq!(strings(&report["as_recorded"]), ["fnlwgt", "sex"]);
    assert_eq!(account(&report, "native-country")["treatment"], "dropped");
    let text = String::from_utf8(folder.read("out.csv")).unwrap();
    assert!(text.lines().next().unwrap().split(',').any(|name| name == "fnlwgt"));
    assert!(report["unique_over_all_columns"].as_u64().unwrap() > 14_345);
    assert_snapshot!(strings(&report["columns"]["notes"]).join("\n"), @"
    'fnlwgt' is published as recorded because it is named; it is nearly unique: 29,722 of 29,992 records have a value that fewer than 10 share.
    'sex' is published as recorded because it is named; it is a quasi-identifier that this request does not negotiate.
    'capital-loss' is published unchanged; the project does not list it, and its name suggests income or wealth.
    'salary-class' is published unchanged; the project does not list it, and its name suggests income or wealth.
    83.74 % of the records (25,114) are unique over all published columns that are not sensitive: whoever knows these columns of a person finds that person's record, whatever is promised over the quasi-identifiers.
    ");
}

#[test]
fn the_headline_and_the_manifest_name_the_columns_of_the_promise() {
    let folder = Folder::empty();
    let fixed = ["publish", "demo:adult", "--qi", THREE, "--k", "10", "--scheme", "1,1,0"];
    let run = folder.haggle(&[&fixed[..], &["-o", "out.csv", "--private", "secret"]].concat());
    assert_snapshot!(run.printed(0));
    let manifest: Value = serde_json::from_slice(&folder.read("out.csv.manifest.json")).unwrap();
    assert_eq!(strings(&manifest["promise_over"]), ["age", "race", "workclass"]);
    assert!(strings(&manifest["unchanged"]).contains(&"hours-per-week"), "{manifest}");
    let public = manifest.to_string();
    assert!(!public.contains("dropped") && !public.contains("32561"), "{public}");
    let private: Value = serde_json::from_slice(&folder.read("secret/policy.json")).unwrap();
    let count = |key: &str| private[key].as_u64().unwrap();
    assert_eq!((count("read"), count("dropped"), count("suppressed")), (32_561, 2_399, 170));
}

#[test]
fn the_clinic_publishes_only_what_the_promise_is_about() {
    // A copy, because publications are recorded next to the project.
    let folder = Folder::empty();
    let clinic = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/clinic");
    let copied = folder.shell(&format!("cp -r {clinic}/. ."));
    assert_eq!(copied.code, Some(0), "{copied:#?}");
    let report = folder.haggle(&["publish", ".", "-o", "out.csv", "--json"]).json(0);
    assert_accounted(&folder, &report, &["disease"]);
    assert_eq!(account(&report, "name")["reason"], "identifier");
}

#[test]
fn unlisted_columns_that_look_like_more_are_reported() {
    let mut table = String::from("age,surname,seen,colour,number\n");
    for i in 0..200 {
        let (day, colour) = (1 + i % 20, ["red", "blue"][i % 2]);
        writeln!(
            table,
            "{},{},2024-03-{day:02},{colour},{i}",
            30 + i % 4,
            ["Li", "Ono"][i / 2 % 2]
        )
        .unwrap();
    }
    let project = "[data]\npath = \"table.csv\"\n\
        [[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\n[request]\nk = 5\n";
    let folder = Folder::with([("haggle.toml", project), ("table.csv", &table)]);
    assert_snapshot!(folder.haggle(&["check", "."]).printed(0), @"
    The project is valid: 200 records.
    Fields are separated by ',', columns named by the first record.

      attribute              role  values  levels             hierarchy
      age        quasi-identifier       4  0 to 1  none: values, then *

    Note: 'surname' is not listed, and its name suggests a person's name. It is not published unless as_recorded under [publish] names 'surname'.

    Note: 'seen' is not listed, and its values are dates. Give it a role, or it may be published unchanged.

    Note: 'number' is nearly unique: 200 of 200 records have a value that fewer than 5 share. It is not published unless as_recorded under [publish] names 'number'.
    ");
    let publish = ["publish", ".", "--scheme", "0", "-o", "out.csv"];
    let report = folder.haggle(&[&publish[..], &["--json"]].concat()).json(0);
    assert_accounted(&folder, &report, &[]);
    assert_eq!(account(&report, "surname")["reason"], "named-like-identifier");
    assert_eq!(strings(&report["unchanged"]), ["seen", "colour"]);
    std::fs::remove_file(folder.file("publications.jsonl")).unwrap();
    assert_snapshot!(folder.haggle(&publish).printed(0));
}

#[test]
fn risk_and_report_state_the_number_of_the_file() {
    let mut table = String::from("age,ward,number,disease\n");
    for i in 0..200 {
        let disease = ["flu", "gout", "cold"][i % 3];
        writeln!(table, "{},w{},{},{disease}", 30 + i % 4, i % 2, i.min(150)).unwrap();
    }
    let project = "[data]\npath = \"table.csv\"\n\
        [[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\n\
        [[attribute]]\nname = \"disease\"\nrole = \"sensitive\"\n\
        [request]\nk = 5\n[publish]\nas_recorded = [\"number\"]\n";
    let folder = Folder::with([("haggle.toml", project), ("table.csv", &table)]);
    let publish = ["publish", ".", "--scheme", "0", "-o", "out.csv", "--json"];
    let report = folder.haggle(&publish).json(0);
    assert_accounted(&folder, &report, &["disease"]);
    assert_eq!(report["unique_over_all_columns"], 150, "the last fifty have one number");
    let expected = serde_json::json!(
        {"unchanged": ["ward", "number"], "unique": 150, "records": 200}
    );
    let planned = folder.haggle(&["risk", ".", "--scheme", "0", "--k", "5", "--json"]).json(0);
    assert_eq!(planned["whole"], expected);
    assert_eq!(folder.haggle(&["risk", "out.csv", ".", "--json"]).json(0)["whole"], expected);
    for more in [&["--published", "out.csv"][..], &[]] {
        let fixed = ["report", ".", "--scheme", "0", "--k", "5", "-o", "report.json"];
        let _ = std::fs::remove_file(folder.file("report.json"));
        folder.haggle(&[&fixed[..], more].concat()).printed(0);
        let report: Value = serde_json::from_slice(&folder.read("report.json")).unwrap();
        assert_eq!(report["whole"], expected);
        let answer = report["questions"][0]["answer"].as_str().unwrap();
        assert!(answer.contains("Warning: 75.00 % of the records (150) are unique"), "{answer}");
    }
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A project with two quasi-identifiers that are asked for, one that is not, and some columns of
/// every kind in any order.
fn random_project(random: &mut Random) -> (Folder, Vec<&'static str>) {
    let records = 60 + random.below(300);
    let mut columns = vec!["age", "town", "job", "disease"];
    for extra in ["ward", "shoe", "serial", "born", "colour", "minute"] {
        if random.below(2) == 0 {
            columns.insert(random.below(columns.len() as u64 + 1) as usize, extra);
        }
    }
    let mut table = columns.join(",") + "\n";
    for record in 0..records {
        let age = 20 + random.below(40);
        let value = |random: &mut Random, column: &str| match column {
            "age" => age,
            "born" => 2000 - age, // a shadow of age
            "town" => random.below(6),
            "job" => random.below(12),
            "disease" => random.below(4),
            "ward" => random.below(3),
            "shoe" => random.below(8),
            "serial" => record,
            "colour" => random.below(2 + random.0 % 20),
            _ => random.below(60),
        };
        let fields: Vec<String> =
            columns.iter().map(|column| format!("v{}", value(random, column))).collect();
        table += &(fields.join(",") + "\n");
    }
    let tree = (20..60).map(|age| format!("v{age};{}0s;*\n", age / 10)).collect::<String>();
    let k = 2 + random.below(5);
    let project = format!(
        "[data]\npath = \"table.csv\"\n\
         [[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\nhierarchy = \"age.csv\"\n\
         [[attribute]]\nname = \"town\"\nrole = \"quasi-identifier\"\n\
         [[attribute]]\nname = \"job\"\nrole = \"quasi-identifier\"\n\
         [[attribute]]\nname = \"shoe\"\nrole = \"insensitive\"\n\
         [[attribute]]\nname = \"disease\"\nrole = \"sensitive\"\n\
         [request]\nk = {k}\nmax_suppressed = {}\nquasi_identifiers = [\"age\", \"town\"]\n",
        if random.below(2) == 0 { "0" } else { "\"20%\"" }
    );
    let project = if columns.contains(&"shoe") {
        project
    } else {
        project.replace("[[attribute]]\nname = \"shoe\"\nrole = \"insensitive\"\n", "")
    };
    let files = [("haggle.toml", project), ("table.csv", table), ("age.csv", tree)];
    (Folder::with(files), columns)
}

/// The recorded table with the published quasi-identifiers, where no record was suppressed and the
/// order was kept.
fn with_published(folder: &Folder) -> Written {
    let (mut table, published) = (Written::of(folder, "table.csv"), Written::of(folder, "out.csv"));
    let quasi_identifiers = published.columns(|name| ["age", "town"].contains(&name));
    table.header.extend(["published age".into(), "published town".into()]);
    for (record, published) in table.records.iter_mut().zip(published.records) {
        record.extend(quasi_identifiers.iter().map(|&i| published[i].clone()));
    }
    table
}

/// The columns that stay by the definition: taken by how many records fall below k over each and the
/// quasi-identifiers, each only while at most 1 % of the records fall below k over those taken, and at
/// most 5 % over these and the quasi-identifiers.
fn kept_by_definition(folder: &Folder, k: u64) -> BTreeSet<String> {
    let table = with_published(folder);
    let records = table.records.len() as u64;
    let over = table.columns(|name| name.starts_with("published "));
    let jointly = |columns: &[usize]| table.below(&[columns, &over[..]].concat(), k);
    let mut free =
        table.columns(|name| ["ward", "shoe", "serial", "colour", "minute"].contains(&name));
    free.retain(|&column| table.below(&[column], k) <= records / 100);
    free.sort_by_key(|&column| (jointly(&[column]), &table.header[column]));
    let mut kept: Vec<usize> = Vec::new();
    for column in free {
        let with = [&kept[..], &[column]].concat();
        if table.below(&with, k) <= records / 100 && jointly(&with) <= records / 20 {
            kept = with;
        }
    }
    kept.into_iter().map(|i| table.header[i].clone()).collect()
}

#[test]
fn a_hundred_random_projects_publish_no_column_that_singles_people_out() {
    let mut random = Random(42);
    let (mut published, mut exact, mut shadows) = (0, 0, 0);
    while published < 100 {
        let (folder, columns) = random_project(&mut random);
        let run = folder.haggle(&["publish", ".", "-o", "out.csv", "--keep-order", "--json"]);
        if run.code == Some(1) {
            continue;
        }
        let report = run.json(0);
        published += 1;
        assert_accounted(&folder, &report, &["disease"]);
        assert_eq!(account(&report, "job")["treatment"], "dropped");
        if columns.contains(&"born") && report["scheme"][0] != 0 {
            assert_eq!(account(&report, "born")["treatment"], "dropped", "{report}");
            shadows += 1;
        }
        if report["suppressed"] == 0 && report["scheme"][0] != 0 {
            let k = report["columns"]["k"].as_u64().unwrap();
            let unchanged = strings(&report["unchanged"]).into_iter();
            let found: BTreeSet<String> =
                unchanged.filter(|name| *name != "disease").map(String::from).collect();
            assert_eq!(found, kept_by_definition(&folder, k), "{report}");
            exact += 1;
        }
    }
    assert!(exact > 20 && shadows > 20, "{exact} exact, {shadows} shadows");
}
