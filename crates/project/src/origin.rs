//! Where a project's files are: in a folder, or within the binary.

use std::path::{Path, PathBuf};

use haggle_data::Input;
use haggle_model::{Error, ErrorKind, Problem};

use crate::demo;

/// Where a project's paths are relative to.
#[derive(Debug, Clone)]
pub enum Origin {
    /// A folder.
    Folder(PathBuf),
    /// The embedded project.
    Demo(demo::DemoFiles),
}

impl Origin {
    /// The origin and the project file's name, from what the user typed.
    pub(crate) fn of(project: &Path) -> Result<(Self, PathBuf), Error> {
        if let Some(name) = project.to_str().and_then(|text| text.strip_prefix("demo:")) {
            let files = demo::files(name).ok_or_else(|| {
                let what = format!("there is no embedded project '{name}'");
                let fix = match demo::names() {
                    names if names.is_empty() => "build haggle with the feature demo".into(),
                    names => format!("choose from: {names}"),
                };
                Error::of_kind(ErrorKind::NotFound, what, fix)
            })?;
            return Ok((Self::Demo(files), "haggle.toml".into()));
        }
        let path = project.to_owned();
        let file = if path.is_dir() { path.join("haggle.toml") } else { path };
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        Ok((Self::Folder(folder), file))
    }

    /// What the project is called: its folder, or the embedded project.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Demo(files) => demo::name(files),
            Self::Folder(folder) => {
                let whole = folder.canonicalize().unwrap_or_else(|_| folder.clone());
                let name = whole.file_name().unwrap_or(whole.as_os_str());
                name.to_string_lossy().into_owned()
            }
        }
    }

    /// The content of a file of the project.
    pub fn read(&self, name: &Path) -> Result<Vec<u8>, Error> {
        self.input(name)?.read()
    }

    /// A file of the project.
    pub(crate) fn input(&self, name: &Path) -> Result<Input, Error> {
        match self {
            Self::Folder(_) => Ok(Input::file(self.path(name))),
            Self::Demo(_) => Ok(Input::embedded(name, self.embedded(name)?)),
        }
    }

    /// The data files of the project, which may be patterns.
    pub(crate) fn inputs(&self, names: &[PathBuf]) -> Result<Input, Error> {
        match (self, names) {
            (Self::Demo(_), [name, ..]) => self.input(name),
            _ => Ok(Input::files(&self.path(Path::new("")), names)?),
        }
    }

    /// Returns a path of the project relative to the current folder.
    pub fn path(&self, name: &Path) -> PathBuf {
        match self {
            Self::Folder(folder) => folder.join(name),
            Self::Demo(_) => name.to_owned(),
        }
    }

    fn embedded(&self, name: &Path) -> Result<&'static [u8], Error> {
        let Self::Demo(files) = self else { unreachable!("only a demo has embedded files") };
        let found = files.iter().find(|(file, _)| Path::new(file) == name);
        let missing = || Problem::new("no such file").of_kind(ErrorKind::NotFound).file(name);
        Ok(found.ok_or_else(missing)?.1)
    }
}
