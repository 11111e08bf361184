//! `haggle utility` and `haggle report`: the same numbers as the other commands, and nothing in the
//! public form that helps an attacker.

use std::collections::{BTreeMap, BTreeSet};

use haggle::utility::HoldOut;
use serde_json::Value;

use crate::common::Folder;

/// A value of a record that is suppressed, unlike anything else.
const CANARY: &str = "Quetzal7719";
const REQUEST: [&str; 4] = ["--k", "4", "--max-suppressed", "3"];

const PROJECT: &str = r#"[data]
path = "people.csv"

[[attribute]]
name = "name"
role = "identifier"

[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }

[[attribute]]
name = "town"
role = "quasi-identifier"

[[attribute]]
name = "disease"
role = "sensitive"
"#;

/// 120 records, one of which nobody else looks like.
fn records() -> Vec<[String; 3]> {
    let disease = |i: u32| ["flu", "asthma", "gout", "flu"][(i / 3 % 4) as usize];
    let record =
        |i: u32| [(20 + i * 7 % 40).to_string(), format!("T{}", i % 2), disease(i).to_owned()];
    let odd = ["99".to_owned(), CANARY.to_owned(), format!("{CANARY}-disease")];
    (0..120).map(record).chain([odd]).collect()
}

fn folder(records: &[[String; 3]]) -> Folder {
    let line = |(i, [age, town, disease]): (usize, &[String; 3])| {
        format!("person-{i},{age},{town},{disease}\n")
    };
    let lines: String = records.iter().enumerate().map(line).collect();
    Folder::with([
        ("haggle.toml", PROJECT.to_owned()),
        ("people.csv", format!("name,age,town,disease\n{lines}")),
    ])
}

fn args<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [command, "."].iter().chain(&REQUEST).chain(more).copied().collect()
}

fn json(folder: &Folder, args: &[&str]) -> Value {
    folder.haggle(args).json(0)
}

fn report(folder: &Folder, more: &[&str]) -> Value {
    json(folder, &args("report", &[&["-o", "report.json", "--force", "--json"], more].concat()))
}

fn text(folder: &Folder, file: &str) -> String {
    String::from_utf8(folder.read(file)).unwrap()
}

/// JSON without what differs from run to run.
fn timeless(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.remove("micros");
        object.remove("visited");
    }
    value
}

#[test]
fn the_private_report_has_the_numbers_of_the_other_commands() {
    let folder = folder(&records());
    let report = report(&folder, &["--private"]);
    let private = &report["private"];
    let exact = json(&folder, &args("ask", &["--json"]))["exact"].clone();
    assert_eq!(private["scheme"]["scheme"], exact["scheme"]);
    assert_eq!(private["scheme"]["suppressed"], exact["suppressed"]);
    assert_eq!(private["scheme"]["attained"], exact["attained"]);
    let scheme: Vec<String> =
        exact["scheme"].as_array().unwrap().iter().map(ToString::to_string).collect();
    let scheme = scheme.join(",");
    let of_scheme = |command| vec![command, ".", "--k", "4", "--scheme", &scheme, "--json"];
    assert_eq!(private["risk"], json(&folder, &of_scheme("risk")));
    assert_eq!(private["why"], json(&folder, &of_scheme("why")));
    assert_eq!(private["utility"], json(&folder, &args("utility", &["--json"])));
    let queries = [of_scheme("query"), vec!["--random", "500"]].concat();
    assert_eq!(private["queries"], json(&folder, &queries));
    let pareto = json(&folder, &["pareto", ".", "--max-suppressed", "3", "--json"]);
    assert_eq!(timeless(private["front"].clone())["points"], timeless(pareto)["points"]);
}

