//! Places where a lattice cannot or must not be written.

use std::process::Command;

use crate::common::Folder;
use crate::{case, faults, refused};

#[test]
fn places_where_nothing_can_be_written() {
    let folder = &["there is no such folder", "create it, or name another file with -o"];
    refused([
        case("a missing folder", &["build", ".", "-o", "no/such/out"], folder),
        case("under a file", &["build", ".", "-o", "people.csv/out"], folder),
        case(
            "a folder",
            &["build", ".", "-o", "results"],
            &["results: the output is a folder", "-o"],
        )
        .file("results/", ""),
        case("this folder", &["build", ".", "-o", "."], &["the output is a folder"]),
        case("nowhere", &["build", ".", "-o", ""], &["--output <FILE>"]),
        case("a folder in the way", &["build", "."], &["haggle.lattice: the output is a folder"])
            .file("haggle.lattice/", ""),
    ]);
}

#[test]
fn files_that_are_not_lattices_are_not_replaced() {
    let other = &["there is another file, and it is no lattice", "name another file with -o"];
    refused([
        case("the data", &["build", ".", "-o", "people.csv"], other),
        case("the project", &["build", ".", "-o", "haggle.toml"], other),
        case("a hierarchy", &["build", ".", "-o", "age.csv"], other),
    ]);
}

#[test]
fn pipes_are_neither_read_nor_replaced() {
    let folder = Folder::people();
    let made = Command::new("mkfifo").arg(folder.file("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo works");
    let output = folder.haggle(&["build", ".", "-o", "pipe"]);
    assert!(faults(&output, &["pipe: the output is a pipe"]).is_empty(), "{output:#?}");
    let project = folder.haggle(&["ask", "pipe", "--k", "2"]);
    assert!(faults(&project, &["pipe: this is a pipe"]).is_empty(), "{project:#?}");
    folder.edit("haggle.toml", "people.csv", "pipe");
    let data = folder.haggle(&["ask", ".", "--k", "2"]);
    assert!(faults(&data, &["pipe: this is a pipe"]).is_empty(), "{data:#?}");
}
