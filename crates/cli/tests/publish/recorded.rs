//! Every publication is recorded next to the project, and the next one lists it.

use std::os::unix::fs::PermissionsExt;

use haggle_testkit::process;
use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::Value;

use crate::common::{Folder, Run};

const LOG: &str = "publications.jsonl";

fn publish(folder: &Folder, output: &str, more: &[&str]) -> Run {
    let fixed = ["publish", ".", "--k", "2", "--scheme", "1,1", "-o", output];
    folder.haggle(&[&fixed[..], more].concat())
}

fn recorded(folder: &Folder) -> Vec<Value> {
    let text = String::from_utf8(folder.read(LOG)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_publication_is_recorded_privately_and_listed_by_the_next() {
    let folder = Folder::people();
    let first = publish(&folder, "one.csv", &["--json"]).json(0);
    assert_eq!(first["earlier"], serde_json::json!([]));
    let mode = std::fs::metadata(folder.file(LOG)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let record = &recorded(&folder)[0];
    assert_eq!((&record["version"], &record["output"]), (&1.into(), &"one.csv".into()));
    assert_eq!((&record["records"], &record["suppressed"]), (&4.into(), &0.into()));
    assert_eq!(record["quasi_identifiers"], serde_json::json!(["age", "sex"]));
    assert_eq!(record["recoding"], serde_json::json!({"kind": "levels", "scheme": [1, 1]}));
    assert_eq!(record["promises"], serde_json::json!(["k-anonymity:k=2"]));
    assert_eq!(record["unchanged"], serde_json::json!(["disease"]));
    let manifest: Value = serde_json::from_slice(&folder.read("one.csv.manifest.json")).unwrap();
    assert_eq!(record["sha256"], manifest["output"]["sha256"]);
    assert!(record["time"].as_str().is_some_and(|t| t.len() == 20 && t.ends_with('Z')), "{record}");
    publish(&folder, "two.csv", &[]).text();
    let third = publish(&folder, "three.csv", &[]);
    assert_snapshot!(third.printed(0));
    let fourth = publish(&folder, "one.csv", &["--json"]).json(0);
    let outputs: Vec<&Value> =
        fourth["earlier"].as_array().unwrap().iter().map(|one| &one["output"]).collect();
    assert_eq!(outputs, ["one.csv", "two.csv", "three.csv"]);
    assert_eq!(fourth["earlier"][0]["recoding"]["scheme"], serde_json::json!([1, 1]));
    assert_eq!(recorded(&folder).len(), 4);
}

#[test]
fn what_was_not_published_is_not_recorded() {
    let folder = Folder::people();
    for refused in [&["--max-suppressed", "0", "--k", "3"][..], &["--k", "9"]] {
        let fixed = ["publish", ".", "--scheme", "0,0", "-o", "out.csv"];
        assert_ne!(folder.haggle(&[&fixed[..], refused].concat()).code, Some(0));
    }
    assert!(!folder.file(LOG).exists());
}

#[test]
fn the_embedded_project_says_that_it_keeps_no_record() {
    let folder = Folder::empty();
    let run = ["publish", "demo:adult", "--qi", "age,race", "--k", "10", "--scheme", "1,1"];
    let said = folder.haggle(&[&run[..], &["-o", "out.csv"]].concat());
    assert_snapshot!(said.printed(0));
    assert!(!folder.file(LOG).exists());
}

#[test]
fn publications_at_the_same_time_are_all_recorded() {
    let folder = Folder::people();
    let run = |i: usize| {
        let name = format!("{i}.csv");
        let mut command =
            folder.command(&["publish", ".", "--k", "2", "--scheme", "1,1", "-o", &name]);
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = (0..12).map(run).collect();
    for mut child in children {
        assert!(process::wait(&mut child).success());
    }
    let mut outputs: Vec<String> =
        recorded(&folder).iter().map(|one| one["output"].as_str().unwrap().into()).collect();
    outputs.sort();
    outputs.dedup();
    assert_eq!(outputs.len(), 12);
}

#[test]
fn half_a_line_is_cut_and_damage_is_named() {
    let folder = Folder::people();
    publish(&folder, "one.csv", &[]).text();
    let whole = String::from_utf8(folder.read(LOG)).unwrap();
    // A process was killed while it wrote.
    folder.write(LOG, format!("{whole}{}", &whole[..40]));
    let report = publish(&folder, "two.csv", &["--json"]).json(0);
    assert_eq!(report["earlier"].as_array().unwrap().len(), 1);
    assert_eq!(recorded(&folder).len(), 2);
    let damaged = [
        ("something else", "{}\n".to_owned()),
        ("a later version", whole.replace("\"version\":1", "\"version\":2")),
        ("no version", whole.replace("\"version\":1,", "")),
    ];
    assert_snapshot!(titled(damaged.map(|(title, damage)| {
        folder.write(LOG, format!("{whole}{damage}"));
        let refusal = publish(&folder, "three.csv", &[]).printed(2);
        assert!(!folder.file("three.csv").exists());
        (title, refusal)
    })), @"
    == something else
    error: ./publications.jsonl:2: this line is not a record of a publication
        fix: restore the line, or remove it; nothing was published
    == a later version
    error: ./publications.jsonl:2: this record has version 2; this haggle reads up to 1
        fix: use a haggle as new as the one that wrote it
    == no version
    error: ./publications.jsonl:2: this line is not a record of a publication
        fix: restore the line, or remove it; nothing was published
    ");
}

#[test]
fn groups_with_one_sensitive_value_are_warned_of_where_only_k_is_asked() {
    let folder = Folder::people();
    folder.edit("people.csv", "Bea,36,f,asthma", "Bea,36,f,flu");
    let said = publish(&folder, "out.csv", &[]);
    assert_snapshot!(said.printed(0));
    let report = publish(&folder, "out.csv", &["--json"]).json(0);
    let expected = serde_json::json!([{"attribute": "disease", "groups": 1, "records": 2}]);
    assert_eq!(report["single_valued"], expected);
    let both = publish(&folder, "out.csv", &["--l", "2", "--max-suppressed", "100%", "--json"]);
    assert!(both.json(0)["single_valued"].is_null());
}
