//! The project file: which data, which attributes in which roles, and what is asked by default.

use std::path::{Path, PathBuf};

use haggle_api::{Amount, Defaults};
use haggle_data::{CsvOptions, Database, Input, Missing, Table, TableLocation};
use haggle_model::{Error, ErrorKind, Problem, Problems, Progress, Role, Silent};

use crate::files::{LATTICE, is_lattice, manifest_path};
use crate::origin::Origin;

mod hierarchy;
mod read;
mod remote;
mod sensitive;
mod strict;
pub(crate) mod write;

pub use hierarchy::Definition;
pub(crate) use sensitive::Sensitive;

/// A project as its file states it; nothing of the data was read yet.
///
/// ```
/// let project = haggle::Project::open("demo:adult")?;
/// assert_eq!(project.default_qi().len(), 6);
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Project {
    /// The place that paths are relative to.
    pub origin: Origin,
    /// The project file.
    pub file: PathBuf,
    /// The `[data]` section.
    pub data: DataFile,
    /// The `[[attribute]]` sections.
    pub attributes: Vec<Attribute>,
    pub(crate) qi: Option<Vec<String>>,
    /// The `[request]` section.
    pub defaults: Defaults,
    /// The `[publish]` section.
    pub publish: PublishSettings,
}

/// The `[data]` section.
#[derive(Debug, Clone)]
pub struct DataFile {
    /// Files or patterns, in order; together they are one table.
    pub paths: Vec<PathBuf>,
    /// The table in a database that takes the place of files.
    pub remote: Option<Remote>,
    /// The table in memory that takes the place of files.
    pub given: Option<Input>,
    /// How delimited text is read.
    pub options: CsvOptions,
    /// What a missing value is, and what becomes of it.
    pub missing: Missing,
    /// The column that names the persons, where a person may have several records.
    pub unit: Option<String>,
}

/// The `[publish]` section.
#[derive(Debug, Clone)]
pub struct PublishSettings {
    /// Columns that are published as recorded although they would be dropped.
    pub as_recorded: Vec<String>,
    /// Columns that are kept before others, as long as they may stay; the first counts most.
    pub keep: Vec<String>,
    /// How many records unchanged columns may single out.
    pub max_below_k: Amount,
    /// How many records unchanged columns and published quasi-identifiers may single out together.
    pub max_below_k_jointly: Amount,
}

impl PublishSettings {
    /// Returns a problem for each column to be kept that a table does not have.
    pub fn unknown_in_keep(&self, table: &Table, file: &Path) -> Vec<Problem> {
        let unknown = self.keep.iter().filter(|name| table.column(name).is_none());
        let problem = |name: &String| {
            let what = format!("keep names '{name}', which is not a column of the data");
            Problem::new(what).file(file).fix("correct the name, or leave it out")
        };
        unknown.map(problem).collect()
    }
}

impl Default for PublishSettings {
    fn default() -> Self {
        Self {
            as_recorded: Vec::new(),
            keep: Vec::new(),
            max_below_k: Project::MAX_BELOW_K,
            max_below_k_jointly: Project::MAX_BELOW_K_JOINTLY,
        }
    }
}

/// A table in a database.
#[derive(Clone)]
pub struct Remote {
    /// Where it is.
    pub(crate) location: TableLocation,
    /// The table at a moment that was chosen before.
    pub(crate) moment: Option<Database>,
}

impl Remote {
    /// The table, at the chosen moment if there is one.
    pub(crate) fn open(&self, progress: &dyn Progress) -> Result<Database, Error> {
        match &self.moment {
            Some(database) => Ok(database.clone()),
            None => Ok(Database::open(&self.location, progress)?),
        }
    }

    /// The table, query or path, as the project names it.
    pub fn table(&self) -> &str {
        self.location.data.text()
    }
}

impl std::fmt::Debug for Remote {
    /// Without the url, which may hold a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("table", &self.table()).finish_non_exhaustive()
    }
}

/// An `[[attribute]]` section.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The name of its column.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Where its hierarchy comes from.
    pub hierarchy: Option<Definition>,
    /// What is stated of it as a sensitive attribute.
    pub sensitive: Sensitive,
    /// The line of the project file, for messages.
    pub(crate) line: u64,
}

