//! The project file: which data, which attributes in which roles, and what is asked by default.

use std::path::{Path, PathBuf};

use haggle_data::{CsvOptions, Missing};
use haggle_model::{Problem, Problems, Role};

use crate::ask::Defaults;
use crate::origin::Origin;
use crate::{Error, lattice_file};

mod read;
mod strict;

/// A project as its file states it; nothing of the data was read yet.
///
/// ```
/// let project = haggle::Project::open("demo:adult")?;
/// assert_eq!(project.default_qi().len(), 6);
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Project {
    pub(crate) origin: Origin,
    pub(crate) file: PathBuf,
    pub(crate) data: DataFile,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) qi: Option<Vec<String>>,
    pub(crate) defaults: Defaults,
}

/// The `[data]` section.
#[derive(Debug, Clone)]
pub(crate) struct DataFile {
    pub(crate) path: PathBuf,
    pub(crate) options: CsvOptions,
    pub(crate) missing: Missing,
}

/// An `[[attribute]]` section.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) hierarchy: Option<PathBuf>,
    /// The line of the project file, for messages.
    pub(crate) line: u64,
}

impl Project {
    /// Opens a project: a `haggle.toml`, its folder, or `demo:adult`. Every problem of the file is
    /// reported at once.
    pub fn open(project: &str) -> Result<Self, Error> {
        let (origin, file) = Origin::of(project)?;
        let bytes = match &origin {
            Origin::Demo(_) => origin.read(&file)?,
            Origin::Folder(_) => {
                std::fs::read(&file).map_err(|source| missing_project(&file, source))?
            }
        };
        if lattice_file::is_lattice(&bytes) {
            return Err(Problem::new("this is a lattice file, and this command needs the project")
                .file(file)
                .fix("name the haggle.toml instead")
                .into());
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| Problem::new("the project file is not UTF-8 text").file(&file))?;
        let mut problems = Vec::new();
        let parsed = read::project(&text, &mut problems);
        Problems::check(problems).map_err(|problems| problems.in_file(&file))?;
        let read::Parsed { data, attributes, qi, defaults } = parsed;
        let data = data.expect("a project without problems has data");
        Ok(Self { origin, file, data, attributes, qi, defaults })
    }

    /// The quasi-identifiers counted unless others are asked for, in order.
    pub fn default_qi(&self) -> Vec<String> {
        self.qi.clone().unwrap_or_else(|| self.named(Role::QuasiIdentifier))
    }

    /// What is asked unless told otherwise.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The names of the attributes of a role, in the project's order.
    pub fn named(&self, role: Role) -> Vec<String> {
        self.attributes.iter().filter(|a| a.role == role).map(|a| a.name.clone()).collect()
    }

    /// Where `haggle build` puts the lattice unless told otherwise.
    pub fn lattice_path(&self) -> Option<PathBuf> {
        match &self.origin {
            Origin::Folder(folder) => Some(folder.join(lattice_file::NAME)),
            Origin::Demo(_) => None,
        }
    }
}

fn missing_project(file: &Path, source: std::io::Error) -> Error {
    if source.kind() == std::io::ErrorKind::NotFound {
        return Problem::new("there is no project here")
            .file(file)
            .fix("name a haggle.toml or its folder, or try demo:adult")
            .into();
    }
    Error::Io { path: file.to_owned(), source }
}
