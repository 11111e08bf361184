//! The record of publications as a file: which lines count, and which are refused.

use std::fs;

use haggle_model::{ErrorKind, Scheme};
use serde_json::json;
use tempfile::TempDir;

use super::*;

/// A folder with a project of its own, and the publications of it.
fn publications() -> (TempDir, Publications) {
    let folder = tempfile::tempdir().unwrap();
    let text = "[data]\npath = \"people.csv\"\n\
                [[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\n";
    let project = Project::from_text(text, folder.path()).unwrap();
    (folder, Publications::of(&project))
}

/// The publications as they were recorded.
fn records(publications: &Publications, memory: usize) -> Vec<Option<PublicationRecord>> {
    let mut records = Vec::new();
    publications.visit_records(memory, |record| records.push(record)).unwrap();
    records
}

fn decades() -> Recoding {
    Recoding::levels(Scheme::new([1]))
}

/// The line of a publication by this project file and of this data.
fn line(publications: &Publications, project: &str, data: &str, output: &str) -> String {
    let record = PublicationRecord {
        project: project.into(),
        data: vec![data.into()],
        output: output.into(),
        ..publications.record(decades())
    };
    serde_json::to_string(&record).unwrap()
}

/// Writes the file of publications.
fn write(publications: &Publications, lines: &[String]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(publications.path().unwrap(), text).unwrap();
}

#[test]
fn moments_are_written_as_others_write_them() {
    for (seconds, expected) in [
        (0, "1970-01-01T00:00:00Z"),
        (951_782_399, "2000-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (1_709_251_199, "2024-02-29T23:59:59Z"),
        (1_735_689_599, "2024-12-31T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
    ] {
        assert_eq!(utc(seconds), expected);
    }
}

#[test]
fn publications_of_the_same_project_file_or_the_same_data_are_listed() {
    let (_folder, publications) = publications();
    assert_eq!(publications.earlier().unwrap().1, 0, "there is no record yet");
    let line = |project, data, output| line(&publications, project, data, output);
    let lines = [
        line("haggle.toml", "people.csv", "both.csv"),
        line("haggle.toml", "others.csv", "project.csv"),
        String::new(),
        line("others.toml", "people.csv", "data.csv"),
        line("others.toml", "others.csv", "neither.csv"),
    ];
    write(&publications, &lines);
    let (earlier, all) = publications.earlier().unwrap();
    assert_eq!(all, 3);
    let outputs: Vec<&str> = earlier.iter().map(|earlier| earlier.output.as_str()).collect();
    assert_eq!(outputs, ["both.csv", "project.csv", "data.csv"]);
    assert_eq!(earlier[0].recoding.scheme, Some(Scheme::new([1])));
}

#[test]
fn a_line_that_cannot_be_read_is_refused_with_its_place() {
    let (_folder, publications) = publications();
    let good = line(&publications, "haggle.toml", "people.csv", "out.csv");
    for (bad, named) in [
        ("not a record".to_owned(), "not a record of a publication"),
        (json!({"project": "haggle.toml"}).to_string(), "not a record of a publication"),
        (json!({"version": 1, "project": "haggle.toml"}).to_string(), "not a record"),
        (json!({"version": 99}).to_string(), "version 99"),
    ] {
        write(&publications, &[good.clone(), String::new(), bad]);
        let error = publications.earlier().unwrap_err();
        let is_newer = named.starts_with("version");
        let kind = if is_newer { ErrorKind::Unsupported } else { ErrorKind::BadInput };
        assert_eq!(error.kind(), kind);
        let why = error.to_string();
        assert!(why.contains("publications.jsonl:3") && why.contains(named), "{why}");
    }
}

#[test]
fn a_record_of_which_parts_are_unknown_counts_without_them() {
    let (_folder, publications) = publications();
    let good = line(&publications, "haggle.toml", "people.csv", "out.csv");
    let partial = json!({"version": 1, "project": "haggle.toml"}).to_string();
    write(&publications, &[good, partial]);
    let outputs: Vec<Option<String>> =
        records(&publications, usize::MAX).into_iter().map(|one| one.map(|r| r.output)).collect();
    assert_eq!(outputs, [Some("out.csv".to_owned()), None]);
}

#[test]
fn a_publication_is_listed_once_its_transaction_is_committed() {
    let (folder, publications) = publications();
    let record = publications.record(decades());
    let mut transaction = Transaction::begin(&folder.path().join("out.csv")).unwrap();
    let path = publications.add(&mut transaction, &record).unwrap();
    assert_eq!(path, folder.path().join(NAME));
    assert!(records(&publications, usize::MAX).is_empty());
    transaction.commit().unwrap();
    assert_eq!(records(&publications, usize::MAX), [Some(record)]);
}

#[test]
fn no_two_records_are_the_same() {
    let (_folder, publications) = publications();
    assert_ne!(publications.record(decades()).id, publications.record(decades()).id);
}

#[test]
fn the_newest_are_listed_and_all_are_counted() {
    let (_folder, publications) = publications();
    let one = |i: usize| line(&publications, "haggle.toml", "people.csv", &format!("{i}.csv"));
    let lines: Vec<String> = (0..LISTED + 2).map(one).collect();
    write(&publications, &lines);
    let (earlier, all) = publications.earlier().unwrap();
    assert_eq!((earlier.len(), all), (LISTED, LISTED as u64 + 2));
    assert_eq!((&*earlier[0].output, &*earlier[LISTED - 1].output), ("2.csv", "1001.csv"));
}

#[test]
fn a_record_that_takes_too_much_memory_is_not_read() {
    let (_folder, publications) = publications();
    let good = line(&publications, "haggle.toml", "people.csv", "out.csv");
    write(&publications, std::slice::from_ref(&good));
    let enough = good.len() * READ_BYTES;
    assert!(records(&publications, enough)[0].is_some());
    assert!(records(&publications, enough - 1)[0].is_none());
}

#[test]
fn groups_are_recorded_with_every_value_once() {
    let (_folder, publications) = publications();
    let shown = |age: &str, sex: &str| vec![age.to_owned(), sex.to_owned()];
    let count = |records, values| GroupCount { records, values };
    let groups = ShownGroups::from([
        (shown("30-39", "f"), count(2, 5)),
        (shown("30-39", "m"), count(3, u64::MAX)),
        (shown("40-49", "f"), count(4, 1)),
    ]);
    let counts = GroupCounts::from_groups(&groups, 2, vec!["disease".into()]);
    let record = PublicationRecord { groups: counts, ..publications.record(decades()) };
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(text.matches("30-39").count(), 1);
    let read: PublicationRecord = serde_json::from_str(&text).unwrap();
    assert_eq!(read, record);
    let counts = read.groups.unwrap();
    assert_eq!(counts.over(&[0, 1]), Some(groups));
    let by_age = ShownGroups::from([
        (vec!["30-39".to_owned()], count(5, 4)),
        (vec!["40-49".to_owned()], count(4, 1)),
    ]);
    assert_eq!(counts.over(&[0]), Some(by_age));
    assert_eq!(counts.over(&[2]), None, "there is no third attribute");
}
