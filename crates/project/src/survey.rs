//! Project and data together: hierarchies read, columns found, values covered, or what is wrong.

use std::path::{Path, PathBuf};

use haggle_cube::{Counter, Cube};
use haggle_data::{
    Input, OnMissing, Plan, RecordCount, Scanned, Table, TableSource, scan, scan_values,
};
use haggle_model::{
    Error, ErrorKind, Hierarchy, Problem, Problems, Progress, QuasiIdentifier, Role, Scheme, Space,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Project;
use crate::covering::{covering, from_file, marked, uncovered, with_missing};
use crate::files::{matched_publication, without_publications};
use crate::project::Attribute;
pub use crate::stated::noted;
use crate::stated::{AllStated, stated};

/// How many columns of a table are named where one is not found.
const SHOWN: usize = 50;

/// A table with its counts and the hierarchies that cover it.
pub struct Survey<T = Counter> {
    /// The quasi-identifiers with their hierarchies.
    pub attributes: Vec<QuasiIdentifier>,
    /// What was counted.
    pub scanned: Scanned<T>,
    /// The table.
    pub table: Table,
    /// What the project states of its sensitive attributes.
    pub stated: AllStated,
}

impl Survey {
    /// The cube of what was counted.
    pub fn into_cube(self, project: &Project) -> Cube {
        let digest = self.scanned.digest();
        of_persons(self.scanned.into_cube(self.attributes), project, digest)
    }
}

/// The cube with the project's persons, if it has some.
fn of_persons(cube: Cube, project: &Project, digest: u64) -> Cube {
    match project.data.unit {
        Some(_) => {
            let last = cube.watched().len() - 1;
            cube.with_unit(last, |name| known_as(name, digest))
        }
        None => cube,
    }
}

/// Returns a digest of a person's name: enough to recognize the same person in later records. The
/// table's digest as seed keeps it from being compared with that of another table.
pub fn known_as(name: &str, table: u64) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128_with_seed(name.as_bytes(), table))
}

/// Reads the hierarchies and the table once, counting by these quasi-identifiers. All problems are
/// reported together.
pub fn survey(
    project: &Project,
    qi: &[String],
    memory: usize,
    progress: &dyn Progress,
) -> Result<Survey, Error> {
    survey_by(project, qi, progress, |table, plan| scan(table, plan, memory, progress))
}

/// Reads the hierarchies and the table once without counting groups: only which values occur in
/// each column, so that many columns take no more memory than their values.
pub fn survey_values(
    project: &Project,
    qi: &[String],
    memory: usize,
    progress: &dyn Progress,
) -> Result<Survey<RecordCount>, Error> {
    survey_by(project, qi, progress, |table, plan| scan_values(table, plan, memory, progress))
}

/// Reads the table twice: its values, and then its groups from some levels on, in no more memory
/// than these groups take. `start` says which levels, once hierarchies and names are known.
pub fn survey_from(
    project: &Project,
    qi: &[String],
    start: impl FnOnce(&Scheme, &[&str]) -> Result<Scheme, Error>,
    memory: usize,
    progress: &dyn Progress,
) -> Result<GeneralSurvey, Error> {
    if project.data.missing.policy == OnMissing::Unmatched {
        let what = "missing values that match nothing are known by their records, so groups cannot \
                    be counted from higher levels on";
        return Err(Error::new(what, "choose on_missing = \"drop\" or \"value\""));
    }
    let Survey { attributes, scanned, table, stated } =
        survey_values(project, qi, memory, progress)?;
    drop(scanned);
    let names: Vec<&str> = attributes.iter().map(|a| a.name.as_str()).collect();
    let start = start(Space::of(attributes.iter().map(|a| &a.hierarchy)).top(), &names)?;
    let plan = plan(project, &table, qi)?;
    let mut source = TableSource::new(table, plan, attributes, memory);
    let cube = source.cube_from(&start, progress)?;
    let digest = source.digest();
    let cube = of_persons(cube, project, digest);
    Ok(GeneralSurvey { cube, stated, digest, dropped: source.dropped().unwrap_or(0) })
}

