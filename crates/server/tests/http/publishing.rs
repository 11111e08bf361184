//! Publishing through the page is publishing through the command line: proved, and verifiable.

use std::collections::BTreeMap;

use haggle::Privacy;
use haggle::publishing::Inspection;
use haggle_server::Settings;
use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::client::{server, start_and_stop};

fn publish(more: &Value) -> Value {
    let mut body = json!({"qi": ["age", "race", "workclass"], "privacy": {"k-anonymity": 10}});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    server().post("/api/publish", &body).lines().pop().unwrap()
}

#[test]
fn what_is_published_can_be_downloaded_and_keeps_its_promise() {
    for format in ["csv", "parquet"] {
        let ended = publish(&json!({"scheme": [1, 1, 0], "format": format}));
        let report = &ended["done"]["report"];
        assert_eq!(
            (&report["suppressed"], &report["records"]),
            (&json!(170), &json!(29_992)),
            "{ended}"
        );
        assert_eq!(report["output"], format!("data.{format}"), "a name, no folder");
        let folder = tempfile::tempdir().unwrap();
        let mut files = std::collections::BTreeMap::new();
        for (what, path) in ended["done"]["downloads"].as_object().unwrap() {
            let path = path.as_str().unwrap();
            let reply = server().get(path);
            assert_eq!(reply.status, 200, "{path}");
            assert!(reply.headers["content-disposition"].starts_with("attachment"));
            let file = folder.path().join(path.rsplit('/').next().unwrap());
            std::fs::write(&file, &reply.body).unwrap();
            files.insert(what.as_str(), file);
        }
        let inspection = Inspection::open(&files["data"], None, None, None, 1 << 30).unwrap();
        let ten = [Privacy::new("k-anonymity", 10.0)];
        assert!(inspection.verify(&ten).unwrap().holds, "the manifest is found next to it");
        let mapping = std::fs::read_to_string(&files["mapping"]).unwrap();
        assert!(mapping.starts_with("attribute,recorded,published\n"));
        assert!(mapping.lines().any(|line| line == "age,37,37-41"), "{mapping}");
    }
}

#[test]
fn the_next_server_lists_the_receipts_of_the_last_one_without_their_files() {
    let state = tempfile::tempdir().unwrap();
    let settings = || Settings { state: Some(state.path().into()), ..Settings::default() };
    let (first, stop) = start_and_stop(settings());
    assert_eq!(first.get("/api/publications").json(), json!([]));
    let body = json!({"qi": ["age", "race"], "privacy": {"k-anonymity": 10}, "scheme": [1, 1]});
    let report = first.post("/api/publish", &body).lines().pop().unwrap()["done"].clone();
    let listed = first.get("/api/publications").json();
    assert_eq!(listed[0]["report"], report["report"]);
    assert_eq!(listed[0]["downloads"], report["downloads"]);
    assert_eq!(listed[0]["request"]["scheme"], json!([1, 1]));
    stop.now();
    let (second, stop) = start_and_stop(settings());
    let listed = second.get("/api/publications").json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["report"], report["report"]);
    assert_eq!(listed[0]["downloads"], json!({}), "the files went with their server");
    stop.now();
}

/// What is wrong and what to do, of the first problem of a refusal.
fn first_problem(refused: &Value) -> String {
    let problem = &refused["error"]["problems"][0];
    let text = |key: &str| problem[key].as_str().unwrap_or_else(|| panic!("{refused}"));
    format!("{}\nfix: {}", text("what"), text("fix"))
}

/// Groups of the text of the first columns, from the downloaded bytes alone.
fn sizes(csv: &[u8], names: &[&str]) -> BTreeMap<Vec<String>, u64> {
    let mut reader = csv::Reader::from_reader(csv);
    let header = reader.headers().unwrap().clone();
    let place = |name: &&str| header.iter().position(|column| column == *name).unwrap();
    let places: Vec<usize> = names.iter().map(place).collect();
    let mut sizes = BTreeMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        let look = places.iter().map(|&place| record[place].to_owned()).collect();
        *sizes.entry(look).or_default() += 1;
    }
    sizes
}

