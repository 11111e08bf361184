//! Places where a lattice cannot or must not be written.

use std::process::Command;

use insta::assert_snapshot;

use crate::bad_input::{case, error, refused};
use crate::common::Folder;

#[test]
fn places_where_nothing_can_be_written() {
    assert_snapshot!(refused([
        case("a missing folder", &["build", ".", "-o", "no/such/out"]),
        case("under a file", &["build", ".", "-o", "people.csv/out"]),
        case("a folder", &["build", ".", "-o", "results"]).file("results/", ""),
        case("this folder", &["build", ".", "-o", "."]),
        case("nowhere", &["build", ".", "-o", ""]),
        case("a folder in the way", &["build", "."]).file("haggle.lattice/", ""),
    ]));
}

#[test]
fn files_that_are_not_lattices_are_not_replaced() {
    assert_snapshot!(refused([
        case("the data", &["build", ".", "-o", "people.csv"]),
        case("the project", &["build", ".", "-o", "haggle.toml"]),
        case("a hierarchy", &["build", ".", "-o", "age.csv"]),
    ]));
}

#[test]
fn pipes_are_neither_read_nor_replaced() {
    let folder = Folder::people();
    let made = Command::new("mkfifo").arg(folder.file("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo works");
    let output = folder.haggle(&["build", ".", "-o", "pipe"]);
    assert_snapshot!(error(&output), @"
    error: pipe: the output is a pipe or a device
        fix: name a file
        flags: -o names the file
    ");
    let project = folder.haggle(&["ask", "pipe", "--k", "2"]);
    assert_snapshot!(error(&project), @"
    error: pipe: this is a pipe or a device
        fix: name a file on disk; it is read more than once
    ");
    folder.edit("haggle.toml", "people.csv", "pipe");
    let data = folder.haggle(&["ask", ".", "--k", "2"]);
    assert_snapshot!(error(&data), @"
    error: ./pipe: this is a pipe or a device
        fix: name a file on disk; it is read more than once
    ");
}