/// A table counted from some levels on.
pub struct GeneralSurvey {
    /// The groups.
    pub cube: Cube,
    /// What the project states of its sensitive attributes.
    pub stated: AllStated,
    /// A digest of the bytes that were counted.
    pub digest: u64,
    /// How many records were dropped for a missing value.
    pub dropped: u64,
}

/// Surveys a table with any way of reading it that visits all of its values.
pub fn survey_by<T>(
    project: &Project,
    qi: &[String],
    progress: &dyn Progress,
    scan: impl FnOnce(&Table, &Plan) -> Result<Scanned<T>, Error>,
) -> Result<Survey<T>, Error> {
    let mut problems = Vec::new();
    let chosen = chosen(project, qi)?;
    let hierarchies: Vec<Option<Hierarchy>> =
        chosen.iter().map(|a| noted(from_file(project, a), &mut problems).flatten()).collect();
    let table = match project.table(progress) {
        Err(error) if error.is_cancelled() => return Err(error),
        table => noted(table, &mut problems),
    };
    let counted = table.and_then(|table| {
        let plan = noted(plan(project, &table, qi), &mut problems)?;
        Some((scan(&table, &plan), table))
    });
    let counted = match counted {
        Some((Err(error), _)) if error.is_cancelled() => return Err(error),
        Some((Err(error), _)) if problems.is_empty() && error.kind() == ErrorKind::OutOfMemory => {
            return Err(error);
        }
        Some((scanned, table)) => noted(scanned, &mut problems).zip(Some(table)),
        None => None,
    };
    let attributes = counted.as_ref().map(|(scanned, table)| {
        let attribute = |(i, (a, file)): (usize, (&&Attribute, Option<Hierarchy>))| {
            let covering = covering(project, table, a, file, scanned.values(i));
            let hierarchy = noted(covering, &mut problems)?;
            problems.extend(marked(project, a, &hierarchy));
            let hierarchy = with_missing(hierarchy, scanned.values(i));
            let found = QuasiIdentifier { name: a.name.clone(), hierarchy };
            let left_out: Vec<_> = scanned.uncovered(i, &found).collect();
            problems.extend(uncovered(project, table, a, &left_out));
            Some(found)
        };
        chosen.iter().zip(hierarchies).enumerate().filter_map(attribute).collect::<Vec<_>>()
    });
    let stated = counted
        .as_ref()
        .map(|(scanned, table)| stated(project, table, scanned, qi.len(), &mut problems));
    Problems::check(problems)?;
    let (scanned, table) = counted.expect("no problem, so the table was counted");
    let attributes = attributes.expect("the table was counted");
    Ok(Survey { attributes, scanned, table, stated: stated.unwrap_or_default() })
}

/// The attributes asked for, in the order asked for.
fn chosen<'p>(project: &'p Project, qi: &[String]) -> Result<Vec<&'p Attribute>, Error> {
    let quasi: Vec<_> = project.named(Role::QuasiIdentifier);
    let attributes = project.attributes.iter().filter(|a| a.role == Role::QuasiIdentifier);
    let by_name: FxHashMap<&str, &Attribute> = attributes.map(|a| (a.name.as_str(), a)).collect();
    let find = |name: &String| {
        by_name.get(name.as_str()).copied().ok_or_else(|| {
            let what = format!("'{name}' is not a quasi-identifier of this project");
            let fix = format!("choose from: {}", quasi.join(", "));
            Error::of_kind(ErrorKind::NotFound, what, fix)
        })
    };
    some_and_each_once(qi, &quasi.join(", "))?;
    qi.iter().map(find).collect()
}

/// A choice of quasi-identifiers is not empty and names each once.
pub fn some_and_each_once(qi: &[String], known: &str) -> Result<(), Error> {
    if qi.is_empty() {
        return Err(Error::new("no quasi-identifier is chosen", format!("choose from: {known}")));
    }
    let mut known = FxHashSet::default();
    match qi.iter().find(|name| !known.insert(name.as_str())) {
        Some(twice) => {
            let what = format!("'{twice}' is named twice");
            Err(Error::new(what, "name each quasi-identifier once"))
        }
        None => Ok(()),
    }
}

