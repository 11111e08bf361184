//! Names of files that may be patterns: `parts/*.csv` means every file that matches.

use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};
use haggle_model::{ErrorKind, Problem};

use crate::Error;

/// A hidden file is meant only where the pattern says so; a `*` stays within one folder.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// Returns the files that the names mean, in order. Every name must match at least one file, and no
/// file may be named twice, because its records would be counted twice.
pub(super) fn expand(folder: &Path, names: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files: Vec<PathBuf> = Vec::new();
    for name in names {
        for file in matching(folder, name)? {
            if files.contains(&file) {
                let fix = "name it once; a pattern may match it as well";
                return Err(Problem::new("this file is named twice").file(file).fix(fix).into());
            }
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(Problem::new("no file is named").fix("name one: path = \"table.csv\"").into());
    }
    Ok(files)
}

/// Whether a pattern matches a file, which need not exist.
pub(super) fn matches(pattern: &Path, file: &Path) -> bool {
    Pattern::new(&pattern.to_string_lossy()).is_ok_and(|p| p.matches_path_with(file, OPTIONS))
}

/// Returns the files that one name matches, sorted by name.
fn matching(folder: &Path, name: &Path) -> Result<Vec<PathBuf>, Error> {
    let plain = folder.join(name);
    if !name.to_string_lossy().contains(['*', '?', '[']) || plain.exists() {
        return Ok(vec![plain]);
    }
    let refuse = |what: String, fix: &str| Error::from(Problem::new(what).file(&plain).fix(fix));
    // The folder is not a part of the pattern, whatever its name.
    let pattern = PathBuf::from(Pattern::escape(&folder.to_string_lossy())).join(name);
    let paths = glob::glob_with(&pattern.to_string_lossy(), OPTIONS).map_err(|error| {
        let what = format!("this pattern cannot be read: {}", error.msg);
        refuse(what, "write * for any letters, ? for one, [a-c] for one of these")
    })?;
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|error| Error::io(error.path())(error.error().kind().into()))?;
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort_unstable();
    if files.is_empty() {
        let fix = "check the pattern; in a project it is relative to the project file";
        let problem = Problem::new("no file matches this pattern").of_kind(ErrorKind::NotFound);
        return Err(problem.file(plain).fix(fix).into());
    }
    Ok(files)
}
