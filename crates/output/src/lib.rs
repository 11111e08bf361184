//! Files that replace their predecessors whole and together, or not at all.
//!
//! A [`Transaction`] writes private temporary files next to their final places and lists them in a
//! journal. [`Transaction::commit`] makes the journal complete and synced before the first rename,
//! so whatever kills the process leaves the old files, the new ones, or a journal from which
//! [`recover`] (and the next transaction of the same name) completes or removes what was left.

mod append;
mod encoded;
mod guard;
mod journal;
mod mode;
mod new_file;
mod recover;
mod target;
mod transaction;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use haggle_model::Error;

pub use append::visit_lines;
pub use mode::Readers;
pub use new_file::NewFile;
pub use recover::{Event, Recovery, recover, recover_by};
pub use target::{Existing, is_same_file};
pub use transaction::{Staged, Transaction};

/// Writes one file: afterwards there is the old one or the new one, never a part.
///
/// ```
/// use haggle_output::{Readers, write};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("note.txt");
/// write(&path, b"whole", Readers::Owner)?;
/// assert_eq!(std::fs::read(&path)?, b"whole");
/// assert_eq!(folder.path().read_dir()?.count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(path: &Path, bytes: &[u8], readers: Readers) -> Result<(), Error> {
    let mut transaction = Transaction::begin(path)?;
    transaction.write(path, bytes, readers)?;
    transaction.commit()
}

/// The SHA-256 of a file, as sha256sum prints it.
pub fn sha256(path: &Path) -> std::io::Result<String> {
    sha256_from(File::open(path)?)
}

/// The SHA-256 of all bytes that can be read, as sha256sum prints it.
pub fn sha256_from(mut reader: impl Read) -> std::io::Result<String> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            n => digest.update(&buffer[..n]),
        }
    }
}

/// The SHA-256 of bytes, as sha256sum prints it.
pub fn sha256_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