#[test]
fn what_was_compared_is_previewed_and_published() {
    let body = json!({"qi": ["age", "race", "workclass"], "privacy": {"k-anonymity": 10}, "max_suppressed": 321});
    let lines = server().post_for_lines("/api/compare", &body);
    let steps = lines.iter().filter(|line| line["progress"]["of"].is_u64()).count();
    assert!(steps > 0, "progress is reported");
    let compared = lines.last().unwrap()["done"]["strategies"].as_array().unwrap().clone();
    let mut kinds = std::collections::BTreeSet::new();
    for one in compared.iter().filter(|one| one["result"].is_string()) {
        let mut wanted = body.clone();
        wanted["strategy"] = one["strategy"].clone();
        wanted["result"] = one["result"].clone();
        let preview = server().post("/api/preview", &wanted).json();
        assert_eq!(preview["suppressed"], one["suppressed"], "{one}");
        let ended = server().post("/api/publish", &wanted).lines().pop().unwrap();
        let report = &ended["done"]["report"];
        for same in ["result", "suppressed", "groups", "recoding", "strategy"] {
            assert_eq!(report[same], one[same], "{same}: {ended}");
        }
        kinds.insert(one["recoding"].as_str().unwrap().to_owned());
        let data = server().get(ended["done"]["downloads"]["data"].as_str().unwrap());
        let sizes = sizes(&data.body, &["age", "race", "workclass"]);
        assert!(sizes.values().all(|&size| size >= 10), "{one}");
        assert_eq!(sizes.len() as u64, one["groups"].as_u64().unwrap(), "{one}");
        let kept = 30_162 - one["suppressed"].as_u64().unwrap();
        assert_eq!(sizes.values().sum::<u64>(), kept, "{one}");
    }
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["boxes", "cells", "cuts", "levels", "parts"]
    );
}

/// The report, and the downloaded lines without the header.
fn downloaded(more: &Value) -> (Value, Vec<String>) {
    let ended = publish(more);
    let data = server().get(ended["done"]["downloads"]["data"].as_str().unwrap());
    let lines = String::from_utf8(data.body).unwrap();
    (ended["done"]["report"].clone(), lines.lines().skip(1).map(String::from).collect())
}

#[test]
fn the_order_is_random_unless_that_of_the_table_is_asked_for() {
    let (report, mut random) = downloaded(&json!({"scheme": [1, 1, 0]}));
    let (kept, mut table) = downloaded(&json!({"scheme": [1, 1, 0], "keep_order": true}));
    assert_eq!((&report["order"], &kept["order"]), (&"random".into(), &"kept".into()));
    let seeded = || downloaded(&json!({"scheme": [1, 1, 0], "seed": 7})).1;
    let shuffled = seeded();
    assert!(random != table && shuffled != table && shuffled == seeded());
    random.sort();
    table.sort();
    assert!(random == table);
    let both = publish(&json!({"scheme": [1, 1, 0], "keep_order": true, "seed": 7}));
    assert!(both["error"]["problems"][0]["fix"].is_string(), "{both}");
}

#[test]
fn starred_records_are_a_group_in_preview_and_publication() {
    let star = json!({"scheme": [1, 1, 0], "suppress": "star", "spreadsheet_safe": true});
    let (report, lines) = downloaded(&star);
    assert_eq!((&report["starred"], &report["spreadsheet_safe"]), (&json!(170), &json!(true)));
    assert_eq!(lines.iter().filter(|line| line.starts_with("*,*,")).count(), 170);
    let mut body = json!({"qi": ["age", "race", "workclass"], "privacy": {"k-anonymity": 10}});
    body["scheme"] = json!([1, 1, 0]);
    assert_eq!(server().post("/api/preview", &body).json()["starred"], 0);
    body["suppress"] = json!("star");
    assert_eq!(server().post("/api/preview", &body).json()["starred"], 170);
    // Fewer than fifty are suppressed here, which is not a group of fifty.
    let few = json!({"privacy": {"k-anonymity": 50}, "scheme": [4, 1, 1], "suppress": "star"});
    let (report, _) = downloaded(&few);
    if report["suppressed"] != 0 {
        let crowd = report["suppressed"].as_u64() >= Some(50);
        assert_eq!(report["starred"] == report["suppressed"], crowd, "{report}");
    }
}

