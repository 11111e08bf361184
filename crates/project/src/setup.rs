//! A project that is set up step by step: a table with guesses, plans for it, and their project files
//! with comments kept.

use std::path::{Path, PathBuf};

use haggle_api::setup::{
    HierarchyRule, MissingPolicy, PlannedColumn, SetupPlan, SetupSource, SetupTable, SetupValues,
};
use haggle_cube::Limits;
use haggle_data::{OnMissing, Profile, profile};
use haggle_model::{Error, ErrorKind, Problem, Progress, Role};
use haggle_output::{NewFile, Readers};

use crate::Project;
use crate::init::guess;
use crate::init::{Draft, Guess, RemoteTable};
use crate::origin::Origin;
use crate::project::Definition;
use crate::survey::survey_values;

mod columns;
mod edit;
mod paste;
mod rules;

/// Settings of the address of a database that are paths.
const FILE_SETTINGS: [&str; 5] = ["sslrootcert", "sslcert", "sslkey", "sslcrl", "sslcrldir"];

/// A table that is being set up: the text to begin with, and what is known of its columns.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let data = folder.path().join("patients.csv");
/// std::fs::write(&data, "age,disease\n36,flu\n41,asthma\n")?;
///
/// let setup = haggle::setup::TableSetup::of_file(&data, &haggle::Silent)?;
/// let mut plan = setup.plan();
/// plan.k = Some(2);
/// assert!(setup.text(&plan)?.contains("k = 2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableSetup {
    /// Where the project file is or belongs.
    file: PathBuf,
    source: SetupSource,
    /// The project file before any change.
    text: String,
    /// The project that the text describes.
    stated: Project,
    profile: Profile,
    guesses: Vec<Guess>,
    look_first: Vec<String>,
    /// The database with its password, which no text has.
    remote: Option<RemoteTable>,
}

impl TableSetup {
    /// Opens a file, whose project belongs next to it.
    pub fn of_file(data: &Path, progress: &dyn Progress) -> Result<Self, Error> {
        let data = if data.is_relative() { Path::new(".").join(data) } else { data.to_owned() };
        let file = data.parent().unwrap_or(Path::new(".")).join("haggle.toml");
        let memory = Limits::default().memory;
        // What is there already is not touched before the project is saved.
        let draft = Draft::within(memory, &[data], Some(&file), true, progress)?;
        Self::guessed(draft, SetupSource::Given)
    }

    /// Opens a table of a database; its project belongs into the folder.
    pub fn of_database(
        url: &str,
        table: &str,
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        if !(url.starts_with("postgres://") || url.starts_with("postgresql://")) {
            let what = "this is not the address of a database";
            return Err(Error::new(what, "write it as postgres://user@host:5432/database"));
        }
        if names_files(url) {
            let what = "the address of the database names files, which are not read for a request";
            let fix = "set PGSSLROOTCERT, PGSSLCERT and PGSSLKEY where haggle is started";
            return Err(Error::new(what, fix));
        }
        let remote = RemoteTable { url: url.into(), table: table.into() };
        let file = folder.join("haggle.toml");
        let draft = Draft::of_database(remote, file, Limits::default().memory, progress)?;
        Self::guessed(draft, SetupSource::Database)
    }

    /// Opens an existing project to change it.
    pub fn of_project(project: &Project, progress: &dyn Progress) -> Result<Self, Error> {
        let Origin::Folder(_) = &project.origin else {
            let what = "the embedded project cannot be changed";
            return Err(Error::unsupported(what, "open your own table instead"));
        };
        let bytes = project.origin.read(Path::new(project.file.file_name().unwrap_or_default()))?;
        let text = String::from_utf8(bytes).unwrap_or_default();
        let stated = Project::parse(&text, project.origin.clone(), project.file.clone())?;
        let profile = profile(&stated.table(progress)?, &stated.data.missing.marks, progress)?;
        let guesses = guess::all(&profile, true);
        let source = SetupSource::Project;
        let (file, remote) = (project.file.clone(), None);
        let look_first = Vec::new();
        Ok(Self { file, source, text, stated, profile, guesses, look_first, remote })
    }

    fn guessed(draft: Draft, source: SetupSource) -> Result<Self, Error> {
        let text = draft.text().to_owned();
        let stated = parsed(&text, &draft.file)?;
        let Draft { file, profile, attributes: guesses, look_first, remote, .. } = draft;
        Ok(Self { file, source, text, stated, profile, guesses, look_first, remote })
    }

    /// Marks the table as one that was uploaded.
    pub fn uploaded(self) -> Self {
        Self { source: SetupSource::Uploaded, ..self }
    }

    /// The table as a page sees it.
    pub fn table(&self, id: &str, name: &str) -> SetupTable {
        let columns = self.profile.columns.iter().zip(&self.guesses);
        SetupTable {
            id: id.into(),
            name: name.into(),
            source: self.source,
            records: self.profile.records,
            columns: columns.map(|(column, guess)| columns::column(column, guess)).collect(),
            look_first: self.look_first.clone(),
            can_save: matches!(self.source, SetupSource::Given | SetupSource::Project),
            plan: self.plan(),
        }
    }

