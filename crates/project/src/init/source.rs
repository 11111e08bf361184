//! The table that a project is for, and hierarchy files next to it, as other tools name them:
//! `DATA.csv` and `DATA_hierarchy_ATTRIBUTE.csv`.

use std::path::{Path, PathBuf};

use haggle_data::{Database, Input, TableLocation};
use haggle_model::{Error, ErrorKind, Problem, Progress, Role};

use super::{Guess, RemoteTable};
use crate::files::without_publications;
use crate::project::Definition;

/// The text between the table's and the attribute's name.
const MARK: &str = "_hierarchy_";
/// Files that may be tables.
const TABLES: [&str; 9] = ["csv", "tsv", "txt", "data", "dat", "tab", "gz", "zst", "parquet"];

/// What makes a name a pattern.
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// A table and the hierarchies given with it.
#[derive(Debug)]
pub(super) struct InitSource {
    /// The files and patterns, as they were named.
    pub(super) data: Vec<PathBuf>,
    /// The files that they match.
    pub(super) input: Input,
    /// Where the first of them is; of a pattern for folders, too, the folder it begins in.
    pub(super) folder: PathBuf,
    /// Attributes and their files.
    pub(super) hierarchies: Vec<(String, PathBuf)>,
    /// The table in a database that takes the place of files.
    pub(super) remote: Option<RemoteTable>,
    /// Whether the table is in memory.
    pub(super) is_given: bool,
}

impl InitSource {
    /// The table that was named, or the only one in the folder that was named; several are one.
    pub(super) fn find(names: &[PathBuf]) -> Result<Self, Error> {
        let table =
            |name: &PathBuf| if name.is_dir() { only_table(name) } else { Ok(name.clone()) };
        let data: Vec<PathBuf> = names.iter().map(table).collect::<Result<_, _>>()?;
        let input = Input::files(Path::new(""), &data)?;
        let input = without_publications(input, |file| data.iter().any(|name| name == file))?;
        let first = input.parts()[0].name();
        let folder = begins_in(&data[0]);
        let prefix = format!("{}{MARK}", stem(first));
        let attribute = |file: PathBuf| {
            let name = stem(&file).strip_prefix(&prefix)?.to_owned();
            Some((name, file))
        };
        let siblings = files(here(first.parent().unwrap_or(Path::new(""))))?;
        let mut hierarchies: Vec<_> = siblings.into_iter().filter_map(attribute).collect();
        hierarchies.sort();
        Ok(Self { data, input, folder, hierarchies, remote: None, is_given: false })
    }

    /// A table in a database; the project belongs into the current folder.
    pub(super) fn in_database(
        url: &str,
        table: &str,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        if Database::holds_password(url) {
            let what = "the url holds a password, which would be written into the project";
            let fix = if TableLocation::table(url, table).is_adbc() {
                "leave it out of the url; the project can say where it is kept, under [data.options]"
            } else {
                "leave it out of the url, and set PGPASSWORD or add a line to ~/.pgpass"
            };
            return Err(Error::new(what, fix));
        }
        Self::of_table(RemoteTable { url: url.to_owned(), table: table.to_owned() }, progress)
    }

    /// Reads a table in a database whose password is not written down.
    pub(super) fn of_table(remote: RemoteTable, progress: &dyn Progress) -> Result<Self, Error> {
        let location = TableLocation::table(&remote.url, &remote.table);
        let database = Database::open(&location, progress)?;
        Ok(Self {
            data: vec![database.name().to_owned()],
            input: Input::database(database),
            folder: PathBuf::new(),
            hierarchies: Vec::new(),
            remote: Some(remote),
            is_given: false,
        })
    }

    /// A table in memory, for which no files are looked for.
    pub(super) fn over(input: &Input) -> Self {
        Self {
            data: vec![input.name().to_owned()],
            input: input.clone(),
            folder: PathBuf::new(),
            hierarchies: Vec::new(),
            remote: None,
            is_given: true,
        }
    }

    /// Makes the attributes with a hierarchy file quasi-identifiers with that file.
    pub(super) fn give_hierarchies(
        &self,
        guesses: &mut [Guess],
        project: &Path,
    ) -> Result<(), Error> {
        for (name, file) in &self.hierarchies {
            let exact = guesses.iter().position(|guess| guess.name == *name);
            let similar = || guesses.iter().position(|g| g.name.eq_ignore_ascii_case(name));
            let Some(position) = exact.or_else(similar) else {
                let what =
                    format!("this is a hierarchy of '{name}', but the table has no such column");
                let fix = "rename the file or the column, or move the file away";
                return Err(Problem::new(what).file(file).fix(fix).into());
            };
            let guess = &mut guesses[position];
            guess.role = Role::QuasiIdentifier;
            guess.why = "a hierarchy file was given for it".into();
            guess.rank = 0;
            guess.give(Some(Definition::File(relative(file, project))), "as given");
        }
        Ok(())
    }
}

