//! From a request to a file that keeps its promise, and what the file and its manifest hold.

use insta::assert_snapshot;
use serde_json::Value;

use crate::common::Folder;

const THREE: &str = "age,race,workclass";

/// Publishes three attributes of Adult at k = 10 with these further arguments.
fn publish(folder: &Folder, output: &str, more: &[&str]) -> Value {
    let fixed = ["publish", "demo:adult", "--qi", THREE, "--k", "10", "-o", output, "--json"];
    folder.haggle(&[&fixed, more].concat()).json(0)
}

#[test]
fn the_exact_answer_to_a_request_is_published_and_verified() {
    let folder = Folder::empty();
    let report = publish(&folder, "out.csv", &["--levels", "2,1,1", "--max-suppressed", "321"]);
    assert_eq!(report["scheme"], serde_json::json!([1, 1, 0]));
    assert_eq!((&report["records"], &report["suppressed"]), (&29_992.into(), &170.into()));
    let verdict = folder.haggle(&["verify", "out.csv", "--k", "10", "--json"]).json(0);
    assert_eq!(verdict["holds"], true);
    assert_eq!(verdict["attained"]["k-anonymity"], 10);
    assert_eq!(verdict["manifest_matches"], true);
    assert_snapshot!(folder.haggle(&["verify", "out.csv", "--k", "11"]).printed(1), @"
    No: k = 11 does not hold for 30 records; the weakest group has k = 10.
    29,992 records in 122 groups over age, race, workclass.
    Warning: 1.63 % of the records (488) are unique over all published columns that are not sensitive: whoever knows these columns of a person finds that person's record, whatever is promised over the quasi-identifiers.
    The file is the one that its manifest describes.
    ");
}

#[test]
fn a_request_that_cannot_be_met_publishes_nothing() {
    let folder = Folder::empty();
    let arguments = ["publish", "demo:adult", "--qi", THREE, "--k", "10", "--levels", "2,1,1"];
    let run =
        folder.haggle(&[&arguments[..], &["--max-suppressed", "32", "-o", "out.csv"]].concat());
    assert_snapshot!(run.printed(1));
    assert!(folder.listing().is_empty());
}

#[test]
fn a_scheme_that_suppresses_more_than_allowed_publishes_nothing() {
    let folder = Folder::empty();
    let arguments = ["publish", "demo:adult", "--qi", THREE, "--k", "10", "--scheme", "1,1,0"];
    let run =
        folder.haggle(&[&arguments[..], &["--max-suppressed", "169", "-o", "out.csv"]].concat());
    assert_snapshot!(run.printed(1), @"Not published: the scheme suppresses 170 records, and at most 169 may be.");
    assert!(folder.listing().is_empty());
}

#[test]
fn suppressed_records_may_be_kept_and_flagged() {
    let folder = Folder::empty();
    publish(&folder, "out.csv", &["--scheme", "1,1,0", "--suppress", "star", "--flag", "lost"]);
    let text = String::from_utf8(folder.read("out.csv")).unwrap();
    assert_eq!(text.lines().count(), 1 + 30_162);
    assert!(text.lines().next().unwrap().ends_with(",lost"));
    let flagged: Vec<&str> = text.lines().filter(|line| line.ends_with(",true")).collect();
    assert_eq!(flagged.len(), 170);
    assert!(flagged.iter().all(|line| line.starts_with("*,*,") && line.contains(",*,")));
    let verdict = folder.haggle(&["verify", "out.csv", "--k", "10", "--json"]).json(0);
    assert_eq!((&verdict["starred"], &verdict["groups"]), (&170.into(), &122.into()));
}

#[test]
fn a_shuffle_is_a_permutation_that_its_seed_repeats() {
    let folder = Folder::empty();
    publish(&folder, "plain.csv", &["--scheme", "1,1,0", "--keep-order"]);
    publish(&folder, "one.csv", &["--scheme", "1,1,0", "--seed", "1"]);
    publish(&folder, "again.csv", &["--scheme", "1,1,0", "--seed", "1"]);
    publish(&folder, "two.csv", &["--scheme", "1,1,0", "--shuffle"]);
    let lines = |name: &str| {
        let text = String::from_utf8(folder.read(name)).unwrap();
        text.lines().skip(1).map(String::from).collect::<Vec<_>>()
    };
    let sorted = |name: &str| {
        let mut lines = lines(name);
        lines.sort();
        lines
    };
    assert_eq!(folder.read("one.csv"), folder.read("again.csv"));
    assert!(lines("one.csv") != lines("plain.csv") && lines("one.csv") != lines("two.csv"));
    assert_eq!(sorted("one.csv"), sorted("plain.csv"));
    assert_eq!(sorted("two.csv"), sorted("plain.csv"));
}

#[test]
fn the_public_manifest_holds_nothing_that_helps_an_attacker() {
    let folder = Folder::empty();
    publish(&folder, "out.csv", &["--scheme", "1,1,0", "--seed", "4711", "--private", "secret"]);
    let manifest: Value = serde_json::from_slice(&folder.read("out.csv.manifest.json")).unwrap();
    let mut keys: Vec<&String> = manifest.as_object().unwrap().keys().collect();
    keys.sort();
    let known = [
        "attributes",
        "distances",
        "guarantees",
        "haggle",
        "output",
        "persons",
        "promise_over",
        "promises",
        "recoding",
        "sensitive",
        "stars",
        "unchanged",
        "version",
    ];
    assert_eq!(keys, known);
    assert_eq!(manifest["guarantees"]["k-anonymity"], 10);
    let text = manifest.to_string();
    assert!(!text.contains("4711") && !text.contains("suppress") && !text.contains("seed"));
    let private: Value = serde_json::from_slice(&folder.read("secret/policy.json")).unwrap();
    assert_eq!((&private["seed"], &private["suppressed"]), (&4711.into(), &170.into()));
    assert_eq!(private["mapping"]["race"]["Black"], "Non-white");
    let reference = private["reference"]["hours-per-week"].as_object().unwrap();
    assert_eq!(reference.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), 30_162);
    let mapping = String::from_utf8(folder.read("secret/mapping-race.csv")).unwrap();
    assert!(mapping.lines().any(|line| line == "Black,Non-white"), "{mapping}");
}

