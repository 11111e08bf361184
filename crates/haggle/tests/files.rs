//! Projects whose data is several files, in other letters, or in another format.

use std::fs;
use std::path::Path;

use haggle::{Engine, Options, Project, Silent};
use haggle_testkit::{redacted, titled};
use insta::assert_snapshot;
use tempfile::TempDir;

const ATTRIBUTES: &str = r#"
[[attribute]]
name = "city"
role = "quasi-identifier"
hierarchy = "city.csv"

[[attribute]]
name = "sex"
role = "quasi-identifier"

[[attribute]]
name = "disease"
role = "sensitive"
"#;

const HEADER: &str = "name,city,sex,disease\n";
const RECORDS: [&str; 6] = [
    "Ada,Köln,f,flu\n",
    "Bea,Köln,f,gout\n",
    "Cid,Ulm,m,flu\n",
    "Dan,Ulm,m,flu\n",
    "Eve,Münster,f,flu\n",
    "Fay,Münster,f,gout\n",
];

/// A project with this `[data]` section and these files.
fn project(data: &str, files: &[(&str, Vec<u8>)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("haggle.toml", format!("[data]\n{data}\n{ATTRIBUTES}").as_bytes());
    write("city.csv", "Köln;west\nMünster;west\nUlm;south\n".as_bytes());
    for (name, bytes) in files {
        write(name, bytes);
    }
    folder
}

fn open(folder: &Path) -> Result<Project, haggle::Error> {
    Project::open(folder.to_str().expect("a plain path"))
}

fn engine(folder: &TempDir) -> Engine {
    let opened =
        open(folder.path()).and_then(|project| Engine::open(&project, &Options::default()));
    opened.unwrap_or_else(|error| panic!("{error}"))
}

fn refused(folder: &TempDir) -> String {
    let opened =
        open(folder.path()).and_then(|project| Engine::open(&project, &Options::default()));
    shown(folder, &opened.map(drop).unwrap_err().to_string())
}

/// A message for a snapshot.
fn shown(folder: &TempDir, message: &str) -> String {
    redacted(message, &[(folder.path().to_str().unwrap(), "folder")])
}

fn part(records: &[&str]) -> Vec<u8> {
    format!("{HEADER}{}", records.concat()).into_bytes()
}

/// In windows-1252, where every letter that we use is one byte as in Unicode.
fn latin(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text).chars().map(|letter| letter as u8).collect()
}

fn parts() -> [(&'static str, Vec<u8>); 3] {
    [
        ("part-1.csv", part(&RECORDS[..1])),
        ("part-2.csv", part(&RECORDS[1..4])),
        ("part-3.csv", String::from_utf8(part(&RECORDS[4..])).unwrap().replace(',', ";").into()),
    ]
}

#[test]
fn one_table_however_its_files_are_named() {
    let whole = engine(&project("path = \"all.csv\"", &[("all.csv", part(&RECORDS))]));
    let other = [
        project("path = \"part-*.csv\"", &parts()),
        project("path = [\"part-1.csv\", \"part-[23].csv\"]", &parts()),
        project(
            "path = \"all.txt\"\nencoding = \"windows-1252\"",
            &[("all.txt", latin(&part(&RECORDS)))],
        ),
    ];
    for folder in other {
        assert!(engine(&folder).cube() == whole.cube());
        let report = haggle::setup::check(&open(folder.path()).unwrap(), &Silent).unwrap();
        assert_eq!(report.records, 6);
        assert_eq!(report.files, engine_files(&folder));
    }
}

/// How many files the table has.
fn engine_files(folder: &TempDir) -> usize {
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let data = |name: &std::ffi::OsString| {
        let name = name.to_string_lossy();
        name.starts_with("part-") || name.starts_with("all")
    };
    names.filter(data).count()
}

#[test]
fn a_value_that_no_hierarchy_covers_is_found_in_its_file() {
    let mut files = parts().to_vec();
    files[1].1.extend_from_slice("Gus,Bonn,m,flu\n".as_bytes());
    let said = refused(&project("path = \"part-*.csv\"", &files));
    assert_snapshot!(said, @"
    [folder]/part-2.csv:5: the hierarchy of 'city' does not cover 'Bonn', first on this line
        fix: add a row for each to [folder]/city.csv, or declare it as missing
    ");
}

#[test]
fn a_file_more_is_a_change_of_the_data() {
    let folder = project("path = \"part-*.csv\"", &parts());
    engine(&folder).save(&folder.path().join("haggle.lattice")).unwrap();
    assert_eq!(engine(&folder).notice(), None);
    fs::write(folder.path().join("part-4.csv"), part(&RECORDS[..2])).unwrap();
    let renewed = engine(&folder);
    assert_snapshot!(shown(&folder, renewed.notice().unwrap()), @"[folder]/haggle.lattice is not used: the data changed; build the lattice again");
    assert_eq!(renewed.records(), 8);
}

#[test]
fn what_cannot_be_meant_is_refused_at_its_line() {
    let all = [("all.csv", part(&RECORDS))];
    let data = [
        "path = []",
        "path = [1]",
        "path = \"all.csv\"\nencoding = \"utf-9\"",
        "path = \"all.csv\"\nescape = \"no\"",
        "path = \"al?.txt\"",
        "path = [\"all.csv\", \"a*\"]",
    ];
    assert_snapshot!(titled(data.map(|data| (data, refused(&project(data, &all))))));
}
