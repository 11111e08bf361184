//! Cuts, boxes and levels by part within the database: the same records as in a file, one by one.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::database::Census;

/// The records of some CSV, sorted, because a table has no order.
fn records(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let fields = |record: csv::StringRecord| record.iter().map(reported).collect();
    let mut all: Vec<Vec<String>> = reader.records().map(|r| fields(r.unwrap())).collect();
    all.sort();
    all
}

/// A field as both tell it: truth is `t` in a database, and `true` in a file.
fn reported(field: &str) -> String {
    match field {
        "t" => "true".into(),
        "f" => "false".into(),
        other => other.into(),
    }
}

/// Publishes the same into a file and into a table, and returns both results.
fn published(census: &Census, number: usize, args: &[&str]) -> (Value, Vec<Vec<String>>) {
    let file = census.folder.path().join(format!("{number}.csv"));
    let target = census.table.replace("adult", &format!("published_{number}"));
    let reported = census.json("publish", &[args, &["-o", file.to_str().unwrap()]].concat());
    let report = census.json("publish", &[args, &["--table", &target]].concat());
    for same in ["recoding", "result", "groups", "records", "suppressed", "starred", "attained"] {
        assert_eq!(report[same], reported[same], "{same} of {args:?}: {report}");
    }
    assert!(report["records"].as_u64() > Some(0), "{args:?}: {report}");
    let csv = std::fs::read_to_string(&file).unwrap();
    let expected = records(csv.split_once('\n').unwrap().1);
    let found =
        records(&census.sql(&format!("COPY (SELECT * FROM {target}) TO STDOUT (FORMAT csv)")));
    assert_eq!(found.len(), expected.len(), "{args:?}");
    let differs = found.iter().zip(&expected).find(|(found, expected)| found != expected);
    assert!(differs.is_none(), "{args:?}: {differs:?}");
    (report, found)
}

const KINDS: [(&str, &[&str]); 8] = [
    ("cuts", &["--qi", "race,sex,workclass", "--levels", "1,1,1", "--strategy", "k-optimize"]),
    ("cuts", &["--qi", "age,race,workclass", "--strategy", "top-down-specialization"]),
    ("boxes", &["--qi", "age,race,workclass", "--levels", "2,1,1", "--strategy", "mondrian"]),
    (
        "boxes",
        &["--qi", "age,race,workclass", "--levels", "2,1,1", "--strategy", "mondrian-median"],
    ),
    (
        "boxes",
        &["--qi", "age,race,workclass", "--levels", "2,1,1", "--strategy", "mondrian-relaxed"],
    ),
    ("boxes", &["--qi", "age,race,workclass", "--levels", "2,1,1", "--strategy", "m-instant"]),
    ("parts", &["--qi", "age,race,workclass", "--levels", "2,1,1", "--strategy", "refined"]),
    ("parts", &["--qi", "age,race,workclass", "--levels", "1,1,1", "--refine"]),
];

/// Missing values dropped and as values of their own; suppressed records left out, starred, flagged.
#[test]
fn every_recoding_makes_the_table_that_it_makes_a_file() {
    let mut suppressed: BTreeMap<&str, u64> = BTreeMap::new();
    let mut number = 0;
    for policy in ["drop", "value"] {
        let census = Census::of(10);
        let project = std::fs::read_to_string(census.path()).unwrap();
        let stated = format!("on_missing = \"{policy}\"");
        std::fs::write(census.path(), project.replace("on_missing = \"drop\"", &stated)).unwrap();
        for (kind, how) in KINDS {
            let asked: &[&str] = &["--k", "10", "--max-suppressed", "20%"];
            let outs: [&[&str]; 2] = [&[], &["--suppress", "star", "--flag", "gone"]];
            for out in outs {
                number += 1;
                let (report, found) = published(&census, number, &[how, asked, out].concat());
                assert_eq!(report["recoding"], kind, "{how:?}");
                let gone = report["suppressed"].as_u64().unwrap();
                *suppressed.entry(kind).or_default() += gone;
                if !out.is_empty() {
                    let flagged = found.iter().filter(|record| record.last().unwrap() == "true");
                    let starred = report["starred"].as_u64().unwrap();
                    assert_eq!(flagged.count() as u64, starred, "{how:?}");
                    assert_eq!(starred, if gone < 10 { 0 } else { gone }, "{how:?}");
                }
            }
        }
        let left = census.sql("SELECT count(*) FROM pg_class WHERE relname LIKE 'haggle%'");
        assert_eq!(left, "0", "nothing stays behind");
    }
    assert!(suppressed.values().all(|&gone| gone > 0), "{suppressed:?}");
}

/// Groups of the table, counted by the database itself.
#[test]
fn boxes_in_a_table_keep_their_promise() {
    let census = Census::of(1);
    let target = census.table.replace("adult", "boxes");
    let args = ["--qi", "age,race,workclass", "--k", "10", "--max-suppressed", "1%"];
    let more = ["--strategy", "mondrian", "--table", &target];
    let report = census.json("publish", &[&args[..], &more].concat());
    let sizes = census.sql(&format!(
        "SELECT min(n), sum(n), count(*) FROM (SELECT count(*) AS n FROM {target} GROUP BY age, race, workclass) g"
    ));
    let expected = [&report["attained"]["k-anonymity"], &report["records"], &report["groups"]];
    assert_eq!(sizes, expected.map(ToString::to_string).join("|"));
    assert!(report["attained"]["k-anonymity"].as_u64() >= Some(10));
}
