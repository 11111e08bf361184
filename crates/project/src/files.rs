//! Names of files that belong to a project or a publication.

use std::path::{Path, PathBuf};

use haggle_data::{Input, InputFile};
use haggle_model::{Error, ErrorKind, Problem};

/// The name of the lattice file next to the project file.
pub const LATTICE: &str = "haggle.lattice";

/// What the name of a table of sensitive values has before its extension.
const SENSITIVE: &str = "sensitive";

/// Returns whether these bytes begin as a lattice file does.
pub fn is_lattice(bytes: &[u8]) -> bool {
    bytes.starts_with(b"HAGGLELT")
}

/// Returns whether a file has one of our public manifests next to it, or is the table of sensitive
/// values of a publication that has one.
pub fn is_publication(file: &Path) -> bool {
    // Keys that every version of them has, and hardly another file of this name.
    let says = |published: &Path, keys: &[&str]| {
        let manifest = std::fs::read_to_string(manifest_path(published));
        manifest.is_ok_and(|manifest| keys.iter().all(|key| manifest.contains(key)))
    };
    let with_sensitive = ["\"promise_over\"", "\"anatomy\""];
    says(file, &with_sensitive[..1])
        || published_with(file).is_some_and(|other| says(&other, with_sensitive.as_slice()))
}

/// The table that a table of sensitive values goes with, if it is named as one.
fn published_with(file: &Path) -> Option<PathBuf> {
    let stem = Path::new(file.file_stem()?);
    match file.extension()?.to_str()? {
        SENSITIVE => Some(file.with_file_name(stem)),
        extension if stem.extension()? == SENSITIVE => {
            let other = format!("{}.{extension}", stem.file_stem()?.to_str()?);
            Some(file.with_file_name(other))
        }
        _ => None,
    }
}

/// Returns the path of the table of sensitive values that is published with a file.
pub fn sensitive_path(output: &Path) -> PathBuf {
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let name = match output.extension() {
        Some(extension) => format!("{stem}.{SENSITIVE}.{}", extension.to_string_lossy()),
        None => format!("{stem}.{SENSITIVE}"),
    };
    output.with_file_name(name)
}

/// Returns a file of the data that a pattern matches and that was published: its records would be
/// counted as further persons. Who names one means it.
pub fn matched_publication(input: &Input, is_named: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let mut files = input.parts().iter().map(InputFile::name);
    files.find(|file| !is_named(file) && is_publication(file)).map(Path::to_owned)
}

/// Refuses data of which a pattern matches a publication.
pub fn without_publications(
    input: Input,
    is_named: impl Fn(&Path) -> bool,
) -> Result<Input, Error> {
    match matched_publication(&input, is_named) {
        None => Ok(input),
        Some(file) => {
            let what = "the pattern of the data matches this file, which is a publication";
            let fix = "move it elsewhere, or name the files of the data one by one";
            Err(Problem::new(what).of_kind(ErrorKind::RefusedByPolicy).file(file).fix(fix).into())
        }
    }
}

/// Returns the path of a published file's manifest.
pub fn manifest_path(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".manifest.json");
    file.with_file_name(name)
}
