//! Names of files that belong to a project or a publication.

use std::path::{Path, PathBuf};

/// The name of the lattice file next to the project file.
pub const LATTICE: &str = "haggle.lattice";

/// Returns whether these bytes begin as a lattice file does.
pub fn is_lattice(bytes: &[u8]) -> bool {
    bytes.starts_with(b"HAGGLELT")
}

/// Returns whether a file has one of our public manifests next to it.
pub fn is_publication(file: &Path) -> bool {
    // A key that every version of them has, and hardly another file of this name.
    let manifest = std::fs::read_to_string(manifest_path(file));
    manifest.is_ok_and(|manifest| manifest.contains("\"promise_over\""))
}

/// Returns the path of a published file's manifest.
pub fn manifest_path(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".manifest.json");
    file.with_file_name(name)
}