#[test]
fn the_public_report_has_the_numbers_of_the_published_records() {
    let folder = folder(&records());
    let (public, private) = (report(&folder, &[]), report(&folder, &["--private"]));
    let rounded = |value: &Value| (value.as_f64().unwrap() * 1000.0).round() / 1000.0;
    let risk = &private["private"]["risk"];
    assert_eq!(public["records"], risk["records"]);
    assert_eq!(public["risk"]["highest"], rounded(&risk["risk"]["prosecutor"]["highest"]));
    assert_eq!(public["risk"]["marketer"], rounded(&risk["risk"]["marketer"]));
    let pairs = private["private"]["utility"]["pairs"].as_array().unwrap();
    let after = rounded(&pairs[0]["cramers_v"]["after"]);
    assert_eq!(public["associations"][0]["cramers_v"], after);
    // 120 records: their groups, counted here, and their squares.
    folder.haggle(&args("publish", &["-o", "out.csv"])).text();
    let mut sizes: BTreeMap<String, f64> = BTreeMap::new();
    for line in text(&folder, "out.csv").lines().skip(1) {
        let (look, _) = line.rsplit_once(',').unwrap();
        *sizes.entry(look.to_owned()).or_default() += 1.0;
    }
    assert_eq!(public["groups"], sizes.len());
    assert_eq!(public["loss"]["discernibility"], sizes.values().map(|n| n * n).sum::<f64>());
    let mean = rounded(&Value::from(120.0 / sizes.len() as f64));
    assert_eq!(public["loss"]["average-class-size"], mean);
    for of_the_table in ["queries", "mining", "front", "private"] {
        assert_eq!(public[of_the_table], Value::Null, "{of_the_table}");
    }
}

#[test]
fn what_needs_the_table_is_refused_in_a_public_report() {
    let folder = folder(&records());
    let run = folder.haggle(&args("report", &["--target", "disease", "-o", "r.html"]));
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("a public report has no queries"), "{}", run.stderr);
    folder.haggle(&args("report", &["--target", "disease", "--private", "-o", "r.html"])).text();
}

#[test]
fn the_public_report_says_nothing_about_suppressed_records() {
    let folder = folder(&records());
    let hash = {
        let private = report(&folder, &["--private"]);
        assert_eq!(private["private"]["account"]["suppressed"], 1, "the odd record");
        assert!(private.to_string().contains(CANARY), "the private form names what it maps");
        private["private"]["input_sha256"][0].as_str().unwrap().to_owned()
    };
    for file in ["report.html", "report.md", "report.json"] {
        folder.haggle(&args("report", &["-o", file, "--force"])).text();
        let text = text(&folder, file);
        for secret in [CANARY, hash.as_str(), "person-", "suppressed\":", "\"seed\""] {
            assert!(!text.contains(secret), "{file} has {secret}");
        }
        // All records: the published ones are 120.
        for before in [" ", ">", "= ", "| "] {
            assert!(!text.contains(&format!("{before}121")), "{file} has the number of records");
        }
    }
}

#[test]
fn a_private_report_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder(&records());
    for (file, more, mode) in [("a.html", "--private", 0o600), ("b.html", "--seed=1", 0o644)] {
        folder.haggle(&args("report", &["-o", file, more])).text();
        let found = std::fs::metadata(folder.path().join(file)).unwrap().permissions().mode();
        assert_eq!(found & 0o777 & mode, found & 0o777, "{file}: {found:o}");
    }
}

#[test]
fn the_page_is_well_formed_and_refers_to_nothing_outside() {
    let folder = folder(&records());
    for more in [&["--private"][..], &[]] {
        folder.haggle(&args("report", &[&["-o", "report.html", "--force"], more].concat())).text();
        let page = text(&folder, "report.html");
        let xml = page.strip_prefix("<!DOCTYPE html>\n").unwrap();
        let document = roxmltree::Document::parse(xml).expect("the page is XML");
        let outside =
            document.descendants().flat_map(|node| node.attributes()).filter(|attribute| {
                let value = attribute.value();
                ["src", "srcset", "data", "action"].contains(&attribute.name())
                    || attribute.name() == "href" && !value.starts_with('#')
                    || value.contains("url(")
            });
        assert_eq!(outside.count(), 0);
        assert!(!page.contains("<script") && !page.contains("@import") && !page.contains("url("));
        let ids = document.descendants().filter_map(|node| node.attribute("id"));
        let ids: Vec<&str> = ids.collect();
        assert!(ids.contains(&"guarantees"), "{ids:?}");
        assert_eq!(ids.contains(&"front"), !more.is_empty(), "{ids:?}");
    }
}

#[test]
fn the_published_file_is_proved_and_its_hash_reported() {
    let folder = folder(&records());
    folder.haggle(&args("publish", &["-o", "out.csv"])).text();
    let report = report(&folder, &["--published", "out.csv"]);
    let proof = &report["proof"];
    assert_eq!((&proof["holds"], &proof["records"]), (&true.into(), &120.into()));
    let manifest: Value = serde_json::from_str(&text(&folder, "out.csv.manifest.json")).unwrap();
    assert_eq!(proof["sha256"], manifest["output"]["sha256"]);
    let assessed = folder.haggle(&["assess", "out.csv", "--json"]).json(0);
    assert_eq!(report["risk"]["unique"], assessed["unique"]);
    assert_eq!(report["groups"], assessed["groups"]);
    let other = folder
        .haggle(&args("report", &["--published", "out.csv", "--scheme", "0,0", "-o", "r.md"]));
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("was published under"), "{}", other.stderr);
}

