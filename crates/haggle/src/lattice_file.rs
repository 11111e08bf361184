//! The lattice file: written whole or not at all, and read with its own account of itself.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use haggle_cube::store::Stored;
use haggle_cube::{Cube, FullLattice, PartialLattice, store};
use haggle_data::Input;
use haggle_model::Problem;
use serde::{Deserialize, Serialize};

use crate::ask::Defaults;
use crate::atomic::Readers;
use crate::facts::AllStated;
use crate::freshness::Fingerprint;
use crate::partial::Selected;
use crate::update::Changes;
use crate::{Error, atomic};

/// The file's name beside the project file.
pub(crate) const NAME: &str = "haggle.lattice";

/// What a lattice file says of itself beside the lattice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) version: String,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) defaults: Defaults,
    /// What the project states of its sensitive attributes.
    pub(crate) stated: AllStated,
    /// How the schemes of a partial lattice were selected.
    pub(crate) selected: Option<Selected>,
    /// What it counts beside its table, and what not.
    pub(crate) changes: Changes,
    /// How many records were dropped for a missing value.
    pub(crate) dropped: u64,
}

/// Whether these bytes begin as a lattice file does.
pub(crate) fn is_lattice(bytes: &[u8]) -> bool {
    bytes.starts_with(b"HAGGLELT")
}

/// Writes the lattice beside its final place and renames it: old or new, never half.
pub(crate) fn save(lattice: Saved<'_>, note: &Note, path: &Path) -> Result<(), Error> {
    check_writable(path)?;
    let note = serde_json::to_vec(note).expect("a note is plain data");
    let bytes = match lattice {
        Saved::Full(lattice) => store::encode(lattice, &note),
        Saved::Partial(lattice) => store::encode_partial(lattice, &note),
    };
    atomic::write(path, &bytes, Readers::Owner)
}

/// A lattice of a form that can be kept.
#[derive(Clone, Copy)]
pub(crate) enum Saved<'a> {
    Full(&'a FullLattice),
    Partial(&'a PartialLattice),
}

/// The counted groups of a lattice.
pub(crate) fn cube(stored: &Stored) -> &Arc<Cube> {
    match stored {
        Stored::Full(lattice) => lattice.cube(),
        Stored::Partial(lattice) => lattice.cube(),
    }
}

/// Reads a lattice file; anything that is not one, or not whole, is refused.
pub(crate) fn load(path: &Path) -> Result<(Stored, Note), Error> {
    let bytes = Input::file(path).read()?;
    let renew = |what: String| {
        Error::from(Problem::new(what).file(path).fix("write it anew with `haggle build PROJECT`"))
    };
    let (lattice, note) = store::decode(&bytes).map_err(|error| renew(error.to_string()))?;
    let note: Note = serde_json::from_slice(&note)
        .map_err(|_| renew("the lattice file's note cannot be read".into()))?;
    if matches!(lattice, Stored::Partial(_)) != note.selected.is_some() {
        return Err(renew("the lattice file's note does not fit its schemes".into()));
    }
    Ok((lattice, note))
}

/// Whether a lattice may be written there: not over anything else, which renaming would destroy.
pub(crate) fn check_writable(path: &Path) -> Result<(), Error> {
    let refuse = |what: &str, fix: &str| Err(Problem::new(what).file(path).fix(fix).into());
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => refuse("the output is a folder", "name a file with -o"),
        Ok(found) if !found.is_file() => {
            refuse("the output is a pipe or a device", "name a file with -o")
        }
        Ok(_) if !may_be_replaced(path) => refuse(
            "there is another file, and it is no lattice",
            "name another file with -o, or remove this one first",
        ),
        Err(_) if folder.is_some_and(|folder| !folder.is_dir()) => {
            refuse("there is no such folder", "create it, or name another file with -o")
        }
        _ => Ok(()),
    }
}

/// A lattice may be, whole or damaged, and whatever is named like one.
fn may_be_replaced(path: &Path) -> bool {
    let mut start = [0; 8];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    path.extension().is_some_and(|extension| extension == "lattice")
        || (read.is_ok() && is_lattice(&start))
}
