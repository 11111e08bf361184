//! Files that must be new unless replacing them is allowed.

use std::path::Path;

use haggle_model::{Error, Problem};
use haggle_output::{Existing, Readers, Transaction};

/// Writes a file whole; an earlier one is replaced only if `force` allows it.
pub(crate) fn write_new(path: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    let mut transaction = Transaction::begin(path)?;
    transaction.write(path, bytes, Readers::AsUsual)?;
    transaction.commit_if(|| match Existing::at(path) {
        Existing::File if !force => Err(already_there(path)),
        _ => Ok(()),
    })
}

/// Returns the error for a file that must not be replaced.
pub(crate) fn already_there(path: &Path) -> Error {
    let what = "there is a file of this name already, and it was not touched";
    let fix = "name another file, or allow this one to be replaced";
    Error::AlreadyExists(Problem::new(what).file(path).fix(fix))
}
