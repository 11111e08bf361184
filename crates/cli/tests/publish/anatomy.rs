//! Two tables that are joined by group: quasi-identifiers as recorded, and the values of each group.

use std::collections::{BTreeMap, BTreeSet};

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{Folder, holds};

/// The project of persons with a ward.
fn project() -> String {
    format!("{}\n[[attribute]]\nname = \"ward\"\nrole = \"insensitive\"\n", crate::publish::PERSONS)
}

/// Nine persons; the ward tells nothing of the disease.
const TABLE: &str = "age,town,disease,ward\n\
    30,a,flu,n\n31,a,flu,n\n32,b,flu,n\n33,b,gout,n\n34,c,gout,n\n\
    35,c,gout,n\n36,d,cold,n\n37,d,cold,n\n38,e,asthma,n\n";

fn folder(table: &str) -> Folder {
    Folder::with([("haggle.toml", project().as_str()), ("table.csv", table)])
}

fn anatomy(folder: &Folder, more: &[&str]) -> crate::common::Run {
    folder.haggle(&[&["publish", ".", "--anatomy", "-o", "out.csv"], more].concat())
}

/// The records of a file, and its header.
fn rows(folder: &Folder, name: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let text = String::from_utf8(folder.read(name)).unwrap();
    let row = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut rows: Vec<Vec<String>> = text.lines().map(row).collect();
    (rows.remove(0), rows)
}

