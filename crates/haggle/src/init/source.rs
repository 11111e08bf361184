//! The table that a project is for, and hierarchy files that lie beside it, as other tools name
//! them: `DATA.csv` and `DATA_hierarchy_ATTRIBUTE.csv`.

use std::path::{Path, PathBuf};

use haggle_model::{Problem, Role};

use super::Guess;
use crate::Error;
use crate::project::Definition;

/// What stands between the table's and the attribute's name.
const MARK: &str = "_hierarchy_";
/// Files that may be tables.
const TABLES: [&str; 9] = ["csv", "tsv", "txt", "data", "dat", "tab", "gz", "zst", "parquet"];

/// A table and the hierarchies given with it.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) data: PathBuf,
    /// Attributes and their files.
    pub(super) hierarchies: Vec<(String, PathBuf)>,
}

impl Source {
    /// The table that was named, or the only one in the folder that was named.
    pub(super) fn find(path: &Path) -> Result<Self, Error> {
        let data = if path.is_dir() { only_table(path)? } else { path.to_owned() };
        let folder = data.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let prefix = format!("{}{MARK}", stem(&data));
        let attribute = |file: PathBuf| {
            let name = stem(&file).strip_prefix(&prefix)?.to_owned();
            Some((name, file))
        };
        let mut hierarchies: Vec<_> = files(folder)?.into_iter().filter_map(attribute).collect();
        hierarchies.sort();
        Ok(Self { data, hierarchies })
    }

    /// The folder of the table.
    pub(super) fn folder(&self) -> PathBuf {
        self.data.parent().unwrap_or(Path::new("")).to_owned()
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
    let is_table = |path: &PathBuf| {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        extension.is_some_and(|e| TABLES.contains(&e.as_str()))
    };
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

/// A file as seen from a folder, if it lies within; else its full path.
pub(super) fn relative(file: &Path, folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => {
            file.strip_prefix(&folder).map_or_else(|_| file.clone(), Path::to_owned)
        }
        (Ok(file), Err(_)) => file,
        _ => file.to_owned(),
    }
}