/// A downloaded file as records by column name.
fn records(path: &Value) -> Vec<BTreeMap<String, String>> {
    let reply = server().get(path.as_str().unwrap());
    assert_eq!(reply.status, 200, "{path}");
    let mut reader = csv::Reader::from_reader(reply.body.as_slice());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn two_tables_can_be_downloaded_and_keep_their_promise() {
    let two = json!({"privacy": {"distinct-l-diversity": 2}, "only": true, "form": "anatomy"});
    let ended = publish(&two);
    let (done, downloads) = (&ended["done"]["report"], &ended["done"]["downloads"]);
    let group = done["anatomy"]["group"].as_str().unwrap_or_else(|| panic!("{ended}"));
    let attribute = done["anatomy"]["attribute"].as_str().unwrap();
    let (people, values) = (records(&downloads["data"]), records(&downloads["sensitive"]));
    assert!(people.len() > 30_000 && !people[0].contains_key(attribute));
    let mut members: BTreeMap<&str, u64> = BTreeMap::new();
    for record in &people {
        *members.entry(&record[group]).or_default() += 1;
    }
    let mut counted: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for row in &values {
        let count = row.iter().find(|(name, _)| *name != group && *name != attribute).unwrap().1;
        counted.entry(&row[group]).or_default().push(count.parse().unwrap());
    }
    assert_eq!(members.keys().collect::<Vec<_>>(), counted.keys().collect::<Vec<_>>());
    assert!(counted.values().all(|counts| counts.len() >= 2));
    assert!(counted.iter().all(|(group, counts)| counts.iter().sum::<u64>() == members[group]));
    let both = first_problem(&publish(&json!({"form": "anatomy", "strategy": "mondrian"})));
    assert_snapshot!(both, @r"
    a publication in two tables keeps every recorded value
    fix: name no scheme or strategy, or publish one table
    ");
}

#[test]
fn a_result_that_is_not_found_is_refused() {
    let refused = publish(&json!({"strategy": "mondrian", "result": "0123456789abcdef"}));
    assert_snapshot!(refused["refused"]["reason"].as_str().unwrap(), @"mondrian finds something else now than what was compared; compare again");
    let refused =
        publish(&json!({"strategy": "mondrian", "levels": [0, 0, 0], "max_suppressed": 0}));
    assert_snapshot!(refused["refused"]["reason"].as_str().unwrap(), @"mondrian found nothing within the request; allow more records to be suppressed, or raise the maximum levels");
    let body = json!({"privacy": {"k-anonymity": 10}, "strategy": "nothing"});
    assert_eq!(server().post("/api/preview", &body).status, 422);
}

#[test]
fn a_choice_that_contradicts_itself_is_refused() {
    let cases = [
        json!({"result": "x"}),
        json!({"scheme": [1, 1, 0], "strategy": "ola"}),
        json!({"strategy": "mondrian", "refine": true}),
    ];
    assert_snapshot!(titled(cases.map(|contradiction| {
        let previewed = server().post("/api/preview", &contradiction);
        assert_eq!(previewed.status, 422, "{contradiction}");
        let refused = first_problem(&publish(&contradiction));
        assert_eq!(first_problem(&previewed.json()), refused);
        (contradiction, refused)
    })), @r#"
    == {"result":"x"}
    a result is named, and no strategy that found it
    fix: name a scheme, or a strategy with the result that it found
    == {"scheme":[1,1,0],"strategy":"ola"}
    a scheme and a strategy are named
    fix: name a scheme, or a strategy with the result that it found
    == {"refine":true,"strategy":"mondrian"}
    a strategy is to be refined, and only schemes can be
    fix: name a scheme, or a strategy with the result that it found
    "#);
}

#[test]
fn a_comparison_without_waiters_is_stopped() {
    let six = ["age", "education", "marital-status", "occupation", "race", "workclass"];
    let body = json!({"qi": six, "privacy": {"k-anonymity": 10}, "max_suppressed": 321});
    server().hang_up_at("comparing", "/api/compare", &body);
    // The next request finds the server free and is answered.
    let mut one = body;
    one["strategies"] = json!(["datafly"]);
    let lines = server().post_for_lines("/api/compare", &one);
    assert!(lines.last().unwrap()["done"]["strategies"][0]["found"].is_string());
}

#[test]
fn a_publication_that_is_refused_says_why() {
    let ended = publish(&json!({"scheme": [0, 0, 0], "max_suppressed": 5}));
    assert_eq!(ended["refused"]["limit"], 5);
    assert_snapshot!(ended["refused"]["reason"].as_str().unwrap(), @"the scheme suppresses 1921 records, and at most 5 may be");
    let ended = publish(&json!({"levels": [0, 0, 0], "max_suppressed": 5}));
    assert!(ended["refused"]["answer"]["relaxations"][0]["offer"].is_object(), "{ended}");
    let ended = publish(&json!({"scheme": [9, 9, 9]}));
    assert!(ended["error"]["problems"][0]["fix"].is_string());
}

#[test]
fn nothing_weaker_than_the_project_is_published_unless_the_list_is_said_to_be_complete() {
    // The project asks for 5.
    let weaker = json!({"privacy": {"k-anonymity": 3}, "scheme": [1, 1, 0]});
    let other = json!({"privacy": {"distinct-l-diversity": 2}, "scheme": [1, 1, 0]});
    let mut refusals = Vec::new();
    for mut asked in [weaker, other] {
        let body = |asked: &Value| {
            let mut body = asked.clone();
            body["qi"] = json!(["age", "race", "workclass"]);
            body
        };
        let reply = server().post("/api/publish", &body(&asked));
        assert_eq!(reply.status, 403, "{}", reply.text());
        assert_eq!(reply.json()["error"]["kind"], "refused-by-policy");
        refusals.push((asked["privacy"].clone(), first_problem(&reply.json())));
        asked["only"] = json!(true);
        let ended = server().post("/api/publish", &body(&asked)).lines().pop().unwrap();
        assert!(ended["done"]["report"]["records"].is_u64(), "{ended}");
    }
    assert_snapshot!(titled(refusals), @r#"
    == {"k-anonymity":3}
    k-anonymity:k=3 is weaker than the project's k-anonymity:k=5
    fix: request what the project requests, or set `only` to true if less is intended
    == {"distinct-l-diversity":2}
    the project's k-anonymity:k=5 is missing
    fix: request what the project requests, or set `only` to true if less is intended
    "#);
    // The same model, as strong or stronger, needs nothing.
    assert!(
        publish(&json!({"privacy": {"k-anonymity": 5}, "scheme": [1, 1, 0]}))["done"].is_object()
    );
}

#[test]
fn nothing_that_was_not_given_out_can_be_downloaded() {
    let ended = publish(&json!({"scheme": [1, 1, 0]}));
    let data = ended["done"]["downloads"]["data"].as_str().unwrap().to_owned();
    let folder = data.rsplit_once('/').unwrap().0;
    for name in ["..%2f..%2fetc%2fpasswd", "%2e%2e", "private", "private%2Fpolicy.json", "%00"] {
        assert_eq!(server().get(&format!("{folder}/{name}")).status, 404, "{name}");
    }
    assert_eq!(server().get("/api/published/0/data.csv").status, 404);
    assert_eq!(server().get("/api/published/../../etc/passwd").status, 404);
}
