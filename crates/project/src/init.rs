//! A first project for a table: roles, hierarchies and missing values guessed from the data, each
//! guess with its reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use haggle_cube::Limits;
use haggle_data::{Input, Profile};
use haggle_model::{ANY, Error, Problem, Progress, QuasiIdentifier, Role};
use haggle_output::{NewFile, Readers};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Serialize, Serializer};

use crate::Project;
use crate::origin::Origin;
use crate::survey::survey_values;

pub(crate) mod guess;
mod header;
mod parts;
mod source;
mod text;

use header::ProfiledTable;
use source::InitSource;

pub use guess::Guess;
pub(crate) use source::is_table;

/// At most this many quasi-identifiers are asked by default, unless hierarchies were given.
const ATTRIBUTES: usize = 6;
/// At most this many schemes are asked by default.
const SCHEMES: usize = 20_000;
/// If dropping records with missing values would lose a larger share, they get a value instead.
const LOST: f64 = 0.2;

/// A project that was guessed, and why it is as it is.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let data = folder.path().join("patients.csv");
/// std::fs::write(&data, "name,age,disease\nAda,36,flu\nBob,41,asthma\n")?;
///
/// let draft = haggle::setup::Draft::new(&[data], None, false, &haggle::Silent)?;
/// assert_eq!(draft.quasi_identifiers, ["age"]);
/// draft.write()?;
/// let project = haggle::Project::open(folder.path().to_str().unwrap())?;
/// assert_eq!(project.default_qi(), ["age"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Draft {
    /// Where the project file belongs.
    pub file: PathBuf,
    /// The files or patterns of the data, relative to it where possible; one is a text in JSON,
    /// several are a list.
    #[serde(serialize_with = "one_or_several")]
    pub data: Vec<PathBuf>,
    /// How many records there are.
    pub records: u64,
    /// How many of them are left out because a value is missing.
    pub dropped: u64,
    /// The encoding, where the project has to state it.
    pub encoding: Option<String>,
    /// Whether the first record names the columns.
    pub header: bool,
    /// The columns' names, where the project has to state them.
    pub columns: Option<Vec<String>>,
    /// The marks of missing values that occur.
    pub missing: Vec<String>,
    /// The columns that have them, and how often.
    pub missing_in: BTreeMap<String, u64>,
    /// What happens to records with missing values.
    pub on_missing: String,
    /// A column that likely names persons and repeats.
    pub unit: Option<String>,
    /// What each column likely is.
    pub attributes: Vec<Guess>,
    /// What is asked by default.
    pub quasi_identifiers: Vec<String>,
    /// How many schemes that makes.
    pub schemes: usize,
    /// What to review first.
    pub look_first: Vec<String>,
    /// How many files that is.
    #[serde(skip)]
    files: usize,
    /// The table, if it is in memory.
    #[serde(skip)]
    given: Option<Input>,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    force: bool,
    #[serde(skip)]
    memory: usize,
    /// What the columns hold.
    #[serde(skip)]
    pub(crate) profile: Profile,
    /// The table of a database that takes the place of files.
    #[serde(skip)]
    pub(crate) remote: Option<RemoteTable>,
}

/// A table of a database; what is written down has no password.
#[derive(Clone)]
pub(crate) struct RemoteTable {
    /// How to connect, with the password if one was given.
    pub(crate) url: String,
    /// The table.
    pub(crate) table: String,
}

impl std::fmt::Debug for RemoteTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteTable").field("table", &self.table).finish_non_exhaustive()
    }
}

impl Draft {
    /// Reads a table (or a folder with one, and hierarchy files next to it) and guesses a project.
    /// Several files and patterns are one table. The project belongs into `output`, or into
    /// `haggle.toml` next to the first file; an existing file is refused, unless `force` allows
    /// replacing it.
    pub fn new(
        data: &[PathBuf],
        output: Option<&Path>,
        force: bool,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        Self::within(Limits::default().memory, data, output, force, progress)
    }

