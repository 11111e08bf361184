//! The lattice file: it answers as the data would, says when it is out of date, and is never half
//! written.

mod freshness;
mod interrupted;

use crate::common::{Folder, PEOPLE};
use insta::assert_snapshot;

/// Requests that have exact, relaxed and negative answers.
const ASKED: &[&[&str]] = &[
    &["--k", "2"],
    &["--k", "3", "--levels", "1,0"],
    &["--k", "2", "--levels", "0,0", "--max-suppressed", "50%"],
    &["--k", "5"],
    &["--l", "2"],
    &["--l", "3", "--levels", "age=1"],
    &["--l", "3", "--levels", "0,0"],
];

/// The answers of a project or lattice file to all of these.
fn answers(folder: &Folder, project: &[&str]) -> Vec<serde_json::Value> {
    ASKED.iter().map(|asked| folder.answer(&[project, asked].concat())).collect()
}

#[test]
fn build_writes_next_to_the_project() {
    let folder = Folder::with([("sub/empty", "")]);
    for (name, text) in PEOPLE {
        folder.write(&format!("sub/{name}"), text);
    }
    let run = folder.haggle(&["build", "sub"]);
    assert_snapshot!(run.printed(0), @"
    4 records in 4 groups; 6 schemes annotated with their histograms.
    Reading took [time], annotating [time] (20 cells rolled up). Stored in sub/haggle.lattice.
    ");
    assert!(folder.file("sub/haggle.lattice").is_file());
    let names: Vec<_> = folder.listing().into_keys().collect();
    assert_eq!(names.len(), PEOPLE.len() + 3, "nothing else was written: {names:?}");
}

#[test]
fn build_writes_to_the_named_file() {
    let folder = Folder::people();
    folder.haggle(&["build", ".", "-o", "kept.lattice"]).text();
    assert!(folder.file("kept.lattice").is_file() && !folder.file("haggle.lattice").exists());
    folder.haggle(&["build", ".", "-o", "any name"]).text();
    assert_eq!(
        folder.read("any name"),
        folder.read("kept.lattice"),
        "the same data, the same file"
    );
    let before = answers(&folder, &["."]);
    assert_eq!(answers(&folder, &["any name"]), before);
}

#[test]
fn the_embedded_project_is_stored_only_in_a_named_file() {
    let folder = Folder::empty();
    let arguments = ["build", "demo:adult", "--qi", "age,race,workclass"];
    assert_snapshot!(folder.haggle(&arguments).printed(0), @"
    30,162 records in 1,069 groups; 60 schemes annotated with their histograms.
    Reading took [time], annotating [time] (143,454 cells rolled up). Not stored: the embedded project has no folder; name a file with -o.
    ");
    assert!(folder.listing().is_empty());
    folder.haggle(&[&arguments[..], &["-o", "adult.lattice"]].concat()).text();
    let asked = ["--k", "10", "--levels", "2,1,1", "--max-suppressed", "32"];
    assert_eq!(
        folder.answer(&[&["adult.lattice"], &asked[..]].concat()),
        folder.answer(&[&["demo:adult", "--qi", "age,race,workclass"], &asked[..]].concat())
    );
}

#[test]
fn answers_are_the_same_before_and_after_building() {
    let folder = Folder::people();
    let before = answers(&folder, &["."]);
    folder.haggle(&["build", "."]).text();
    assert_eq!(answers(&folder, &["."]), before);
    assert_eq!(answers(&folder, &["haggle.lattice"]), before);
    let study = |project| folder.haggle(&["study", project, "--k", "2", "--json"]).json(0);
    assert_eq!(study("."), study("haggle.lattice"));
    let run = folder.haggle(&["ask", ".", "--k", "2"]);
    assert!(run.stderr.is_empty(), "a fresh lattice is nothing to speak of: {run:#?}");
}

#[test]
fn the_lattice_file_needs_neither_data_nor_project() {
    let folder = Folder::people();
    let before = answers(&folder, &["."]);
    folder.haggle(&["build", "."]).text();
    let other = Folder::with([("moved.lattice", folder.read("haggle.lattice"))]);
    assert_eq!(answers(&other, &["moved.lattice"]), before);
    std::fs::remove_file(folder.file("people.csv")).unwrap();
    assert_eq!(answers(&folder, &["haggle.lattice"]), before);
}

#[test]
fn defaults_come_from_the_project_where_there_is_one() {
    let folder = Folder::people();
    folder.edit("haggle.toml", "[data]", "[request]\nk = 2\n[data]");
    folder.haggle(&["build", "."]).text();
    let two = folder.answer(&["."]);
    assert_eq!(folder.answer(&["haggle.lattice"]), two);
    folder.edit("haggle.toml", "k = 2", "k = 3");
    let run = folder.haggle(&["ask", ".", "--json"]);
    assert!(run.stderr.is_empty(), "other defaults need no new lattice: {run:#?}");
    assert_eq!(folder.answer(&["."]), folder.answer(&["haggle.lattice", "--k", "3"]));
    assert_eq!(folder.answer(&["haggle.lattice"]), folder.answer(&["."]), "the project next to it");
    let moved = Folder::with([("moved.lattice", folder.read("haggle.lattice"))]);
    assert_eq!(moved.answer(&["moved.lattice"]), two, "as it was built");
}

#[test]
fn subsets_in_any_order_are_as_from_the_data() {
    let folder = Folder::empty();
    let four = "sex,age,race,workclass";
    folder.haggle(&["build", "demo:adult", "--qi", four, "-o", "four.lattice"]).text();
    let subsets = [
        "age",
        "race,age",
        "workclass,race,age",
        "age,race,workclass",
        "race,workclass,sex,age",
        four,
    ];
    for qi in subsets {
        for asked in
            [["--k", "25", "--max-suppressed", "10"], ["--l", "4", "--max-suppressed", "0.01%"]]
        {
            let ask = |project| folder.answer(&[&[project, "--qi", qi], &asked[..]].concat());
            assert_eq!(ask("four.lattice"), ask("demo:adult"), "{qi} {asked:?}");
        }
    }
}

#[test]
fn what_a_project_lattice_does_not_have_is_read_from_the_data() {
    let folder = Folder::people();
    let before = folder.answer(&[".", "--k", "2", "--qi", "sex,age"]);
    folder.haggle(&["build", ".", "--qi", "age"]).text();
    let run = folder.haggle(&["ask", ".", "--k", "2", "--qi", "sex,age", "--json"]);
    assert_snapshot!(run.notes(), @"note: ./haggle.lattice is not used: it does not have all the quasi-identifiers asked for; build the lattice again");
    assert_eq!(crate::common::untimed(run.json(0)), before);
    let silent = folder.haggle(&["ask", ".", "--k", "2", "--qi", "age"]);
    assert!(silent.code == Some(0) && silent.stderr.is_empty(), "{silent:#?}");
}
