//! The lattice file: written whole or not at all, and read with its own account of itself.

use std::io::Write;
use std::path::Path;

use haggle_cube::{FullLattice, store};
use haggle_model::{Problem, Problems};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::ask::Defaults;
use crate::freshness::Fingerprint;

/// The file's name beside the project file.
pub(crate) const NAME: &str = "haggle.lattice";

/// What a lattice file says of itself beside the lattice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) version: String,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) defaults: Defaults,
}

/// Whether these bytes begin as a lattice file does.
pub(crate) fn is_lattice(bytes: &[u8]) -> bool {
    bytes.starts_with(b"HAGGLELT")
}

/// Writes the lattice beside its final place and renames it: old or new, never half.
pub(crate) fn save(lattice: &FullLattice, note: &Note, path: &Path) -> Result<(), Error> {
    let note = serde_json::to_vec(note).expect("a note is plain data");
    write_atomically(path, &store::encode(lattice, &note))
}

/// Reads a lattice file; anything that is not one, or not whole, is refused.
pub(crate) fn load(path: &Path) -> Result<(FullLattice, Note), Error> {
    let bytes = std::fs::read(path).map_err(Error::io(path))?;
    let renew = |what: String| {
        Error::from(Problem::new(what).file(path).fix("write it anew with `haggle build PROJECT`"))
    };
    let (lattice, note) = store::decode(&bytes).map_err(|error| renew(error.to_string()))?;
    let note = serde_json::from_slice(&note)
        .map_err(|_| renew("the lattice file's note cannot be read".into()))?;
    Ok((lattice, note))
}

fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return Err(Problems::from(
            Problem::new("the output is a folder").file(path).fix("name a file with -o"),
        )
        .into());
    }
    let mut file = tempfile::Builder::new()
        .prefix(".haggle-")
        .tempfile_in(folder)
        .map_err(Error::io(folder))?;
    file.write_all(bytes).map_err(Error::io(path))?;
    file.as_file().sync_all().map_err(Error::io(path))?;
    file.persist(path).map_err(|error| Error::io(path)(error.error))?;
    Ok(())
}
