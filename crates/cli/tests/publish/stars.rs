//! Suppressed records that are kept with stars are a group, and keep the promise as one.

use std::fmt::Write;

use insta::assert_snapshot;
use serde_json::Value;

use crate::common::Folder;

/// Twenty groups of twenty records each, and outliers that look like no other record.
fn clinic(outliers: &[&str]) -> Folder {
    let mut table = String::from("age,city,disease\n");
    for i in 0..400 {
        let disease = ["flu", "cold", "gout", "asthma"][i / 20 % 4];
        writeln!(table, "{},c{},{disease}", 20 + i % 20, i % 20).unwrap();
    }
    for (i, disease) in outliers.iter().enumerate() {
        writeln!(table, "{},c{},{disease}", 70 + i, 90 + i).unwrap();
    }
    let attribute =
        |name: &str, role: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n");
    let project = format!(
        "[data]\npath = \"table.csv\"\n{}{}{}",
        attribute("age", "quasi-identifier"),
        attribute("city", "quasi-identifier"),
        attribute("disease", "sensitive")
    );
    Folder::with([("haggle.toml", project), ("table.csv", table)])
}

const STAR: [&str; 8] = ["publish", ".", "--scheme", "0,0", "--suppress", "star", "-o", "out.csv"];

fn text(folder: &Folder) -> String {
    String::from_utf8(folder.read("out.csv")).unwrap()
}

