//! The order of the published records tells nothing of the order of the table.

use insta::assert_snapshot;
use serde_json::Value;

use crate::common::Folder;

const THREE: [&str; 7] =
    ["publish", "demo:adult", "--qi", "age,race,workclass", "--k", "10", "--json"];

/// Publishes Adult under a scheme; the lines of the file, without its header.
fn lines(folder: &Folder, output: &str, more: &[&str]) -> (Value, Vec<String>) {
    let run = [&THREE[..], &["--scheme", "1,1,0", "-o", output], more].concat();
    let report = folder.haggle(&run).json(0);
    let text = String::from_utf8(folder.read(output)).unwrap();
    (report, text.lines().skip(1).map(String::from).collect())
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

#[test]
fn records_are_written_in_a_random_order_by_default() {
    let folder = Folder::empty();
    let (report, one) = lines(&folder, "one.csv", &["--private", "secret"]);
    let (_, two) = lines(&folder, "two.csv", &["--shuffle"]);
    let (kept, table) = lines(&folder, "kept.csv", &["--keep-order"]);
    assert_eq!((&report["order"], &kept["order"]), (&"random".into(), &"kept".into()));
    let same = |a: &[String], b: &[String]| a.iter().zip(b).filter(|(a, b)| a == b).count();
    for (a, b) in [(&one, &two), (&one, &table), (&two, &table)] {
        assert!(same(a, b) < a.len() / 20, "{} of {} lines keep their place", same(a, b), a.len());
    }
    assert!(sorted(one) == sorted(table.clone()) && sorted(two) == sorted(table));
    // The seed is the curator's alone.
    let secret: Value = serde_json::from_slice(&folder.read("secret/policy.json")).unwrap();
    let seed = secret["seed"].as_u64().expect("the private manifest has the seed").to_string();
    for reported in [folder.read("one.csv.manifest.json"), report.to_string().into_bytes()] {
        assert!(!String::from_utf8(reported).unwrap().contains(&seed));
    }
    let (_, again) = lines(&folder, "again.csv", &["--seed", &seed]);
    assert!(folder.read("again.csv") == folder.read("one.csv"), "{} records", again.len());
}

#[test]
fn keeping_the_order_says_what_it_risks() {
    let folder = Folder::people();
    let publish = ["publish", ".", "--k", "2", "--scheme", "1,1", "-o", "out.csv"];
    let run = folder.haggle(&[&publish[..], &["--keep-order"]].concat());
    assert_snapshot!(run.printed(0));
    let random = Folder::people().haggle(&publish);
    assert_snapshot!(random.printed(0), @"
    Published out.csv: 4 records under [1,1]; 0 records suppressed (0.00 %).
    Proved from the written file: k = 2 over age, sex (promised k = 2); 0.00 % of the records (0) are unique over all published columns that are not sensitive.
    4 records in, 0 suppressed (0.00 %), 4 out.
    Unchanged: disease.
    Dropped: name, because it is an identifier.
    Warning: 'disease' is sensitive, and its values alone single people out: 2 of 4 records have a value that fewer than 2 share.
    Public manifest: out.csv.manifest.json
    Columns, with the records whose value is unique or is shared by fewer than 2 records:
      column   unique  fewer than 2    published
      name          4             4      dropped
      age           0             0  generalized
      sex           0             0  generalized
      disease       2             2    unchanged
    ");
    for both in [["--keep-order", "--shuffle"], ["--keep-order", "--seed=1"]] {
        assert_eq!(folder.haggle(&[&publish[..], &both].concat()).code, Some(2), "{both:?}");
    }
}
