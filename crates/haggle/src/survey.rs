//! Project and data together: hierarchies read, columns found, values covered, or what is wrong.

use std::ops::ControlFlow;

use haggle_cube::{Counter, Cube, Limits, Watch};
use haggle_data::{Input, Plan, RecordCount, Scanned, Table, profile, scan, scan_values};
use haggle_model::{Hierarchy, Problem, Problems, QuasiIdentifier, Role};
use haggle_privacy::{Stated, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::accounting::{k_asked, notes_on_columns};
use crate::covering::{from_file, from_values, marked, uncovered, with_missing};
use crate::criterion::Criterion;
use crate::facts::{self, AllStated, stated};
use crate::project::Attribute;
use crate::{Error, Project};

/// So many columns of a table are named where one is not found.
const SHOWN: usize = 50;

/// What a project and its data are, found sound.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The records of the table.
    pub records: u64,
    /// The records left out because a value was missing.
    pub dropped: u64,
    /// How many files the table is made of.
    pub files: usize,
    /// How fields are separated, as detected or stated; nothing separates those of Parquet.
    pub separator: Option<char>,
    /// Whether the first record names the columns.
    pub header: bool,
    /// The attributes that count.
    pub attributes: Vec<AttributeReport>,
    /// What the curator should look at.
    pub notes: Vec<String>,
}

/// What was found of an attribute.
#[derive(Debug, Clone, Serialize)]
pub struct AttributeReport {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// How many different values occur.
    pub values: usize,
    /// How many levels its hierarchy has above the recorded values; 0 without one.
    pub levels: u8,
    /// Where the hierarchy comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<String>,
}

/// A table with its counts and the hierarchies that cover it.
pub(crate) struct Survey<T = Counter> {
    pub(crate) attributes: Vec<QuasiIdentifier>,
    pub(crate) scanned: Scanned<T>,
    pub(crate) table: Table,
    /// What the project states of its sensitive attributes.
    pub(crate) stated: AllStated,
}

impl Survey {
    /// The cube of what was counted.
    pub(crate) fn into_cube(self, project: &Project) -> Cube {
        let digest = self.scanned.digest();
        let cube = self.scanned.into_cube(self.attributes);
        match project.data.unit {
            Some(_) => {
                let last = cube.watched().len() - 1;
                cube.with_unit(last, |name| known_as(name, digest))
            }
            None => cube,
        }
    }
}

/// What is kept of a person's name: enough to know the same person in records that come later. The table's
/// digest keeps it from being compared with that of another table.
pub(crate) fn known_as(name: &str, table: u64) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128_with_seed(name.as_bytes(), table))
}

/// Reads the hierarchies and the table once, counting by these quasi-identifiers. Every problem
/// that can be found is found.
pub(crate) fn survey(
    project: &Project,
    qi: &[String],
    memory: usize,
    progress: &Watch<'_>,
) -> Result<Survey, Error> {
    survey_by(project, qi, |table, plan| scan(table, plan, memory, progress))
}

/// The same without counting groups: only which values occur in each column, so that many columns
/// take no more memory than their values.
pub(crate) fn survey_values(
    project: &Project,
    qi: &[String],
    memory: usize,
    progress: &Watch<'_>,
) -> Result<Survey<RecordCount>, Error> {
    survey_by(project, qi, |table, plan| scan_values(table, plan, memory, progress))
}