/// Whether a path is a table by its name, or a folder with one and no project.
pub(crate) fn is_table(path: &Path) -> bool {
    if path.is_dir() {
        return !path.join("haggle.toml").exists() && only_table(path).is_ok();
    }
    path.is_file() && has_table_ending(path)
}

fn has_table_ending(path: &Path) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    extension.is_some_and(|e| TABLES.contains(&e.as_str()))
}

fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    name.split('.').next().unwrap_or(&name).to_owned()
}

/// The regular files of a folder, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The table of a folder: the only one, or the only one that hierarchies belong to.
fn only_table(folder: &Path) -> Result<PathBuf, Error> {
    let is_table = |path: &PathBuf| has_table_ending(path);
    let files: Vec<PathBuf> = files(folder)?.into_iter().filter(is_table).collect();
    let (hierarchies, tables): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| stem(file).contains(MARK));
    let owner = |table: &&PathBuf| {
        let prefix = format!("{}{MARK}", stem(table));
        hierarchies.iter().any(|file| stem(file).starts_with(&prefix))
    };
    let owners: Vec<&PathBuf> = tables.iter().filter(owner).collect();
    match (&owners[..], &tables[..]) {
        ([only], _) => Ok((*only).clone()),
        (_, [only]) => Ok(only.clone()),
        (_, []) => Err(Problem::new("there is no table in this folder")
            .of_kind(ErrorKind::NotFound)
            .file(folder)
            .fix("name the data file")
            .into()),
        (_, several) => {
            let names: Vec<_> = several.iter().filter_map(|t| t.file_name()?.to_str()).collect();
            let what = format!("there are several tables in this folder: {}", names.join(", "));
            Err(Problem::new(what).file(folder).fix("name the one that is meant").into())
        }
    }
}

/// Returns a folder that can be opened: the empty path is the current folder.
fn here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Whether a name is a pattern. A file of exactly that name takes precedence.
fn is_pattern(name: &Path) -> bool {
    has_wildcard(name) && !name.exists()
}

fn has_wildcard(name: &Path) -> bool {
    name.to_string_lossy().contains(WILDCARDS)
}

/// The folder of a file; of a pattern the deepest one that all its files are below.
fn begins_in(name: &Path) -> PathBuf {
    let mut folders = name.ancestors().skip(1);
    let folder = folders.find(|folder| !is_pattern(name) || !has_wildcard(folder));
    folder.unwrap_or(Path::new("")).to_owned()
}

/// Returns a file or pattern relative to a folder, if it is below it; else its full path.
pub(super) fn relative(name: &Path, folder: &Path) -> PathBuf {
    if is_pattern(name) {
        let begin = begins_in(name);
        let rest = name.strip_prefix(&begin).unwrap_or(name);
        return literally(&seen_from(here(&begin), here(folder))).join(rest);
    }
    seen_from(name, here(folder))
}

fn seen_from(file: &Path, folder: &Path) -> PathBuf {
    match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => {
            file.strip_prefix(&folder).map_or_else(|_| file.clone(), Path::to_owned)
        }
        (Ok(file), Err(_)) => file,
        _ => file.to_owned(),
    }
}

/// A folder as the beginning of a pattern that means this folder and no other.
fn literally(folder: &Path) -> PathBuf {
    let escaped = |c: char| if WILDCARDS.contains(&c) { format!("[{c}]") } else { c.to_string() };
    folder.to_string_lossy().chars().map(escaped).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_begins_in_the_deepest_folder_that_is_named() {
        for (name, folder) in [
            ("part-*.csv", ""),
            ("a/b/part-*.csv", "a/b"),
            ("a/*/part.csv", "a"),
            ("/a[1]/b/?.csv", "/"),
            ("a/part.csv", "a"),
            ("part.csv", ""),
        ] {
            assert_eq!(begins_in(Path::new(name)), Path::new(folder), "{name}");
        }
    }

    #[test]
    fn a_pattern_elsewhere_means_its_folder_whatever_that_is_called() {
        assert_eq!(literally(Path::new("/a[1]*/b?")), Path::new("/a[[]1][*]/b[?]"));
    }
}