impl Attribute {
    /// The hierarchy's file, if it has one.
    pub fn file(&self) -> Option<&PathBuf> {
        self.hierarchy.as_ref().and_then(Definition::file)
    }
}

impl Project {
    /// The project's name: its folder's, or the embedded project's.
    pub fn name(&self) -> String {
        self.origin.name()
    }

    /// How many records unchanged columns may single out, unless the project says otherwise.
    pub const MAX_BELOW_K: Amount = Amount::Percent { digits: 1, decimals: 0 };

    /// How many records unchanged columns and published quasi-identifiers may single out together,
    /// unless the project says otherwise.
    pub const MAX_BELOW_K_JOINTLY: Amount = Amount::Percent { digits: 5, decimals: 0 };

    /// The columns that the project names to be published as recorded.
    pub fn as_recorded(&self) -> &[String] {
        &self.publish.as_recorded
    }

    /// Opens a project: a `haggle.toml`, its folder, or `demo:adult`. Every problem of the file is
    /// reported at once.
    pub fn open(project: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_origin(Origin::of(project.as_ref())?)
    }

    /// Opens the embedded project: the Adult census data with its hierarchies.
    ///
    /// ```
    /// assert_eq!(haggle::Project::demo().name(), "adult");
    /// ```
    #[cfg(feature = "demo")]
    pub fn demo() -> Self {
        Self::open("demo:adult").expect("the embedded project is valid")
    }