/// The same, reading the table in any way that meets all of its values.
pub(crate) fn survey_by<T>(
    project: &Project,
    qi: &[String],
    scan: impl FnOnce(&Table, &Plan) -> Result<Scanned<T>, haggle_data::Error>,
) -> Result<Survey<T>, Error> {
    let mut problems = Vec::new();
    let chosen = chosen(project, qi)?;
    let hierarchies: Vec<Option<Hierarchy>> =
        chosen.iter().map(|a| noted(from_file(project, a), &mut problems).flatten()).collect();
    let table = noted(project.table(), &mut problems);
    let counted = table.and_then(|table| {
        let plan = noted(plan(project, &table, qi), &mut problems)?;
        Some((scan(&table, &plan), table))
    });
    let counted = match counted {
        Some((Err(haggle_data::Error::Cancelled), _)) => return Err(Error::Cancelled),
        Some((scanned, table)) => {
            noted(scanned.map_err(Error::from), &mut problems).zip(Some(table))
        }
        None => None,
    };
    let attributes = counted.as_ref().map(|(scanned, table)| {
        let attribute = |(i, (a, hierarchy)): (usize, (&&Attribute, Option<Hierarchy>))| {
            let covering =
                hierarchy.map_or_else(|| from_values(project, table, a, scanned.values(i)), Ok);
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

/// Progress that is told and never stops the work.
pub(crate) fn unstopped(
    progress: &(dyn Fn(usize) + Sync),
) -> impl Fn(usize) -> ControlFlow<()> + Sync {
    |bytes| {
        progress(bytes);
        ControlFlow::Continue(())
    }
}

/// The value, or its problems on the list.
pub(crate) fn noted<T>(result: Result<T, Error>, problems: &mut Vec<Problem>) -> Option<T> {
    result.map_err(|error| problems.extend(error.into_problems())).ok()
}

/// The attributes asked for, in the order asked for.
fn chosen<'p>(project: &'p Project, qi: &[String]) -> Result<Vec<&'p Attribute>, Error> {
    let quasi: Vec<_> = project.named(Role::QuasiIdentifier);
    let attributes = project.attributes.iter().filter(|a| a.role == Role::QuasiIdentifier);
    let by_name: FxHashMap<&str, &Attribute> = attributes.map(|a| (a.name.as_str(), a)).collect();
    let find = |name: &String| {
        by_name.get(name.as_str()).copied().ok_or_else(|| {
            let what = format!("'{name}' is not a quasi-identifier of this project");
            Error::new(what, format!("choose from: {}", quasi.join(", ")))
        })
    };
    some_and_each_once(qi, &quasi.join(", "))?;
    qi.iter().map(find).collect()
}

/// A choice of quasi-identifiers is not empty and names each once.
pub(crate) fn some_and_each_once(qi: &[String], known: &str) -> Result<(), Error> {
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
pub(crate) fn plan(project: &Project, table: &Table, qi: &[String]) -> Result<Plan, Error> {
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
    // A first record that names no attribute is likely no header, and records are never printed.
    let header = project.attributes.iter().any(|a| table.column(&a.name).is_some());
    let fix = if header {
        let names = table.columns().iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>();
        let more = if table.columns().len() > SHOWN { ", …" } else { "" };
        format!("its columns are: {}{more}", names.join(", "))
    } else {
        "the first record names no attribute of the project; if it is no header, state \
         header = false and columns = [\"…\", …]"
            .into()
    };
    let what = format!("the data has no column '{name}'");
    Problem::new(what).file(&project.file).line(line).fix(fix)
}

impl Project {
    /// An error unless these are quasi-identifiers of the project, each named once.
    pub fn check_quasi_identifiers(&self, names: &[String]) -> Result<(), Error> {
        chosen(self, names).map(|_| ())
    }

    /// The project's data files.
    pub(crate) fn input(&self) -> Result<Input, Error> {
        match &self.data.remote {
            Some(remote) => Ok(Input::database(remote.open()?)),
            None => self.origin.inputs(&self.data.paths),
        }
    }

    /// The project's table, opened: dialect and columns are settled.
    pub(crate) fn table(&self) -> Result<Table, Error> {
        Ok(Table::open(self.input()?, &self.data.options)?)
    }

    /// Reads everything and reports every problem at once, or what the project is.
    pub fn check(&self, progress: &(dyn Fn(usize) + Sync)) -> Result<Report, Error> {
        self.check_within(Limits::default().memory, progress)
    }

    /// The same with at most this many bytes for the values that occur.
    pub fn check_within(
        &self,
        memory: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Report, Error> {
        let qi = self.named(Role::QuasiIdentifier);
        let Survey { attributes, scanned, table, stated } =
            survey_values(self, &qi, memory, &unstopped(progress))?;
        let table = table.within(memory);
        let sources: FxHashMap<&str, &Attribute> =
            self.attributes.iter().map(|a| (a.name.as_str(), a)).collect();
        let sensitive = self.named(Role::Sensitive);
        let quasi = attributes
            .iter()
            .map(|a| (&a.name, Role::QuasiIdentifier, u8::from(a.hierarchy.top())));
        let levels = |name: &String| {
            let rows = stated.get(name).and_then(|stated| stated.hierarchy.as_ref());
            rows.and_then(|rows| rows.first()).map_or(0, |row| row.len() as u8 - 1)
        };
        let watched = sensitive.iter().map(|name| (name, Role::Sensitive, levels(name)));
        let report = |(i, (name, role, levels)): (usize, (&String, Role, u8))| AttributeReport {
            name: name.clone(),
            role,
            values: scanned.values(i).dictionary.len(),
            levels,
            hierarchy: (role == Role::QuasiIdentifier || levels > 0)
                .then(|| sources.get(name.as_str()).map(|a| a.source()).unwrap_or_default()),
        };
        let missing =
            (0..).zip(&attributes).map(|(i, a)| (&a.name, scanned.values(i).missing.len()));
        let notes = missing.filter(|(_, n)| *n > 0).map(|(name, n)| matched_by_nobody(name, n));
        self.check_as_recorded(&table)?;
        let columns = notes_on_columns(self, &table, memory, &unstopped(progress))?;
        let notes = notes.chain(self.likely_units(&table)?).chain(columns);
        let notes: Vec<String> = notes.collect();
        self.check_request(&scanned, qi.len(), &stated)?;
        Ok(Report {
            records: scanned.read(),
            dropped: scanned.dropped(),
            files: table.input().parts().len(),
            separator: table.is_delimited().then(|| table.dialect().separator.into()),
            header: table.has_header(),
            attributes: quasi.chain(watched).enumerate().map(report).collect(),
            notes,
        })
    }

    /// The columns in which a missing value matters.
    pub(crate) fn checked(&self, table: &Table) -> Vec<usize> {
        let quasi = self.named(Role::QuasiIdentifier).into_iter();
        let names = quasi.chain(self.named(Role::Sensitive));
        names.filter_map(|name| table.column(&name)).collect()
    }

    /// The k that is asked by default.
    pub(crate) fn k(&self) -> Option<u64> {
        k_asked(&self.defaults.privacy)
    }

    /// Every column that is named to be published as recorded is one of the table.
    fn check_as_recorded(&self, table: &Table) -> Result<(), Error> {
        let unknown = self.publish.as_recorded.iter().filter(|name| table.column(name).is_none());
        let problem = |name: &String| {
            let what = format!("as_recorded names '{name}', which is no column of the data");
            Problem::new(what).file(&self.file).fix("correct the name, or leave it out")
        };
        Ok(Problems::check(unknown.map(problem).collect())?)
    }

    /// Whether what is asked by default can be asked of this data.
    fn check_request(
        &self,
        scanned: &Scanned<RecordCount>,
        counted: usize,
        stated: &AllStated,
    ) -> Result<(), Error> {
        if self.defaults.privacy.is_empty() {
            return Ok(());
        }
        let sensitive = self.named(Role::Sensitive);
        let facts = sensitive.iter().enumerate().map(|(position, name)| {
            let values = scanned.values(counted + position).dictionary.sorted();
            let counts = vec![1; values.len()];
            let target = Target { position, name: name.clone() };
            facts::of(target, values, counts, stated.get(name).unwrap_or(&Stated::default()))
        });
        let facts = facts.collect::<Result<Vec<_>, _>>()?;
        let unit = self.data.unit.as_ref();
        let unit = unit.map(|name| Target { position: sensitive.len(), name: name.clone() });
        let criteria = Criterion::all(&self.defaults.privacy, &facts, unit.as_ref());
        criteria.and_then(|c| c.iter().try_for_each(Criterion::within_reach)).map_err(|error| {
            let placed = error.into_problems().into_iter().map(|p| p.file(&self.file));
            Problems::check(placed.collect()).expect_err("a failure has problems").into()
        })
    }

    /// Columns that seem to name persons and repeat, if the project does not say what to count.
    fn likely_units(&self, table: &Table) -> Result<Vec<String>, Error> {
        let identifiers: FxHashSet<String> = self.named(Role::Identifier).into_iter().collect();
        let likely = |name: &String| identifiers.contains(name) || names_persons(name);
        if self.data.unit.is_some() || !table.columns().iter().any(likely) {
            return Ok(Vec::new());
        }
        let profile = profile(table, &self.data.missing.marks, &|_| ())?;
        let repeats = |column: &&haggle_data::Column| {
            likely(&column.name) && column.sample.values().iter().any(|(_, records)| *records > 1)
        };
        let note = |column: &haggle_data::Column| {
            let (name, about) =
                (&column.name, if column.sample.is_complete() { "" } else { "about " });
            format!(
                "'{name}' repeats: {} records, {about}{} different values. If it names persons, say \
                 unit = \"{name}\" under [data], because k records of one person are no crowd.",
                column.known,
                column.sample.distinct()
            )
        };
        Ok(profile.columns.iter().filter(repeats).map(note).collect())
    }
}

fn matched_by_nobody(name: &str, records: usize) -> String {
    let records = if records == 1 { "1 record".into() } else { format!("{records} records") };
    format!(
        "'{name}' is missing in {records}. A missing value matches nothing, so each is a group of \
         its own unless '{name}' is at its top level."
    )
}

/// Whether a column's name sounds like the number of a person.
fn names_persons(name: &str) -> bool {
    let name = name.to_lowercase();
    name == "id" || ["_id", "-id", " id", ".id"].iter().any(|ending| name.ends_with(ending))
}
