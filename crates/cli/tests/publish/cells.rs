//! Cell suppression from the command line: published, proved, verified, compared, repeated.

use serde_json::Value;

use crate::common::Folder;

/// Six records: with k = 2 one of three equal ones is published together with the fourth.
const TABLE: &str =
    "age,town,disease\n30,a,flu\n30,a,gout\n30,a,flu\n41,a,cold\n50,b,flu\n50,b,gout\n";

fn folder(table: &str) -> Folder {
    Folder::with([("haggle.toml", crate::publish::PERSONS), ("table.csv", table)])
}

fn published(folder: &Folder, more: &[&str]) -> Value {
    let words = ["publish", ".", "--json", "-o", "out.csv", "--max-suppressed", "0"];
    folder.haggle(&[&words[..], more].concat()).json(0)
}

/// The records without their order.
fn rows(folder: &Folder, name: &str) -> Vec<String> {
    let text = String::from_utf8(folder.read(name)).unwrap();
    let mut rows: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
    rows.sort();
    rows
}

/// What a row shows of its quasi-identifiers.
fn look(row: &str) -> &str {
    row.rsplit_once(',').unwrap().0
}

#[test]
fn cells_are_starred_record_by_record_and_proved() {
    for strategy in ["local-suppression", "simplex-matching"] {
        let folder = folder(TABLE);
        let more = ["--k", "2", "--strategy", strategy, "--private", "secret"];
        let report = published(&folder, &more);
        assert_eq!((&report["recoding"], &report["suppressed"]), (&"cells".into(), &0.into()));
        assert_eq!(report["attained"]["k-anonymity"], 2);
        let rows = rows(&folder, "out.csv");
        let looks: Vec<&str> = rows.iter().map(|row| look(row)).collect();
        assert_eq!(looks, ["*,a", "*,a", "30,a", "30,a", "50,b", "50,b"], "{strategy}");
        let verdict = folder.haggle(&["verify", "out.csv", "--k", "2", "--json"]).json(0);
        assert_eq!((&verdict["holds"], &verdict["groups"]), (&true.into(), &3.into()));
        folder.haggle(&["verify", "out.csv", ".", "--k", "3"]).printed(1);
        let assessed = folder.haggle(&["assess", "out.csv", "--json"]).json(0);
        assert_eq!(assessed["attained"]["k-anonymity"], 2);
        let manifest: Value =
            serde_json::from_slice(&folder.read("out.csv.manifest.json")).unwrap();
        assert_eq!(manifest["recoding"]["kind"], "cells");
        assert_eq!(manifest["recoding"]["patterns"].as_array().unwrap().len(), 3);
    }
}

/// A repeated publication has no groups to follow: a record takes the first pattern that it fits.
#[test]
fn a_policy_of_cells_is_repeated_by_patterns_and_proved_again() {
    let folder = folder(TABLE);
    published(&folder, &["--k", "2", "--strategy", "local-suppression", "--private", "secret"]);
    let again = ["publish", ".", "--policy", "secret/policy.json", "-o", "again.csv", "--json"];
    // The record of 41 fits *,a alone, where it would be the only one.
    let refused = folder.haggle(&again).json(1);
    assert_eq!(refused["suppressed"], 1, "{refused}");
    assert!(!folder.file("again.csv").exists());
    folder.write("table.csv", TABLE.replace("50,b,gout\n", "50,b,gout\n44,a,flu\n"));
    let report = folder.haggle(&again).json(0);
    assert_eq!((&report["suppressed"], &report["groups"]), (&0.into(), &3.into()));
    let rows = rows(&folder, "again.csv");
    assert_eq!(rows.iter().filter(|row| look(row) == "*,a").count(), 2);
}

#[test]
fn attributes_are_starred_by_their_weight() {
    let table = "age,town,disease\n30,a,flu\n30,b,gout\n41,a,flu\n41,b,cold\n";
    for (weights, kept) in [("lm:age=1,town=3", "*,a"), ("lm:age=3,town=1", "30,*")] {
        let folder = folder(table);
        published(&folder, &["--k", "2", "--strategy", "local-suppression", "--optimize", weights]);
        let rows = rows(&folder, "out.csv");
        assert!(rows.iter().any(|row| look(row) == kept), "{weights}: {rows:?}");
    }
}

/// Distinct 2-diversity, with values that decide which of several equal records go where.
#[test]
fn groups_of_cells_are_diverse_in_the_written_file() {
    let table = "age,town,disease\n30,a,flu\n30,a,flu\n30,a,flu\n41,a,gout\n50,b,gout\n50,b,flu\n52,b,flu\n";
    for strategy in ["two-diversity", "local-suppression"] {
        let folder = folder(table);
        let report = published(&folder, &["--l", "2", "--strategy", strategy]);
        assert_eq!(report["attained"]["distinct-l-diversity"], 2, "{strategy}");
        let verdict = folder.haggle(&["verify", "out.csv", "--l", "2", "--json"]).json(0);
        assert_eq!(verdict["holds"], true);
    }
}

#[test]
fn what_a_strategy_of_cells_cannot_do_is_refused() {
    let folder = folder(TABLE);
    let asked = |more: &[&str]| {
        let words = ["publish", ".", "-o", "out.csv", "--strategy"];
        folder.haggle(&[&words[..], more].concat())
    };
    let printed = asked(&["simplex-matching", "--k", "3"]).printed(2);
    assert!(printed.contains("k = 2 only"), "{printed}");
    let printed = asked(&["two-diversity", "--l", "3"]).printed(2);
    assert!(printed.contains("distinct 2-diversity only"), "{printed}");
    let many: String = (0..240).map(|i| format!("{i},{},flu\n", i % 7)).collect();
    folder.write("table.csv", format!("age,town,disease\n{many}"));
    let printed = asked(&["simplex-matching", "--k", "2"]).printed(2);
    assert!(printed.contains("at most 100 records, and here are 240"), "{printed}");
    assert!(!folder.file("out.csv").exists());
}

/// Every strategy in one table; those that answer one threshold only say so.
#[test]
fn cells_are_compared_with_other_recodings() {
    let folder = folder(TABLE);
    let strategies = "lattice,mondrian,local-suppression,simplex-matching,two-diversity";
    let words = ["compare", ".", "--k", "2", "--max-suppressed", "0", "--strategies", strategies];
    let compared = folder.haggle(&[&words[..], &["--measures", "redaction", "--json"]].concat());
    let compared = compared.json(0);
    let by = |id: &str| {
        let all = compared["strategies"].as_array().unwrap();
        all.iter().find(|one| one["strategy"] == id).unwrap().clone()
    };
    for id in ["local-suppression", "simplex-matching"] {
        let one = by(id);
        assert_eq!((&one["verified"], &one["proven"]), (&true.into(), &true.into()), "{one}");
        assert_eq!((&one["loss"]["redaction"], &one["groups"]), (&2.0.into(), &3.into()), "{one}");
    }
    assert!(by("two-diversity")["reason"].as_str().unwrap().contains("2-diversity"));
    let result = by("local-suppression")["result"].as_str().unwrap().to_owned();
    assert!(!result.is_empty());
}
