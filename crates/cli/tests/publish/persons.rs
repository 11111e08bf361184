//! One person, several records: groups are as large as they have different persons.

use insta::assert_snapshot;

use crate::common::Folder;

const PROJECT: &str = r#"[data]
path = "visits.csv"
unit = "patient"

[[attribute]]
name = "patient"
role = "identifier"

[[attribute]]
name = "ward"
role = "quasi-identifier"

[[attribute]]
name = "disease"
role = "sensitive"
"#;

/// Ward A: six visits of one patient. Ward B: three patients. Ward C: two patients, five visits.
const VISITS: &str = "patient,ward,disease\np1,A,flu\np1,A,flu\np1,A,gout\np1,A,flu\np1,A,flu\n\
p1,A,cold\np2,B,flu\np3,B,flu\np4,B,cold\np5,C,flu\np6,C,cold\np6,C,flu\np6,C,flu\np6,C,flu\n";

fn folder() -> Folder {
    Folder::with([("haggle.toml", PROJECT), ("visits.csv", VISITS)])
}

#[test]
fn histograms_and_answers_count_persons() {
    let folder = folder();
    let study = folder.haggle(&["study", ".", "--k", "2", "--scheme", "0", "--json"]).json(0);
    let bins: Vec<_> = study["bins"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| (b["value"].as_f64().unwrap(), b["records"].as_u64().unwrap()))
        .collect();
    assert_eq!(bins, [(1.0, 6), (2.0, 5), (3.0, 3)]);
    let ask = |k: &str, limit: &str| folder.answer(&[".", "--k", k, "--max-suppressed", limit]);
    assert_eq!(ask("2", "6")["exact"]["scheme"], serde_json::json!([0]));
    assert_eq!(ask("3", "6")["exact"]["scheme"], serde_json::json!([1]));
    assert_eq!(ask("6", "0")["exact"]["attained"]["k-anonymity"], 6, "six persons in all");
    assert_eq!(folder.answer(&[".", "--k", "7"])["exact"], serde_json::Value::Null);
}

#[test]
fn without_a_unit_records_are_counted_and_the_repeats_reported() {
    let folder = folder();
    folder.edit("haggle.toml", "unit = \"patient\"\n", "");
    let exact = folder.answer(&[".", "--k", "5", "--max-suppressed", "3"]);
    assert_eq!(exact["exact"]["scheme"], serde_json::json!([0]), "six records of one patient pass");
    assert_snapshot!(folder.haggle(&["check", "."]).printed(0), @r#"
    The project is valid: 14 records.
    Fields are separated by ',', columns named by the first record.

      attribute              role  values  levels             hierarchy
      ward       quasi-identifier       3  0 to 1  none: values, then *
      disease           sensitive       3       -                     -

    Note: 'patient' repeats: 14 records, 6 different values. If it names persons, say unit = "patient" under [data], because k records of one person do not hide that person.
    "#);
}

#[test]
fn a_publication_is_proved_in_persons_though_they_are_not_in_it() {
    let folder = folder();
    let arguments = ["publish", ".", "--k", "2", "--scheme", "0", "-o", "out.csv", "--json"];
    let report = folder.haggle(&arguments).json(0);
    assert_eq!((&report["records"], &report["suppressed"]), (&8.into(), &6.into()));
    assert_eq!(report["attained"]["k-anonymity"], 2);
    let text = String::from_utf8(folder.read("out.csv")).unwrap();
    assert!(!text.contains("p6") && !text.contains("A,"));
    let verify = folder.haggle(&["verify", "out.csv", ".", "--k", "2"]);
    assert_snapshot!(verify.printed(0), @"
    Yes: k = 2 holds; the weakest group has k = 3.
    8 records in 2 groups over ward.
    Counted in records, not in persons: the file does not have the column patient.
    Unique over all published columns that are not sensitive: 0 records (0.00 %).
    The file is the one that its manifest describes.
    ");
}

#[test]
fn a_file_with_the_persons_in_it_is_verified_in_persons() {
    let folder = folder();
    let verdict = folder.haggle(&["verify", "visits.csv", ".", "--k", "2", "--json"]).json(1);
    assert_eq!((&verdict["failing"], &verdict["attained"]["k-anonymity"]), (&6.into(), &1.into()));
    assert_eq!(verdict["unit"], "patient");
}

#[test]
fn the_lattice_file_keeps_no_name_of_a_person() {
    let folder = folder();
    folder.edit("visits.csv", "p6", "Rumpelstilzchen");
    folder.haggle(&["build", "."]).text();
    let bytes = folder.read("haggle.lattice");
    assert!(!bytes.windows(15).any(|window| window == b"Rumpelstilzchen"));
    let answer = folder.answer(&["haggle.lattice", "--k", "2", "--max-suppressed", "6"]);
    assert_eq!(answer["exact"]["scheme"], serde_json::json!([0]));
}
