//! Lattice files that are cut off, damaged, foreign or of another time.

use std::sync::OnceLock;

use haggle_cube::store::{self, StoredLattice};

use crate::common::Folder;
use crate::{Case, case, refused};

/// The lattice file of the sound project.
fn lattice() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let folder = Folder::people();
        folder.haggle(&["build", "."]).text();
        folder.read("haggle.lattice")
    })
}

/// `ask` of a lattice file with these bytes.
fn ask(name: &'static str, bytes: impl Into<Vec<u8>>, expected: &[&'static str]) -> Case {
    let renew = &["old.lattice: ", "write it anew with `haggle build PROJECT`"];
    case(name, &["ask", "old.lattice", "--k", "2"], &[renew, expected].concat())
        .file("old.lattice", bytes)
}

fn changed(at: usize, by: u8) -> Vec<u8> {
    let mut bytes = lattice().to_vec();
    bytes[at] ^= by;
    bytes
}

#[test]
fn lattice_files_that_are_not_whole() {
    let whole = lattice();
    let grown = [whole, b"more"].concat();
    refused([
        ask("empty", [], &["not a lattice file of haggle"]),
        ask("cut in the magic word", &whole[..5], &["not a lattice file of haggle"]),
        ask("cut in the header", &whole[..20], &["cut off within its header"]),
        ask("cut in half", &whole[..whole.len() / 2], &["cut off or has grown"]),
        ask("the last byte cut", &whole[..whole.len() - 1], &["cut off or has grown"]),
        ask("grown", grown, &["cut off or has grown"]),
    ]);
}

#[test]
fn a_changed_bit_anywhere_is_found() {
    let length = lattice().len();
    let places = (28..length).step_by(length / 40).chain([28, length - 1]);
    refused(
        places
            .map(|at| ask("flipped", changed(at, 1 << (at % 8)), &["its checksum does not match"])),
    );
    refused([
        ask("in the magic word", changed(0, 1), &["not a lattice file of haggle"]),
        ask("in the length", changed(12, 1), &["cut off or has grown"]),
        ask("in the checksum", changed(20, 1), &["its checksum does not match"]),
    ]);
}

#[test]
fn lattice_files_of_others() {
    refused([
        ask("future version", changed(8, 0x40), &["version 67", "this haggle reads 3"]),
        ask("text", "age;sex\n34;f\n", &["not a lattice file of haggle"]),
        ask(
            "foreign binary",
            [0xde, 0xad, 0xbe, 0xef].repeat(100),
            &["not a lattice file of haggle"],
        ),
        case("foreign binary as project", &["ask", "foreign.bin"], &["foreign.bin:1", "UTF-8"])
            .file("foreign.bin", [0xde, 0xad, 0xbe, 0xef].repeat(100)),
        case(
            "damaged under any name",
            &["ask", "kept", "--k", "2"],
            &["kept: the lattice file is damaged"],
        )
        .file("kept", changed(100, 1)),
    ]);
}

/// The lattice file of the sound project with another version in its note.
fn with_note_of(version: &serde_json::Value) -> Vec<u8> {
    let (StoredLattice::Full(lattice), note) = store::decode(lattice()).unwrap() else {
        panic!("every scheme is annotated")
    };
    let mut note: serde_json::Value = serde_json::from_slice(&note).unwrap();
    assert_eq!(note["version"], 2, "the note carries its version");
    note["version"] = version.clone();
    store::encode(&lattice, &serde_json::to_vec(&note).unwrap())
}

#[test]
fn notes_of_other_versions_are_refused_with_the_reason() {
    let ask = |version: serde_json::Value, expected| ask("note", with_note_of(&version), expected);
    refused([
        ask(3.into(), &["the lattice file's note has version 3, and this haggle reads 2"]),
        ask(1.into(), &["the lattice file's note has version 1, and this haggle reads 2"]),
        ask("0.1.0".into(), &["written by haggle 0.1.0, whose notes this haggle does not read"]),
        ask(serde_json::Value::Null, &["the lattice file's note has no version"]),
    ]);
}

#[test]
fn a_lattice_file_where_the_project_is_needed() {
    let instead = &["kept.lattice: this is a lattice file", "name the haggle.toml instead"];
    refused(["build", "check"].map(|command| {
        case(command, &[command, "kept.lattice"], instead).file("kept.lattice", lattice())
    }));
}

#[test]
fn what_a_lattice_file_does_not_have() {
    let kept = |arguments: &[&'static str], expected: &[&'static str]| {
        case("kept", &[&["ask", "kept.lattice"], arguments].concat(), expected)
            .file("kept.lattice", lattice())
    };
    refused([
        kept(
            &["--k", "2", "--qi", "age,height"],
            &["does not have all of: age, height", "age, sex"],
        ),
        kept(&["--k", "2", "--qi", "sex,sex"], &["'sex' is named twice"]),
        kept(&["--k", "2", "--qi", ""], &["does not have all of", "age, sex"]),
        kept(&["--k", "1"], &["k = 1 is out of range"]),
        kept(&["--k", "2", "--levels", "9,0"], &["'age' has no level 9"]),
        kept(&[], &["no privacy is asked for"]),
    ]);
}