#[test]
fn an_outlier_is_dropped_rather_than_published_alone_with_stars() {
    let folder = clinic(&["AIDS"]);
    let run = folder.haggle(&[&STAR[..], &["--k", "20", "--private", "secret"]].concat());
    assert_snapshot!(run.printed(0), @"
    Published out.csv: 400 records under [0,0]; 1 record suppressed (0.25 %).
    Proved from the written file: k = 20 over age, city (promised k = 20).
    401 records in, 1 suppressed (0.25 %), 400 out.
    Note: the suppressed records were dropped, not kept with *: as a group of their own they fail k-anonymity.
    Unchanged: disease.
    Unique over all published columns that are not sensitive: 0 records (0.00 %).
    Public manifest: out.csv.manifest.json
    Private manifest: secret/policy.json (keep it secret)
    Columns, with the records whose value is unique or is shared by fewer than 20 records:
      column   unique  fewer than 20    published
      age           0              0  generalized
      city          0              0  generalized
      disease       0              0    unchanged
    ");
    assert!(!text(&folder).contains("AIDS") && !text(&folder).contains('*'));
    let report = folder.haggle(&[&STAR[..], &["--k", "20", "--json"]].concat()).json(0);
    assert_eq!((&report["records"], &report["suppressed"]), (&400.into(), &1.into()));
    assert_eq!(
        (&report["starred"], &report["stars_failed"][0]),
        (&0.into(), &"k-anonymity".into())
    );
    let secret: Value = serde_json::from_slice(&folder.read("secret/policy.json")).unwrap();
    assert_eq!((&secret["suppress"], &secret["starred"]), (&"star".into(), &0.into()));
    assert_eq!(secret["stars_failed"][0], "k-anonymity");
}

#[test]
fn stars_are_kept_where_they_are_a_crowd_and_verify_judges_them() {
    let folder = clinic(&["flu", "cold", "gout", "flu"]);
    let report = folder.haggle(&[&STAR[..], &["--k", "4", "--json"]].concat()).json(0);
    assert_eq!((&report["records"], &report["starred"]), (&404.into(), &4.into()));
    assert_eq!(report["attained"]["k-anonymity"], 4, "the starred records are the weakest group");
    assert!(report["stars_failed"].is_null());
    let verify = |asked: &[&str], code: i32| {
        folder.haggle(&[&["verify", "out.csv", "--json"], asked].concat()).json(code)
    };
    assert_eq!(verify(&["--k", "4", "--l", "3"], 0)["starred"], 4);
    let no = verify(&["--k", "5"], 1);
    assert_eq!((&no["failing"], &no["attained"]["k-anonymity"]), (&4.into(), &4.into()));
    assert_eq!((&no["groups"], &no["records"]), (&20.into(), &404.into()));
    assert_eq!(verify(&["--l", "4"], 1)["failing"], 4);
    let found = folder.haggle(&["assess", "out.csv", "--json"]).json(0);
    assert_eq!((&found["under_five"], &found["highest_risk"]), (&4.into(), &0.25.into()));
}

#[test]
fn every_model_of_the_request_judges_the_stars() {
    let folder = clinic(&["flu", "flu", "flu", "flu"]);
    let publish = |privacy: &[&str]| {
        let report = folder.haggle(&[&STAR[..], privacy, &["--json"]].concat()).json(0);
        (report["starred"].as_u64().unwrap(), report["stars_failed"].clone())
    };
    assert_eq!(publish(&["--k", "4"]), (4, Value::Null));
    assert_eq!(publish(&["--k", "4", "--l", "2"]).1, serde_json::json!(["distinct-l-diversity"]));
    let close = ["--k", "4", "--privacy", "t-closeness:t=0.5,distance=equal"];
    assert_eq!(publish(&close).1, serde_json::json!(["t-closeness"]), "against the input's spread");
    let both = ["--k", "5", "--privacy", "frequency-l-diversity=2"];
    assert_eq!(publish(&both).1, serde_json::json!(["k-anonymity", "frequency-l-diversity"]));
    // A file from elsewhere may have them all the same.
    let text = text(&folder);
    folder.write("other.csv", format!("{text}*,*,flu\n*,*,flu\n"));
    let verify = ["verify", "other.csv", ".", "--l", "2", "--json"];
    assert_eq!(folder.haggle(&verify).json(1)["failing"], 2);
}

#[test]
fn stars_are_counted_in_persons_where_persons_are() {
    let folder = clinic(&["flu", "cold", "gout", "flu"]);
    // The four outliers are visits of one person.
    let table = String::from_utf8(folder.read("table.csv")).unwrap();
    let person = |(i, line): (usize, &str)| match i {
        0 => format!("pid,{line}\n"),
        _ => format!("p{},{line}\n", i.min(401)),
    };
    folder.write("table.csv", table.lines().enumerate().map(person).collect::<String>());
    folder.edit("haggle.toml", "[data]\n", "[data]\nunit = \"pid\"\n");
    let pid = "[[attribute]]\nname = \"pid\"\nrole = \"identifier\"\n";
    let project = String::from_utf8(folder.read("haggle.toml")).unwrap();
    folder.write("haggle.toml", format!("{project}{pid}"));
    let report = folder.haggle(&[&STAR[..], &["--k", "2", "--json"]].concat()).json(0);
    assert_eq!((&report["suppressed"], &report["starred"]), (&4.into(), &0.into()));
    assert_eq!(report["stars_failed"][0], "k-anonymity");
    let table = String::from_utf8(folder.read("table.csv")).unwrap();
    folder.write("table.csv", table.replacen("p401,7", "p402,7", 1));
    let report = folder.haggle(&[&STAR[..], &["--k", "2", "--json"]].concat()).json(0);
    assert_eq!((&report["starred"], &report["attained"]["k-anonymity"]), (&4.into(), &2.into()));
}

#[test]
fn a_policy_judges_the_stars_of_the_new_data() {
    let folder = clinic(&["flu", "cold", "gout", "flu"]);
    let first = [&STAR[..], &["--k", "4", "--private", "secret", "--json"]].concat();
    assert_eq!(folder.haggle(&first).json(0)["starred"], 4);
    let table = String::from_utf8(folder.read("table.csv")).unwrap();
    folder.write("table.csv", table.replacen("73,c93,flu\n", "", 1));
    let again = ["publish", ".", "--policy", "secret/policy.json", "-o", "out.csv", "--json"];
    let report = folder.haggle(&again).json(0);
    assert_eq!((&report["records"], &report["suppressed"]), (&400.into(), &3.into()));
    assert_eq!(report["stars_failed"][0], "k-anonymity");
}

#[test]
fn boxes_and_cuts_judge_their_stars() {
    for strategy in ["mondrian", "top-down-specialization"] {
        let folder = clinic(&["AIDS", "AIDS"]);
        let asked =
            ["--k", "20", "--levels", "0,0", "--max-suppressed", "5%", "--strategy", strategy];
        let fixed = ["publish", ".", "--suppress", "star", "-o", "out.csv", "--json"];
        let run = folder.haggle(&[&fixed[..], &asked].concat());
        if run.code == Some(1) {
            continue; // a strategy need not find anything
        }
        let report = run.json(0);
        assert_eq!(report["starred"], 0, "{strategy}: {report}");
        assert!(!text(&folder).contains("*,*"), "{strategy}");
    }
}
