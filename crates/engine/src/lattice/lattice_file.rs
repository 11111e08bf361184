//! The lattice file: written whole or not at all, and read with its own account of itself.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use haggle_api::{Changes, Defaults};
use haggle_cube::store;
use haggle_data::Input;
use haggle_model::{Error, ErrorKind, Problem, Remedy};
use haggle_output::{Existing, Readers};
use haggle_project::facts::AllStated;
use haggle_project::files::is_lattice;
use serde::{Deserialize, Serialize};

use crate::lattice::freshness::Fingerprint;
use crate::lattice::partial::{Partial, Selected};
use crate::lattice::store::LatticeStore;

/// The version of the note's format. Haggle 0.1.0 had its own version there, as text.
pub(crate) const FORMAT: u32 = 2;

/// What a lattice file states about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Note {
    /// The version of this note's format.
    pub(crate) version: u32,
    /// The version of the haggle that wrote it.
    pub(crate) haggle: String,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) defaults: Defaults,
    /// What the project states of its sensitive attributes.
    pub(crate) stated: AllStated,
    /// How the schemes of a partial lattice were selected.
    pub(crate) selected: Option<Selected>,
    /// Records added and removed since the table was read.
    pub(crate) changes: Changes,
    /// How many records were dropped for a missing value.
    pub(crate) dropped: u64,
}

impl Note {
    /// Returns the note as a file has it.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a note is plain data")
    }
}

/// Writes the bytes of a lattice next to their final place and renames them: old or new, never half.
pub(crate) fn save(lattice: &[u8], path: &Path) -> Result<(), Error> {
    check_writable(path)?;
    haggle_output::write(path, lattice, Readers::Owner)
}

/// Reads a lattice file; anything that is not one, or not whole, is refused.
pub(crate) fn load(path: &Path) -> Result<(LatticeStore, Note), Error> {
    let bytes = Input::file(path).read()?;
    let renew = |what: String| Error::from(Problem::new(what).file(path).fix(Remedy::BuildAgain));
    let decoded = store::decode(&bytes).map_err(|error| renew(error.to_string()))?;
    let note = read_note(decoded.note()).map_err(renew)?;
    if decoded.is_partial() != note.selected.is_some() {
        return Err(renew("the lattice file's note does not fit its schemes".into()));
    }
    let lattice = match note.selected.clone() {
        None => decoded.full().map(LatticeStore::full),
        Some(selected) => {
            decoded.partial().map(|some| LatticeStore::partial(Partial::new(some, selected)))
        }
    };
    Ok((lattice.map_err(|error| renew(error.to_string()))?, note))
}

/// The note, if it has the format that this haggle reads; else why not.
fn read_note(note: &[u8]) -> Result<Note, String> {
    let unreadable = |_| "the lattice file's note cannot be read".to_owned();
    let value: serde_json::Value = serde_json::from_slice(note).map_err(unreadable)?;
    match &value["version"] {
        version if *version == FORMAT => serde_json::from_value(value).map_err(unreadable),
        serde_json::Value::String(old) => Err(format!(
            "the lattice file was written by haggle {old}, whose notes this haggle does not read"
        )),
        serde_json::Value::Number(other) => Err(format!(
            "the lattice file's note has version {other}, and this haggle reads {FORMAT}"
        )),
        _ => Err("the lattice file's note has no version".into()),
    }
}

/// Whether a lattice may be written there: not over anything else, which renaming would destroy.
pub(crate) fn check_writable(path: &Path) -> Result<(), Error> {
    let refuse = |kind: ErrorKind, what: &str, words: &'static str| {
        let problem = Problem::new(what).of_kind(kind).file(path);
        Err(problem.fix(Remedy::NameOutput(words)).into())
    };
    match Existing::at(path) {
        Existing::Folder => refuse(ErrorKind::BadInput, "the output is a folder", "name a file"),
        Existing::Special => {
            refuse(ErrorKind::BadInput, "the output is a pipe or a device", "name a file")
        }
        Existing::File if !may_be_replaced(path) => refuse(
            ErrorKind::Conflict,
            "there is another file, and it is not a lattice file",
            "name another file, or remove this one first",
        ),
        Existing::NoFolder => refuse(
            ErrorKind::NotFound,
            "there is no such folder",
            "create it, or name another file",
        ),
        Existing::Nothing | Existing::File => Ok(()),
    }
}

/// A lattice may be, whole or damaged, and whatever is named like one.
fn may_be_replaced(path: &Path) -> bool {
    let mut start = [0; 8];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    path.extension().is_some_and(|extension| extension == "lattice")
        || (read.is_ok() && is_lattice(&start))
}