    fn from_origin((origin, file): (Origin, PathBuf)) -> Result<Self, Error> {
        let bytes = match &origin {
            Origin::Demo(_) => origin.read(&file)?,
            Origin::Folder(_) => Input::file(&file).read().map_err(missing_project)?,
        };
        if is_lattice(&bytes) {
            return Err(Problem::new("this is a lattice file, and this command needs the project")
                .file(file)
                .fix("name the haggle.toml instead")
                .into());
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let line = strict::line_of(error.as_bytes(), error.utf8_error().valid_up_to());
            let what = "the project file is not UTF-8 text";
            Problem::new(what).file(&file).line(line).fix("name a haggle.toml, saved as UTF-8")
        })?;
        Self::parse(&text, origin, file)
    }

    /// The project of this text, as if it were the `haggle.toml` of a folder.
    pub fn from_text(text: &str, folder: &Path) -> Result<Self, Error> {
        Self::parse(text, Origin::Folder(folder.to_owned()), folder.join("haggle.toml"))
    }

    /// Replaces the data that the project's file names by this input.
    ///
    /// ```
    /// let input = haggle::frames::Input::embedded("people.csv", b"age\n37\n41\n");
    /// let text = "[data]\npath = \"-\"\n[[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\n";
    /// let project = haggle::Project::from_text(text, std::path::Path::new("."))?.over(input);
    /// assert_eq!(haggle::Engine::builder(&project).open()?.records(), 2);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn over(mut self, input: Input) -> Self {
        self.data.given = Some(input);
        self
    }

    /// Returns the project of this text, which is or will be in the file.
    pub(crate) fn parse(text: &str, origin: Origin, file: PathBuf) -> Result<Self, Error> {
        let mut problems = Vec::new();
        let parsed = read::project(text, &mut problems);
        Problems::check(problems).map_err(|problems| problems.in_file(&file))?;
        let read::Parsed { data, attributes, qi, defaults, publish } = parsed;
        let data = data.expect("a project without problems has data");
        Ok(Self { origin, file, data, attributes, qi, defaults, publish })
    }

    /// The files that the project is read from, its own first: hierarchies, and data files that are
    /// not patterns. None of an embedded project.
    pub fn files(&self) -> Vec<PathBuf> {
        if matches!(self.origin, Origin::Demo(_)) {
            return Vec::new();
        }
        let hierarchies = self.attributes.iter().filter_map(Attribute::file);
        let named = hierarchies.chain(&self.data.paths).map(|path| self.origin.path(path));
        std::iter::once(self.file.clone()).chain(named).collect()
    }

    /// Whether the project is embedded in the binary.
    pub fn is_demo(&self) -> bool {
        matches!(self.origin, Origin::Demo(_))
    }

    /// Where the project is: the whole path of its file, or the name of the embedded project.
    pub fn location(&self) -> String {
        match &self.origin {
            Origin::Demo(_) => format!("demo:{}", self.origin.name()),
            Origin::Folder(_) => {
                let whole = self.file.canonicalize().unwrap_or_else(|_| self.file.clone());
                whole.to_string_lossy().into_owned()
            }
        }
    }

    /// The quasi-identifiers counted unless others are asked for, in order.
    pub fn default_qi(&self) -> Vec<String> {
        self.qi.clone().unwrap_or_else(|| self.named(Role::QuasiIdentifier))
    }

    /// Sets the quasi-identifiers that are counted unless others are asked for.
    pub fn with_default_qi(mut self, qi: Option<Vec<String>>) -> Self {
        self.qi = qi.or(self.qi);
        self
    }

    /// Returns the same project with its database, if any, fixed at this moment: what others commit
    /// until the project is dropped is not seen.
    pub fn at_this_moment(mut self, progress: &dyn Progress) -> Result<Self, Error> {
        if let Some(remote) = &mut self.data.remote {
            remote.moment = Some(remote.open(progress)?.at_this_moment()?);
        }
        Ok(self)
    }

    /// Connects to the project's database with this url, which may hold a password.
    pub(crate) fn with_url(mut self, url: &str) -> Self {
        if let Some(remote) = &mut self.data.remote {
            url.clone_into(&mut remote.location.url);
        }
        self
    }

    /// Whether the data is a table of a database.
    pub fn is_in_database(&self) -> bool {
        self.data.remote.is_some()
    }

    /// Returns a text that changes when the project's table in a database does, at the latest some
    /// seconds later. `None` for files, whose changes the file system reports, and for views.
    pub fn table_stamp(&self) -> Result<Option<String>, Error> {
        match &self.data.remote {
            Some(remote) => Ok(remote.open(&Silent)?.stamp()?),
            None => Ok(None),
        }
    }

    /// Returns the default request.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The names of the attributes of a role, in the project's order.
    pub fn named(&self, role: Role) -> Vec<String> {
        self.attributes.iter().filter(|a| a.role == role).map(|a| a.name.clone()).collect()
    }

    /// Where a publication of this name goes: a new file in the project's folder, and nowhere else,
    /// whatever the name says.
    pub fn output(&self, name: &str, format: &str) -> Result<PathBuf, Error> {
        let refuse = |what: &str, fix: &str| Err(Error::new(what, fix));
        let Origin::Folder(folder) = &self.origin else {
            return refuse(
                "the embedded project has no folder",
                "download the publication instead",
            );
        };
        let plain = !name.is_empty()
            && !name.starts_with('.')
            && !name.contains(['/', '\\', ':'])
            && !name.chars().any(char::is_control);
        if !plain {
            return refuse(
                "the output is not a plain file name",
                "name a file such as published.csv",
            );
        }
        if Path::new(name).extension().is_none_or(|ending| ending != format) {
            let what = format!("the output is {format}, and its name does not say so");
            return refuse(&what, &format!("name a file that ends in .{format}"));
        }
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let path = folder.join(name);
        let manifest = manifest_path(&path);
        if path.symlink_metadata().is_ok() || manifest.symlink_metadata().is_ok() {
            let what = "there is a file of this name already";
            return Err(Error::of_kind(ErrorKind::Conflict, what, "choose another name"));
        }
        Ok(path)
    }

    /// Returns the default place of the stored lattice.
    pub fn lattice_path(&self) -> Option<PathBuf> {
        match &self.origin {
            Origin::Folder(folder) => Some(folder.join(LATTICE)),
            Origin::Demo(_) => None,
        }
    }
}

fn missing_project(error: Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let fix = "name a haggle.toml or its folder, or try demo:adult";
    error.map_problems(|problem| Problem {
        what: "there is no project here".into(),
        ..problem.fix(fix)
    })
}