#[test]
fn a_file_that_was_changed_is_not_the_one_published() {
    let folder = Folder::empty();
    publish(&folder, "out.csv", &["--scheme", "1,1,0"]);
    let mut bytes = folder.read("out.csv");
    bytes.extend(b"90,Private,x,White,40,x\n");
    folder.write("out.csv", bytes);
    let verdict = folder.haggle(&["verify", "out.csv", "--k", "10", "--json"]).json(1);
    assert_eq!((&verdict["holds"], &verdict["manifest_matches"]), (&false.into(), &false.into()));
    assert_eq!(verdict["failing"], 1);
}

#[test]
fn the_data_itself_is_never_overwritten() {
    let folder = Folder::people();
    let before = folder.listing();
    let run = folder.haggle(&["publish", ".", "--k", "2", "--scheme", "1,1", "-o", "people.csv"]);
    assert_snapshot!(run.printed(2), @"
    error: people.csv: the output is the data itself
        fix: name another file
    ");
    assert!(folder.listing() == before);
}

#[test]
fn identifiers_go_and_the_rest_stays() {
    let folder = Folder::people();
    let publish = ["publish", ".", "--k", "2", "--scheme", "1,1", "--keep-order", "-o", "out.csv"];
    folder.haggle(&publish).text();
    let text = String::from_utf8(folder.read("out.csv")).unwrap();
    assert_eq!(text, "age,sex,disease\n30-39,*,flu\n30-39,*,asthma\n40-49,*,flu\n40-49,*,gout\n");
}

#[test]
fn a_table_published_at_the_top_is_one_group() {
    let folder = Folder::people();
    folder.haggle(&["publish", ".", "--k", "4", "--scheme", "2,1", "-o", "out.csv"]).text();
    let verdict = folder.haggle(&["verify", "out.csv", ".", "--k", "4", "--json"]).json(0);
    assert_eq!((&verdict["starred"], &verdict["groups"]), (&0.into(), &1.into()));
}

#[test]
fn assess_tells_whether_data_is_anonymous_already() {
    let folder = Folder::people();
    let found = folder.haggle(&["assess", "people.csv", ".", "--json"]).json(0);
    assert_eq!((&found["unique"], &found["groups"]), (&4.into(), &4.into()));
    assert_eq!(found["highest_risk"], 1.0);
    assert_eq!(found["attained"]["k-anonymity"], 1);
    assert_snapshot!(folder.haggle(&["assess", "people.csv", "--qi", "sex"]).printed(0));
    assert_snapshot!(folder.haggle(&["assess", "people.csv"]).printed(2), @"
    error: which columns are quasi-identifiers?
        fix: name them, or the project behind the file
    ");
}

#[test]
fn why_names_what_is_lost_and_what_would_help() {
    let folder = Folder::empty();
    let arguments =
        ["why", "demo:adult", "--qi", THREE, "--k", "10", "--scheme", "1,0,0", "--json"];
    let why = folder.haggle(&arguments).json(0);
    assert_eq!(why["suppressed"], 522);
    let best = &why["changes"][0];
    assert_eq!(
        (&best["attribute"], &best["level"], &best["suppressed"]),
        (&"race".into(), &1.into(), &170.into())
    );
    let kinds = why["kinds"].as_array().unwrap();
    let without_pay = kinds.iter().find(|kind| kind["value"] == "Without-pay").unwrap();
    assert_eq!(without_pay["records"], without_pay["suppressed"]);
    let lost = |attribute: &str| -> u64 {
        let mine = kinds.iter().filter(|kind| kind["attribute"] == attribute);
        mine.map(|kind| kind["suppressed"].as_u64().unwrap()).sum()
    };
    assert_eq!(lost("race"), 522, "all five values of race are named, so they add up");
}

#[test]
fn a_parquet_file_holds_the_same_records() {
    let folder = Folder::empty();
    publish(&folder, "out.csv", &["--scheme", "1,1,0", "--seed", "5"]);
    publish(&folder, "out.parquet", &["--scheme", "1,1,0", "--seed", "5"]);
    assert!(folder.read("out.parquet").starts_with(b"PAR1"));
    let verdict = folder.haggle(&["verify", "out.parquet", "--k", "10", "--json"]).json(0);
    assert_eq!((&verdict["holds"], &verdict["records"]), (&true.into(), &29_992.into()));
    // The same groups and values by haggle itself, read back as a table of its own.
    let assess = |file: &str| folder.haggle(&["assess", file, "--json"]).json(0);
    assert_eq!(assess("out.csv"), assess("out.parquet"));
}