/// The records of a published file by age and town.
fn groups_of(folder: &Folder, file: &str) -> BTreeMap<[String; 2], u64> {
    let bytes = folder.read(file);
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let header = reader.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (age, town) = (place("age"), place("town"));
    let mut groups = BTreeMap::new();
    for record in reader.records().map(Result::unwrap) {
        *groups.entry([age, town].map(|column| record[column].to_owned())).or_default() += 1;
    }
    groups
}

#[test]
fn a_report_on_a_file_has_the_groups_of_the_file_whatever_made_it() {
    let folder = folder(&records());
    let (mut published, mut with_loss) = (0, 0);
    for strategy in json(&folder, &["strategies", "--json"]).as_array().unwrap() {
        let id = strategy["id"].as_str().unwrap();
        let file = format!("{id}.csv");
        if folder.haggle(&args("publish", &["--strategy", id, "-o", &file])).code != Some(0) {
            continue; // It answers other thresholds only.
        }
        published += 1;
        let groups = groups_of(&folder, &file);
        let report = report(&folder, &["--published", &file, "--private"]);
        assert_eq!(report["groups"], groups.len(), "{id}");
        assert_eq!(report["records"], groups.values().sum::<u64>(), "{id}");
        let smallest = *groups.values().min().unwrap() as f64;
        let highest = report["risk"]["highest"].as_f64().unwrap();
        assert!((highest - 1.0 / smallest).abs() < 0.001, "{id}: {highest}, one of {smallest}");
        let ages = report["quasi_identifiers"][0]["values"].as_array().unwrap();
        let ages: BTreeSet<&str> = ages.iter().filter_map(Value::as_str).collect();
        assert_eq!(ages, groups.keys().map(|[age, _]| age.as_str()).collect(), "{id}");
        if let Some(loss) = report["private"]["loss"]["lm"].as_f64() {
            with_loss += 1;
            let compared = json(&folder, &args("compare", &["--strategies", id, "--json"]));
            let found = compared["strategies"][0]["loss"]["lm"].as_f64().unwrap();
            assert!((loss - found).abs() <= 0.001, "{id}: {loss}, {found} when it was found");
        }
    }
    assert!(published > 10 && with_loss > 8, "{published} files, {with_loss} with a loss");
}

#[test]
fn held_out_records_do_not_influence_the_scheme() {
    let all = records();
    let models = json(&folder(&all), &args("utility", &["--json"]))["models"].clone();
    assert_eq!(models["chosen_without_held_out"], true);
    let rule = HoldOut { share: 0.3, seed: 1 };
    let mut alike: BTreeMap<[String; 3], u64> = BTreeMap::new();
    let mut is_out = |record: &[String; 3]| {
        let number = alike.entry(record.clone()).or_default();
        *number += 1;
        rule.holds(record.iter().map(String::as_str), *number - 1)
    };
    let training: Vec<[String; 3]> = all.iter().filter(|record| !is_out(record)).cloned().collect();
    assert_eq!(models["training"], training.len());
    assert_eq!(models["held_out"], all.len() - training.len());
    let limit = (3 * training.len() / all.len()).to_string();
    let alone = folder(&training);
    let answer = json(&alone, &["ask", ".", "--k", "4", "--max-suppressed", &limit, "--json"]);
    assert_eq!(models["scheme"], answer["exact"]["scheme"]);
    assert_eq!(models["training_suppressed"], answer["exact"]["suppressed"]);
}

#[test]
fn a_report_needs_a_promise_and_a_format() {
    let folder = folder(&records());
    let run = folder.haggle(&["report", ".", "-o", "report.html"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no threshold is named"), "{}", run.stderr);
    let run = folder.haggle(&args("report", &["-o", "report.pdf"]));
    assert!(run.stderr.contains(".html, .md or .json"), "{}", run.stderr);
    let run = folder.haggle(&args("utility", &["--target", "town"]));
    assert!(run.stderr.contains("quasi-identifier"), "{}", run.stderr);
}