    /// Guesses a project with at most this many bytes for the values that occur.
    pub fn within(
        memory: usize,
        data: &[PathBuf],
        output: Option<&Path>,
        force: bool,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        Self::from_source(&InitSource::find(data)?, memory, output, force, progress)
    }

    /// Guesses a project for a table in a database, which is read once. A url with a password is
    /// refused: it would be written into the project.
    pub fn in_database(
        memory: usize,
        url: &str,
        table: &str,
        output: Option<&Path>,
        force: bool,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let source = InitSource::in_database(url, table, progress)?;
        Self::from_source(&source, memory, output, force, progress)
    }

    fn from_source(
        source: &InitSource,
        memory: usize,
        output: Option<&Path>,
        force: bool,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let file = output.map_or_else(|| source.folder.join("haggle.toml"), in_folder);
        NewFile { path: &file, noun: "project", replaces: force }.check()?;
        Ok(Self { force, ..Self::of_source(source, file, memory, progress)? })
    }

    /// Guesses a project for a table in memory. Its project file would belong into `folder`.
    pub fn over(
        input: &Input,
        folder: &Path,
        memory: usize,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let source = InitSource::over(input);
        Self::of_source(&source, folder.join("haggle.toml"), memory, progress)
    }

    fn of_source(
        source: &InitSource,
        file: PathBuf,
        memory: usize,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let look = ProfiledTable::at(&source.input, memory, progress)?;
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let mut draft = Self { memory, ..Self::first(look, file) };
        draft.given = source.is_given.then(|| source.input.clone());
        draft.data = match &source.remote {
            Some(_) => source.data.clone(),
            None => source.data.iter().map(|name| source::relative(name, &folder)).collect(),
        };
        draft.remote.clone_from(&source.remote);
        draft.files = source.input.parts().len();
        source.give_hierarchies(&mut draft.attributes, &folder)?;
        draft.check_patterns()?;
        let limit = if source.hierarchies.is_empty() { ATTRIBUTES } else { usize::MAX };
        draft.finished(limit, progress)
    }

    /// Guesses a project for a table of a database, whose file belongs into `file`. What is written
    /// has no password.
    pub(crate) fn of_database(
        remote: RemoteTable,
        file: PathBuf,
        memory: usize,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        Self::of_source(&InitSource::of_table(remote, progress)?, file, memory, progress)
    }

    /// Tries the project on its data and writes its text.
    fn finished(mut self, limit: usize, progress: &dyn Progress) -> Result<Self, Error> {
        guess::ensure_quasi_identifier(&mut self.attributes);
        self.settle(limit, progress)?;
        self.text = text::project(&self);
        self.project()?;
        Ok(self)
    }

    /// Returns what is known before hierarchies and missing values were tried.
    fn first(look: ProfiledTable, file: PathBuf) -> Self {
        let attributes = guess::all(&look.profile, look.header);
        Self {
            data: Vec::new(),
            files: 0,
            records: look.profile.records,
            dropped: 0,
            encoding: look.encoding.map(str::to_owned),
            header: look.header,
            columns: look.columns,
            missing: guess::missing_marks(&look.profile),
            missing_in: guess::missing_in(&look.profile),
            on_missing: "drop".into(),
            unit: guess::unit(&look.profile),
            attributes,
            quasi_identifiers: Vec::new(),
            schemes: 0,
            look_first: Vec::new(),
            given: None,
            text: String::new(),
            force: false,
            memory: Limits::default().memory,
            profile: look.profile,
            remote: None,
            file,
        }
    }

    /// A pattern must not match the project file as well, once that is written.
    fn check_patterns(&self) -> Result<(), Error> {
        if self.remote.is_some() {
            return Ok(());
        }
        let name = Path::new(self.file.file_name().unwrap_or_default());
        match self.data.iter().find(|pattern| Input::pattern_matches(pattern, name)) {
            None => Ok(()),
            Some(pattern) => {
                let what = format!("this pattern matches the project, {}, too", name.display());
                let fix = "write more of the names, such as \"part-*.csv\", or write the project to another folder";
                Err(Problem::new(what).file(pattern).fix(fix).into())
            }
        }
    }