    /// The values of a column; of one that names people, none.
    pub fn values(&self, column: &str) -> Result<SetupValues, Error> {
        let found = self.profile.columns.iter().zip(&self.guesses);
        let found = found.into_iter().find(|(profile, _)| profile.name == column);
        let (profile, guess) = found.ok_or_else(|| no_column(column))?;
        Ok(columns::values(profile, guess))
    }

    /// The plan to begin with.
    pub fn plan(&self) -> SetupPlan {
        let stated = &self.stated;
        let negotiated = stated.default_qi();
        let column = |name: &String| {
            let attribute = stated.attributes.iter().find(|a| a.name == *name);
            PlannedColumn {
                name: name.clone(),
                role: attribute.map_or(Role::Insensitive, |a| a.role),
                negotiated: negotiated.contains(name),
                hierarchy: attribute.and_then(|a| a.hierarchy.as_ref()).map(rules::of_definition),
            }
        };
        let names = self.profile.columns.iter().map(|column| &column.name);
        SetupPlan {
            columns: names.map(column).collect(),
            missing: stated.data.missing.marks.clone(),
            on_missing: policy(stated.data.missing.policy),
            unit: stated.data.unit.clone(),
            k: stated.k(),
            max_suppressed: stated.defaults.max_suppressed.map(|amount| amount.to_string()),
        }
    }

    /// The project file of a plan: the text to begin with, where comments and everything that the plan
    /// does not change are kept.
    pub fn text(&self, plan: &SetupPlan) -> Result<String, Error> {
        self.check_names(plan)?;
        let guessed = self.source != SetupSource::Project;
        edit::text(&self.text, &self.stated, &self.plan(), plan, guessed)
    }

    /// The project of a plan.
    pub fn project(&self, plan: &SetupPlan) -> Result<Project, Error> {
        let project = parsed(&self.text(plan)?, &self.file)?;
        Ok(match &self.remote {
            Some(remote) => project.with_url(&remote.url),
            None => project,
        })
    }

    /// Writes the project file of a plan, whole or not at all. A file that the set-up did not begin
    /// with is replaced only if `force` allows it.
    pub fn save(&self, plan: &SetupPlan, force: bool) -> Result<PathBuf, Error> {
        self.project(plan)?;
        let force = force || self.source == SetupSource::Project;
        let file = NewFile { path: &self.file, noun: "project", replaces: force };
        file.write(self.text(plan)?.as_bytes(), Readers::AsUsual)?;
        Ok(self.file.clone())
    }

    /// A hierarchy that was pasted as text, as a rule of the project file; none if it has no level
    /// between the values and `*`.
    pub fn pasted(&self, column: &str, text: &str) -> Result<Option<HierarchyRule>, Error> {
        if !self.profile.columns.iter().any(|known| known.name == column) {
            return Err(no_column(column));
        }
        paste::rule(column, text)
    }

    fn check_names(&self, plan: &SetupPlan) -> Result<(), Error> {
        let known = |name: &str| self.profile.columns.iter().any(|column| column.name == name);
        let names = plan.columns.iter().map(|column| &column.name).chain(&plan.unit);
        match names.into_iter().find(|name| !known(name)) {
            Some(name) => Err(no_column(name)),
            None => Ok(()),
        }
    }
}

impl Project {
    /// How many records have a missing value in a quasi-identifier or sensitive column, whatever
    /// becomes of them.
    pub fn incomplete(&self, memory: usize, progress: &dyn Progress) -> Result<u64, Error> {
        if self.data.missing.marks.is_empty() {
            return Ok(0);
        }
        let mut dropping = self.clone();
        dropping.data.missing.policy = OnMissing::Drop;
        let qi: Vec<String> = self.default_qi();
        Ok(survey_values(&dropping, &qi, memory, progress)?.scanned.dropped())
    }

    /// Whether a path is a table or a folder with one and no project, so that a project can be set up.
    pub fn is_table(path: &Path) -> bool {
        crate::init::is_table(path)
    }
}

/// Whether the address of a database names files, wherever the driver would find them in it.
fn names_files(url: &str) -> bool {
    url.split(['?', '&']).skip(1).any(|setting| {
        let key = setting.split('=').next().unwrap_or_default().trim_end();
        FILE_SETTINGS.contains(&key)
    })
}

fn parsed(text: &str, file: &Path) -> Result<Project, Error> {
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    Project::parse(text, Origin::Folder(folder), file.to_owned())
}

fn policy(policy: OnMissing) -> MissingPolicy {
    match policy {
        OnMissing::Drop => MissingPolicy::Drop,
        OnMissing::Value => MissingPolicy::Value,
        OnMissing::Unmatched => MissingPolicy::Unmatched,
        OnMissing::Error => MissingPolicy::Error,
    }
}

fn no_column(name: &str) -> Error {
    Problem::new(format!("the table has no column '{name}'"))
        .of_kind(ErrorKind::NotFound)
        .fix("name a column of the table that was opened")
        .into()
}

/// Whether two definitions are the same hierarchy.
fn same(rule: Option<&HierarchyRule>, stated: Option<&Definition>) -> bool {
    rule == stated.map(rules::of_definition).as_ref()
}
