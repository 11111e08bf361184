//! Lattice files that are cut off, damaged, foreign or of another time.

use std::sync::OnceLock;

use haggle_cube::store;
use haggle_testkit::without_lengths;
use insta::assert_snapshot;

use crate::bad_input::{Case, case, refused};
use crate::common::Folder;

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
fn ask(name: &'static str, bytes: impl Into<Vec<u8>>) -> Case {
    case(name, &["ask", "old.lattice", "--k", "2"]).file("old.lattice", bytes)
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
    assert_snapshot!(without_lengths(&refused([
        ask("empty", []),
        ask("cut in the magic word", &whole[..5]),
        ask("cut in the header", &whole[..20]),
        ask("cut in half", &whole[..whole.len() / 2]),
        ask("the last byte cut", &whole[..whole.len() - 1]),
        ask("grown", grown),
    ])));
}

#[test]
fn a_changed_bit_anywhere_is_found() {
    let length = lattice().len();
    let places = (28..length).step_by(length / 40).chain([28, length - 1]);
    let mut errors = refused(places.map(|at| ask("flipped", changed(at, 1 << (at % 8)))));
    errors += &refused([
        ask("in the magic word", changed(0, 1)),
        ask("in the length", changed(12, 1)),
        ask("in the checksum", changed(20, 1)),
    ]);
    assert_snapshot!(without_lengths(&errors));
}

#[test]
fn lattice_files_of_others() {
    assert_snapshot!(refused([
        ask("future version", changed(8, 0x40)),
        ask("text", "age;sex\n34;f\n"),
        ask("foreign binary", [0xde, 0xad, 0xbe, 0xef].repeat(100)),
        case("foreign binary as project", &["ask", "foreign.bin"])
            .file("foreign.bin", [0xde, 0xad, 0xbe, 0xef].repeat(100)),
        case("damaged under any name", &["ask", "kept", "--k", "2"]).file("kept", changed(100, 1)),
    ]));
}

/// The lattice file of the sound project with another version in its note.
fn with_note_of(version: &serde_json::Value) -> Vec<u8> {
    let decoded = store::decode(lattice()).unwrap();
    let mut note: serde_json::Value = serde_json::from_slice(decoded.note()).unwrap();
    assert_eq!(note["version"], 2, "the note carries its version");
    note["version"] = version.clone();
    store::encode(&decoded.full().unwrap(), &serde_json::to_vec(&note).unwrap())
}

#[test]
fn notes_of_other_versions_are_refused_with_the_reason() {
    assert_snapshot!(refused([
        ask("newer", with_note_of(&3.into())),
        ask("older", with_note_of(&1.into())),
        ask("of a release", with_note_of(&"0.1.0".into())),
        ask("none", with_note_of(&serde_json::Value::Null)),
    ]));
}

#[test]
fn a_lattice_file_where_the_project_is_needed() {
    assert_snapshot!(refused(["build", "check"].map(|command| {
        case(command, &[command, "kept.lattice"]).file("kept.lattice", lattice())
    })));
}

#[test]
fn what_a_lattice_file_does_not_have() {
    let kept = |arguments: &[&'static str]| {
        case("kept", &[&["ask", "kept.lattice"], arguments].concat())
            .file("kept.lattice", lattice())
    };
    assert_snapshot!(refused([
        kept(&["--k", "2", "--qi", "age,height"]),
        kept(&["--k", "2", "--qi", "sex,sex"]),
        kept(&["--k", "2", "--qi", ""]),
        kept(&["--k", "1"]),
        kept(&["--k", "2", "--levels", "9,0"]),
        kept(&[]),
    ]));
}