    /// Tries the project on its data: what dropping loses, and how many levels there are.
    fn settle(&mut self, limit: usize, progress: &dyn Progress) -> Result<(), Error> {
        let few = |dropped: u64, all: u64| dropped as f64 <= LOST * all as f64;
        let (dropped, attributes) = match self.tried(progress) {
            Ok((dropped, attributes)) if few(dropped, self.records) => (dropped, attributes),
            tried if self.missing.is_empty() => tried?,
            _ => {
                self.keep_missing();
                self.tried(progress)?
            }
        };
        self.dropped = dropped;
        self.choose(&attributes, limit);
        self.look_first = text::look_first(self);
        Ok(())
    }

    /// Makes missing a value, which is written as the first mark that is not empty, but never `*`.
    fn keep_missing(&mut self) {
        self.on_missing = "value".into();
        if self.missing.iter().find(|mark| !mark.is_empty()).is_some_and(|mark| mark == ANY) {
            self.missing.insert(0, "?".into());
        }
    }

    fn tried(&mut self, progress: &dyn Progress) -> Result<(u64, Vec<QuasiIdentifier>), Error> {
        self.text = text::project(self);
        let project = self.project()?;
        let qi = project.named(Role::QuasiIdentifier);
        let found = survey_values(&project, &qi, self.memory, progress)?;
        Ok((found.scanned.dropped(), found.attributes))
    }

    /// Chooses what is asked by default: the most identifying first, as long as there are not too
    /// many attributes and schemes.
    fn choose(&mut self, attributes: &[QuasiIdentifier], limit: usize) {
        let ranks: FxHashMap<&str, _> =
            self.attributes.iter().map(|guess| (guess.name.as_str(), guess.rank)).collect();
        let rank = |a: &QuasiIdentifier| ranks.get(a.name.as_str()).copied();
        let mut ranked: Vec<&QuasiIdentifier> = attributes.iter().collect();
        ranked.sort_by_key(|a| rank(a));
        let mut schemes = 1_usize;
        let mut chosen: FxHashSet<&str> = FxHashSet::default();
        for attribute in ranked {
            let more = schemes.saturating_mul(attribute.hierarchy.top().index() + 1);
            if chosen.len() < limit && more <= SCHEMES {
                chosen.insert(&attribute.name);
                schemes = more;
            }
        }
        let in_order = attributes.iter().filter(|a| chosen.contains(a.name.as_str()));
        self.quasi_identifiers = in_order.map(|a| a.name.clone()).collect();
        self.schemes = schemes;
    }

    /// The project that the text describes.
    fn project(&self) -> Result<Project, Error> {
        let folder = self.file.parent().unwrap_or(Path::new("")).to_owned();
        let project = Project::parse(&self.text, Origin::Folder(folder), self.file.clone())?;
        Ok(match (&self.remote, &self.given) {
            (Some(remote), _) => project.with_url(&remote.url),
            (None, Some(given)) => project.over(given.clone()),
            (None, None) => project,
        })
    }

    /// The project file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes the project file, whole or not at all.
    pub fn write(&self) -> Result<(), Error> {
        let file = NewFile { path: &self.file, noun: "project", replaces: self.force };
        file.write(self.text.as_bytes(), Readers::AsUsual)
    }

    /// The names of the columns of a role.
    pub fn named(&self, role: Role) -> Vec<&str> {
        self.attributes.iter().filter(|a| a.role == role).map(|a| a.name.as_str()).collect()
    }
}

/// A text for one path, as it was before there could be several.
fn one_or_several<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    match paths {
        [only] => only.serialize(serializer),
        several => several.serialize(serializer),
    }
}

/// The file itself, or a project file within the folder.
fn in_folder(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("haggle.toml") } else { path.to_owned() }
}
