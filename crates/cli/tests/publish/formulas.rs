//! Text that spreadsheets take for formulas: counted, and marked as text where that is asked for.

use insta::assert_snapshot;
use serde_json::Value;

use crate::common::Folder;

/// A table whose values and one name look like formulas; `-5` and `+3.2e4` are plain numbers, and
/// `'=quoted` looks as if it had been marked already.
const TABLE: &str = "=age,@city,note,disease\n\
    -5,=HYPERLINK(1),plain,+3.2e4\n\
    -5,=HYPERLINK(1),'=quoted,flu\n\
    -5,=HYPERLINK(1),-2+3,=cmd\n\
    30-39,Bonn,'ordinary',-5\n\
    30-39,Bonn,x,=cmd\n\
    30-39,Bonn,x,flu\n";

fn folder() -> Folder {
    let attribute =
        |name: &str, role: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n");
    let project = format!(
        "[data]\npath = \"table.csv\"\nquote = \"\\\"\"\n{}{}{}{}",
        attribute("=age", "quasi-identifier"),
        attribute("@city", "quasi-identifier"),
        attribute("note", "sensitive"),
        attribute("disease", "sensitive")
    );
    Folder::with([("haggle.toml", project), ("table.csv", TABLE.into())])
}

const PUBLISH: [&str; 7] = ["publish", ".", "--k", "3", "--scheme", "0,0", "--json"];

/// Three times HYPERLINK, `-2+3`, twice `=cmd`, and the names of two columns.
const FORMULAS: u64 = 8;

fn rows(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let mut rows: Vec<Vec<String>> =
        reader.records().map(|r| r.unwrap().iter().map(String::from).collect()).collect();
    rows[1..].sort();
    rows
}

#[test]
fn formulas_are_counted_and_numbers_are_not() {
    let folder = folder();
    let report = folder.haggle(&[&PUBLISH[..], &["-o", "out.csv"]].concat()).json(0);
    assert_eq!(
        (&report["formulas"], &report["spreadsheet_safe"]),
        (&FORMULAS.into(), &false.into())
    );
    std::fs::remove_file(folder.file("publications.jsonl")).unwrap();
    let said = folder.haggle(&[&PUBLISH[..6], &["-o", "out.csv"]].concat());
    assert_snapshot!(said.printed(0), @"
    Published out.csv: 6 records under [0,0]; 0 records suppressed (0.00 %).
    Proved from the written file: k = 3 over =age, @city (promised k = 3); 0.00 % of the records (0) are unique over all published columns that are not sensitive.
    6 records in, 0 suppressed (0.00 %), 6 out.
    Unchanged: note, disease.
    Warning: 'note' is sensitive, and its values alone single people out: 6 of 6 records have a value that fewer than 3 share.
    Warning: 'disease' is sensitive, and its values alone single people out: 6 of 6 records have a value that fewer than 3 share.
    Public manifest: out.csv.manifest.json
    Note: 8 fields that spreadsheets take for formulas; --spreadsheet-safe writes a ' before them.
    Columns, with the records whose value is unique or is shared by fewer than 3 records:
      column   unique  fewer than 3    published
      =age          0             0  generalized
      @city         0             0  generalized
      note          4             6    unchanged
      disease       2             6    unchanged
    ");
    assert_eq!(rows(&folder.read("out.csv")), rows(TABLE.as_bytes()), "written as they are");
    let plain = Folder::people();
    let report =
        plain.haggle(&["publish", ".", "--k", "2", "--scheme", "1,1", "-o", "out.csv", "--json"]);
    assert_eq!(report.json(0)["formulas"], 0);
}

#[test]
fn formulas_are_marked_as_text_and_judged_as_they_were() {
    let folder = folder();
    let out = [
        "--spreadsheet-safe",
        "--privacy",
        "t-closeness:t=0.9,distance=equal,on=disease",
        "--private",
        "secret",
    ];
    let run = [&PUBLISH[..], &["-o", "out.csv"], &out].concat();
    let report = folder.haggle(&run).json(0);
    assert_eq!(
        (&report["formulas"], &report["spreadsheet_safe"]),
        (&FORMULAS.into(), &true.into())
    );
    let written = rows(&folder.read("out.csv"));
    assert_eq!(written[0], ["'=age", "'@city", "note", "disease"]);
    let formula =
        |field: &String| field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
    assert!(!written.iter().flatten().any(formula), "{written:?}");
    let fields: Vec<&str> = written.iter().flatten().map(String::as_str).collect();
    for kept in ["-5", "+3.2e4", "''=quoted", "'ordinary'", "'=cmd", "'-2+3"] {
        assert!(fields.contains(&kept), "{kept} of {fields:?}");
    }
    let manifest: Value = serde_json::from_slice(&folder.read("out.csv.manifest.json")).unwrap();
    assert_eq!(manifest["spreadsheet_safe"], true);
    assert_eq!(manifest["attributes"][0]["name"], "=age");
    // The promise is judged on the real values, by the file alone and against the project's data.
    for project in [&[][..], &["."]] {
        let asked =
            ["--k", "3", "--privacy", "t-closeness:t=0.9,distance=equal,on=disease", "--json"];
        let verdict = folder.haggle(&[&["verify", "out.csv"], project, &asked].concat()).json(0);
        assert_eq!(verdict["quasi_identifiers"], serde_json::json!(["=age", "@city"]));
        assert_eq!(verdict["attained"]["t-closeness"], report["attained"]["t-closeness"]);
    }
    // A policy repeats it.
    let again = ["publish", ".", "--policy", "secret/policy.json", "-o", "again.csv", "--json"];
    assert_eq!(folder.haggle(&again).json(0)["spreadsheet_safe"], true);
    assert_eq!(rows(&folder.read("again.csv")), written);
}

#[test]
fn parquet_is_marked_and_read_back_alike() {
    let folder = folder();
    let run = [&PUBLISH[..], &["-o", "out.parquet", "--spreadsheet-safe"]].concat();
    assert_eq!(folder.haggle(&run).json(0)["formulas"], FORMULAS);
    let verdict = folder.haggle(&["verify", "out.parquet", ".", "--k", "3", "--json"]).json(0);
    assert_eq!((&verdict["groups"], &verdict["records"]), (&2.into(), &6.into()));
}
