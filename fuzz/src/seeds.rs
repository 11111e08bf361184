//! Valid inputs, and inputs that once failed.

use std::path::PathBuf;

use crate::Target;

/// The seeds of a target: its files in order of their names, then what this version generates.
pub fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder(target))
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    let read = |file: PathBuf| std::fs::read(file).expect("a seed can be read");
    files.into_iter().map(read).chain((target.generated)()).collect()
}

fn folder(target: &Target) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "seeds", target.name].iter().collect()
}