/// What to count, by column; columns that the table does not have are problems.
pub fn plan(project: &Project, table: &Table, qi: &[String]) -> Result<Plan, Error> {
    let mut problems = Vec::new();
    let mut column = |name: &String| {
        let found = table.column(name);
        if found.is_none() {
            problems.push(no_column(project, table, name));
        }
        found.unwrap_or(0)
    };
    let sensitive = project.named(Role::Sensitive);
    let checked = project.named(Role::QuasiIdentifier).into_iter().chain(sensitive.clone());
    let unit = project.data.unit.iter().map(&mut column).collect::<Vec<_>>();
    let plan = Plan {
        checked: checked.map(|name| column(&name)).collect(),
        counted: qi.iter().map(|name| table.column(name).unwrap_or(0)).collect(),
        watched: sensitive.iter().map(|name| table.column(name).unwrap_or(0)).chain(unit).collect(),
        missing: project.data.missing.clone(),
    };
    Problems::check(problems)?;
    Ok(plan)
}

pub(crate) fn no_column(project: &Project, table: &Table, name: &str) -> Problem {
    let line = project.attributes.iter().find(|a| a.name == name).map_or(1, |a| a.line);
    let known = project.attributes.iter().filter(|a| table.column(&a.name).is_some()).count();
    // Records are never printed: a first record that has the name of an attribute among its values
    // need not be a header, nor need one that the project claims to be it.
    let is_stated = project.data.options.columns.is_some() || !table.is_delimited();
    let is_header = is_stated || (known > 1 && 2 * known >= project.attributes.len());
    let fix = if is_header {
        let names = table.columns().iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>();
        let more = if table.columns().len() > SHOWN { ", …" } else { "" };
        format!("its columns are: {}{more}", names.join(", "))
    } else {
        let found = if known == 0 { "names no attribute" } else { "names few attributes" };
        format!(
            "the first record {found} of the project; if it is not a header, state header = false \
             and columns = [\"…\", …]"
        )
    };
    let what = format!("the data has no column '{name}'");
    Problem::new(what).file(&project.file).line(line).fix(fix)
}

impl Project {
    /// An error unless these are quasi-identifiers of the project, each named once.
    pub fn check_quasi_identifiers(&self, names: &[String]) -> Result<(), Error> {
        chosen(self, names).map(|_| ())
    }

    /// The project's data files, or its table in a database, which is connected to until `progress` is
    /// cancelled.
    pub fn input(&self, progress: &dyn Progress) -> Result<Input, Error> {
        match (&self.data.given, &self.data.remote) {
            (Some(given), _) => Ok(given.clone()),
            (None, Some(remote)) => Ok(Input::database(remote.open(progress)?)),
            (None, None) => {
                let input = self.origin.inputs(&self.data.paths)?;
                without_publications(input, |file| self.is_named(file))
            }
        }
    }

    /// A publication that a pattern of the project's data matches, because of which the data is
    /// refused.
    pub fn matched_publication(&self) -> Option<PathBuf> {
        let is_on_disk = self.data.given.is_none() && self.data.remote.is_none();
        let input = is_on_disk.then(|| self.origin.inputs(&self.data.paths).ok()).flatten()?;
        matched_publication(&input, |file| self.is_named(file))
    }

    /// Whether the project names a file of its data itself, not by a pattern.
    fn is_named(&self, file: &Path) -> bool {
        self.data.paths.iter().any(|path| self.origin.path(path) == file)
    }

    /// The project's table, opened: its dialect and columns are known.
    pub fn table(&self, progress: &dyn Progress) -> Result<Table, Error> {
        Table::open(self.input(progress)?, &self.data.options)
    }

    /// The columns in which a missing value matters.
    pub fn checked(&self, table: &Table) -> Vec<usize> {
        let quasi = self.named(Role::QuasiIdentifier).into_iter();
        let names = quasi.chain(self.named(Role::Sensitive));
        names.filter_map(|name| table.column(&name)).collect()
    }
}