/// The files in a folder.
fn files(folder: &Folder) -> BTreeSet<String> {
    let names = std::fs::read_dir(folder.path()).unwrap();
    names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn two_tables_are_written_and_proved_from_both_files() {
    let folder = folder(TABLE);
    let printed = anatomy(&folder, &["--l", "3"]).printed(0);
    assert_snapshot!(printed, @"
    Published out.csv and out.sensitive.csv: 9 records in 3 groups by anatomy; 0 records suppressed (0.00 %).
    Proved from the written files, joined by group: l = 3 of disease (promised l = 3).
    Published exactly, so that no k is promised: age, town; 100.00 % of the records (9) are unique over all published columns that are not sensitive.
    9 records in, 0 suppressed (0.00 %), 9 out.
    Unchanged: age, town.
    Dropped: disease, because it is sensitive, and quasi-identifiers are published exactly.
    Dropped: ward, because together with the quasi-identifiers it singles out too many: 9 of 9 records have values that fewer than 5 share. To publish it anyway: --as-recorded ward
    Warning: 100.00 % of the records (9) are unique over all published columns that are not sensitive: whoever knows these columns of a person finds that person's record, whatever is promised over the quasi-identifiers.
    Public manifest: out.csv.manifest.json
    Columns, with the records whose value is unique or is shared by fewer than 5 records:
      column   unique  fewer than 5  published
      age           9             9  unchanged
      town          1             9  unchanged
      disease       1             9    dropped
      ward          0             0    dropped
    ");
    let (names, records) = rows(&folder, "out.csv");
    assert_eq!(names, ["age", "town", "group"]);
    let (names, counts) = rows(&folder, "out.sensitive.csv");
    assert_eq!(names, ["group", "disease", "count"]);
    let ages: BTreeSet<&str> = records.iter().map(|record| record[0].as_str()).collect();
    assert_eq!(ages.len(), 9, "quasi-identifiers are as recorded");

    // What both files say together, without haggle.
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    for record in &records {
        *sizes.entry(&record[2]).or_default() += 1;
    }
    let mut values: BTreeMap<&str, (BTreeSet<&str>, u64)> = BTreeMap::new();
    for row in &counts {
        let group = values.entry(&row[0]).or_default();
        assert!(group.0.insert(&row[1]), "each value once");
        group.1 += row[2].parse::<u64>().unwrap();
    }
    assert_eq!(sizes.len(), values.len());
    for (group, size) in sizes {
        assert!(values[group].1 == size && values[group].0.len() >= 3, "{group}");
    }
    let flu: u64 =
        counts.iter().filter(|row| row[1] == "flu").map(|row| row[2].parse::<u64>().unwrap()).sum();
    assert_eq!(flu, 3, "every record is there");
}

#[test]
fn verify_joins_the_tables_and_judges_sizes_by_what_is_exact() {
    let folder = folder(TABLE);
    let report = anatomy(&folder, &["--l", "2", "--json"]).json(0);
    let expected = json!({"recoding": "anatomy", "records": 9, "suppressed": 0,
        "anatomy": {"attribute": "disease", "group": "group", "exact": ["age", "town"]}});
    assert!(holds(&report, &expected), "{report}");
    let verify = |asked: &[&str], code: i32| {
        folder.haggle(&[&["verify", "out.csv", "--json"], asked].concat()).json(code)
    };
    assert_eq!(verify(&["--l", "2"], 0)["holds"], true);
    assert_eq!(verify(&["--privacy", "frequency-l-diversity=2"], 0)["holds"], true);
    let with_project = folder.haggle(&["verify", "out.csv", ".", "--l", "2", "--json"]).json(0);
    assert_eq!(with_project["anatomy"]["file"], "out.sensitive.csv");
    let sizes = verify(&["--k", "2"], 1);
    assert_eq!(sizes["attained"]["k-anonymity"], 1, "no k is promised: everybody is shown exactly");
    let assessed = folder.haggle(&["assess", "out.csv", "--json"]).json(0);
    assert_eq!((&assessed["attained"]["k-anonymity"], &assessed["unique"]), (&1.into(), &9.into()));
    assert!(
        assessed["attained"]["distinct-l-diversity:on=disease"].as_f64().unwrap() >= 2.0,
        "{assessed}"
    );
    let manifest: Value = serde_json::from_slice(&folder.read("out.csv.manifest.json")).unwrap();
    assert_eq!(manifest["anatomy"]["exact"], json!(["age", "town"]));
    assert!(manifest["guarantees"]["k-anonymity"].is_null());
    let risk = folder.haggle(&["risk", "out.csv"]).printed(2);
    assert!(risk.contains("in two tables"), "{risk}");
}

#[test]
fn a_changed_table_of_values_is_found() {
    let folder = folder(TABLE);
    anatomy(&folder, &["--l", "2"]).printed(0);
    let counts = String::from_utf8(folder.read("out.sensitive.csv")).unwrap();
    folder.write("out.sensitive.csv", counts.replace("asthma", "cancer"));
    let verdict = folder.haggle(&["verify", "out.csv", "--l", "2", "--json"]).json(1);
    assert_eq!(verdict["manifest_matches"], false);
    let fewer: Vec<&str> = counts.lines().take(counts.lines().count() - 1).collect();
    folder.write("out.sensitive.csv", fewer.join("\n") + "\n");
    let printed = folder.haggle(&["verify", "out.csv", "--l", "2"]).printed(2);
    assert!(printed.contains("do not fit together"), "{printed}");
    std::fs::remove_file(folder.file("out.sensitive.csv")).unwrap();
    folder.haggle(&["verify", "out.csv", "--l", "2"]).printed(2);
}

#[test]
fn what_anatomy_cannot_promise_is_refused_and_nothing_stays_behind() {
    let folder = folder(TABLE);
    let before = files(&folder);
    let refused = |more: &[&str], code: i32, words: &str| {
        let printed = anatomy(&folder, more).printed(code);
        assert!(printed.contains(words), "{more:?}: {printed}");
        assert_eq!(files(&folder), before, "{more:?}");
    };
    refused(&["--k", "2"], 2, "k-anonymity cannot be promised");
    refused(&["--k", "2", "--l", "2"], 2, "k-anonymity cannot be promised");
    refused(&["--l", "4"], 1, "a sensitive value is too frequent");
    refused(&["--l", "2", "--levels", "1,1"], 2, "no effect");
    refused(&["--l", "2", "--flag", "gone"], 2, "no effect");
    refused(&["--l", "2", "--suppress", "star"], 2, "no effect");
    refused(&["--l", "2", "--as-recorded", "disease"], 2, "next to quasi-identifiers");
    folder.write("out.sensitive.csv", "not ours\n");
    let printed = anatomy(&folder, &["--l", "2"]).printed(2);
    assert!(printed.contains("out.sensitive.csv"), "{printed}");
    assert_eq!(folder.read("out.sensitive.csv"), b"not ours\n");
    assert!(!folder.file("out.csv").exists());
}

/// The thresholds of a project stay: its k must be left out by name.
#[test]
fn the_k_of_a_project_must_be_left_out_explicitly() {
    let project = format!("{}\n[request]\nk = 2\n", project());
    let folder = Folder::with([("haggle.toml", project.as_str()), ("table.csv", TABLE)]);
    let printed = anatomy(&folder, &["--l", "2"]).printed(2);
    assert!(printed.contains("k-anonymity cannot be promised"), "{printed}");
    anatomy(&folder, &["--l", "2", "--only"]).printed(0);
}

/// A column that determines the sensitive value would join what was separated.
#[test]
fn a_column_that_determines_the_sensitive_value_is_dropped() {
    let diseases = ["flu", "gout", "cold"];
    let row = |i: usize| format!("{},t{},{},drug{}\n", 20 + i % 40, i % 9, diseases[i % 3], i % 3);
    let table: String = (0..120).map(row).collect();
    let folder = folder(&format!("age,town,disease,ward\n{table}"));
    anatomy(&folder, &["--l", "3"]).printed(0);
    assert_eq!(rows(&folder, "out.csv").0, ["age", "town", "group"]);
}

#[test]
fn a_later_publication_in_one_table_removes_the_table_of_values() {
    let folder = folder(TABLE);
    let printed = anatomy(&folder, &["--l", "2", "--private", "secret"]).printed(0);
    assert!(printed.contains("secret/policy.json"), "{printed}");
    anatomy(&folder, &["--l", "3"]).printed(0);
    let again = ["publish", ".", "--policy", "secret/policy.json", "-o", "again.csv"];
    folder.haggle(&again).printed(0);
    assert!(folder.file("again.sensitive.csv").exists(), "it is repeated in two tables");
    folder.haggle(&["publish", ".", "--k", "2", "-o", "out.csv"]).printed(0);
    assert!(folder.file("out.csv").exists() && !folder.file("out.sensitive.csv").exists());
    folder.haggle(&["verify", "out.csv", "--k", "2"]).printed(0);
}

/// 000, figure 6.1: the persons of table (a), each in one group, and the values of table (b) in all
/// groups together. The groups differ: all values of a group are different here.
#[test]
fn the_table_of_figure_6_1_is_anatomized() {
    let persons = [
        ("39,Private,Hs-grad", "40"),
        ("38,Private,Hs-grad", "50"),
        ("37,Private,Hs-grad", "40"),
        ("38,Private,11th", "45"),
        ("28,Loc-gov,Bachelors", "30"),
        ("31,Federal-gov,Master", "50"),
        ("30,State-gov,Bachelors", "60"),
        ("32,Self-emp-not-inc,Bachelors", "50"),
        ("35,Self-emp-inc,Prof-school", "54"),
        ("33,Self-emp-inc,Assoc-acd", "40"),
    ];
    let table: String = persons.iter().map(|(qi, hours)| format!("{qi},{hours}\n")).collect();
    let attribute =
        |name: &str, role: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n");
    let roles = ["age", "work_class", "education"].map(|name| attribute(name, "quasi-identifier"));
    let project = format!(
        "[data]\npath = \"table.csv\"\n{}{}",
        roles.concat(),
        attribute("hours", "sensitive")
    );
    let table = format!("age,work_class,education,hours\n{table}");
    let folder = Folder::with([("haggle.toml", project), ("table.csv", table)]);
    anatomy(&folder, &["--l", "3"]).printed(0);
    let (_, records) = rows(&folder, "out.csv");
    let shown: BTreeSet<String> = records.iter().map(|record| record[..3].join(",")).collect();
    assert_eq!(shown, persons.iter().map(|(qi, _)| (*qi).to_owned()).collect());
    let (_, counts) = rows(&folder, "out.sensitive.csv");
    let mut hours: BTreeMap<&str, u64> = BTreeMap::new();
    for row in &counts {
        *hours.entry(&row[1]).or_default() += row[2].parse::<u64>().unwrap();
    }
    let printed = [("30", 1), ("40", 3), ("45", 1), ("50", 3), ("54", 1), ("60", 1)];
    assert_eq!(hours, BTreeMap::from(printed));
    anatomy(&folder, &["--l", "4"]).printed(1);
}

/// Several records of a person are no different persons, and groups are counted in records.
#[test]
fn a_project_that_counts_persons_is_refused() {
    let project =
        project().replace("path = \"table.csv\"\n", "path = \"table.csv\"\nunit = \"ward\"\n");
    let project = project.split("[[attribute]]\nname = \"ward\"").next().unwrap().to_owned();
    let folder = Folder::with([("haggle.toml", project.as_str()), ("table.csv", TABLE)]);
    let printed = anatomy(&folder, &["--l", "2"]).printed(2);
    assert!(printed.contains("counts persons"), "{printed}");
}
