//! Queries on a published file, whose cells may mix levels.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use haggle_api::{QueryAnswer, QueryAsk, WorkloadReport};
use haggle_cube::query::ValueSet;
use haggle_data::{Plan, Scanned, Table, scan};
use haggle_engine::Engine;
use haggle_inference::groups::{FileColumns, Unresolved, hierarchy_of_cells};
use haggle_inference::{Knowledge, PublishedGroups, Query};
use haggle_model::{
    Dictionary, Error, ErrorKind, Hierarchy, Level, Problem, Problems, Progress, QuasiIdentifier,
    UNMATCHED, Watched,
};

use crate::manifest::Manifest;
use crate::measure::in_no_field;
use crate::queries::{QueriedCounts, answers, counts_with, with_recorded_values, workload_on};
use crate::reading;

/// A published file that can be queried.
///
/// With an engine, its hierarchies say which recorded values a cell may stand for, and its counts
/// give probabilities and the truth. Without one, the recorded values are those that occur in the
/// file, and all are equally likely.
#[derive(Debug)]
pub struct FileQueries<'e> {
    path: PathBuf,
    table: Table,
    engine: Option<&'e Engine>,
    /// The columns whose values may be generalized, if they are known.
    qi: Option<Vec<String>>,
    /// The levels of these columns, where the manifest next to the file says them.
    levels: BTreeMap<String, Level>,
    memory: usize,
}

/// A record of the file, as often as it occurs: its cells, then its recorded values.
type CountedRecord = (Vec<String>, Vec<String>, u64);

impl<'e> FileQueries<'e> {
    /// Opens a file. Which columns may be generalized is as named, else as the engine or the
    /// manifest next to the file says; if nothing says it, all may be except the target of a query.
    pub fn open(
        file: &Path,
        engine: Option<&'e Engine>,
        qi: Option<Vec<String>>,
        memory: usize,
    ) -> Result<Self, Error> {
        let manifest = Manifest::next_to(file)?;
        let counted = || {
            let names = engine?.attributes();
            Some(names.into_iter().map(String::from).collect::<Vec<_>>())
        };
        let published = || {
            let attributes = &manifest.as_ref()?.attributes;
            Some(attributes.iter().map(|attribute| attribute.name.clone()).collect())
        };
        let qi = counted().or(qi).or_else(published);
        let project = engine.and_then(Engine::project);
        let columns = qi.clone().unwrap_or_default();
        let table = reading::open(file, manifest.as_ref(), project, &columns)?;
        let levels = manifest.as_ref().map(Manifest::levels).unwrap_or_default();
        Ok(Self { path: file.into(), table, engine, qi, levels, memory })
    }

    /// Answers a query.
    pub fn answer(&self, ask: &QueryAsk, progress: &dyn Progress) -> Result<QueryAnswer, Error> {
        let query = answers::parse(ask)?;
        let named = answers::columns(&[&query], ask.group_by.as_deref());
        let all = self.table.columns().iter();
        let of = ask.of.as_deref();
        let qi = self
            .qi
            .clone()
            .unwrap_or_else(|| all.filter(|name| Some(name.as_str()) != of).cloned().collect());
        let recorded: Vec<&str> =
            named.iter().filter(|name| !qi.iter().any(|known| known == *name)).copied().collect();
        let records = self.records(&qi, &recorded, progress)?;
        if let Some(engine) = self.engine {
            let counts = counts_with(engine, &recorded, progress)?;
            let query = with_recorded_values(query, &counts);
            let QueriedCounts { joint, scans, .. } = counts;
            let groups = self.groups(joint.attributes(), joint.columns(), &records)?;
            let (knowledge, facts) = (Knowledge::Table(&joint), engine.facts());
            return answers::answer(&groups, knowledge, ask, &query, facts, scans);
        }
        let (attributes, columns) = guessed(&qi, &recorded, &records)?;
        let groups = self.groups(&attributes, &columns, &records)?;
        answers::answer(&groups, Knowledge::Uniform, ask, &query, &[], 0)
    }

    /// Answers many queries, and summarizes their errors: an engine must say what is true.
    pub fn workload(
        &self,
        queries: &[Query],
        progress: &dyn Progress,
    ) -> Result<WorkloadReport, Error> {
        let engine = self.engine.ok_or_else(|| {
            let what = "errors of queries are known only next to the table behind the file";
            Error::new(what, "name the project")
        })?;
        let named = answers::columns(&queries.iter().collect::<Vec<_>>(), None);
        let qi = self.qi.clone().unwrap_or_default();
        let recorded: Vec<&str> =
            named.into_iter().filter(|name| !qi.iter().any(|known| known == name)).collect();
        let records = self.records(&qi, &recorded, progress)?;
        workload_on(
            engine,
            &recorded,
            queries,
            |joint| self.groups(joint.attributes(), joint.columns(), &records),
            progress,
        )
    }

    /// Counts the records of the file.
    fn records(
        &self,
        qi: &[String],
        recorded: &[&str],
        progress: &dyn Progress,
    ) -> Result<Vec<CountedRecord>, Error> {
        let names = qi.iter().map(String::as_str).chain(recorded.iter().copied());
        let names: Vec<&str> = names.collect();
        let column = |name: &&str| {
            self.table.column(name).ok_or_else(|| {
                // The columns are not listed: without a header they would be a record.
                let fix = "check the name, and that the first record of the file names its columns";
                let problem = Problem::new(format!("there is no column '{name}'"));
                Error::from(problem.of_kind(ErrorKind::NotFound).file(&self.path).fix(fix))
            })
        };
        let counted = names.iter().map(column).collect::<Result<Vec<usize>, _>>()?;
        let plan = Plan { counted, watched: vec![], checked: vec![], missing: in_no_field() };
        let scanned = scan(&self.table, &plan, self.memory, progress)?;
        Ok(counted_records(scanned, &names, qi.len()))
    }

    /// The groups of the file.
    fn groups<'a>(
        &self,
        attributes: &'a [QuasiIdentifier],
        columns: &'a [Watched],
        records: &[CountedRecord],
    ) -> Result<PublishedGroups<'a>, Error> {
        // Where only the file is known, its cells are the values of a hierarchy without levels.
        let level = |name: &str| self.engine.and_then(|_| self.levels.get(name).copied());
        let mut cells = FileColumns::at_levels(attributes, level);
        let mut resolved = Vec::with_capacity(records.len());
        for (sides, values, count) in records {
            let sides = sides.iter().enumerate().map(|(i, cell)| cells.resolve(i, cell));
            let sides = sides.collect::<Result<Vec<ValueSet>, _>>();
            let sides = sides.map_err(|unresolved| self.unexplained(&unresolved))?;
            let codes = values.iter().zip(columns).map(|(value, column)| self.code(value, column));
            resolved.push((sides, codes.collect::<Result<Vec<u32>, _>>()?, *count));
        }
        Ok(PublishedGroups::of_file(attributes, columns, resolved))
    }

    fn unexplained(&self, unresolved: &Unresolved) -> Error {
        let Unresolved { attribute, cell } = unresolved;
        let what = format!("the hierarchy of '{attribute}' does not explain its value '{cell}'");
        let fix = "use the project that the file was published from";
        Error::from(Problems::from(Problem::new(what).file(&self.path).fix(fix)))
    }

    fn code(&self, value: &str, column: &Watched) -> Result<u32, Error> {
        if value == UNMATCHED {
            return Ok(column.values.len() as u32);
        }
        column.values.code(value).ok_or_else(|| {
            let what =
                format!("'{}' has a value that the data of the project does not have", column.name);
            let fix = "use the project that the file was published from";
            Error::from(Problems::from(Problem::new(what).file(&self.path).fix(fix)))
        })
    }
}

/// The distinct records of a scanned file as text.
fn counted_records(scanned: Scanned, names: &[&str], cells: usize) -> Vec<CountedRecord> {
    let attribute = |(position, name): (usize, &&str)| QuasiIdentifier {
        name: (*name).into(),
        hierarchy: Hierarchy::flat(scanned.values(position).dictionary.values()),
    };
    let attributes: Vec<QuasiIdentifier> = names.iter().enumerate().map(attribute).collect();
    let cube = scanned.into_cube(attributes);
    let mut records = Vec::new();
    cube.for_each_group(&cube.space().bottom(), 0, |codes, group| {
        let label = |(code, a): (&u32, &QuasiIdentifier)| {
            a.hierarchy.label(*code, Level::RECORDED).to_owned()
        };
        let mut labels: Vec<String> = codes.iter().zip(cube.attributes()).map(label).collect();
        let values = labels.split_off(cells);
        records.push((labels, values, group.records));
    });
    records
}

/// What columns of a file may mean if only the file is known.
fn guessed(
    qi: &[String],
    recorded: &[&str],
    records: &[CountedRecord],
) -> Result<(Vec<QuasiIdentifier>, Vec<Watched>), Error> {
    let attribute = |(i, name): (usize, &String)| -> Result<QuasiIdentifier, Error> {
        let cells = records.iter().map(|(cells, ..)| cells[i].as_str());
        Ok(QuasiIdentifier { name: name.clone(), hierarchy: hierarchy_of_cells(name, cells)? })
    };
    let column = |(i, name): (usize, &&str)| {
        let mut values = Dictionary::default();
        for (_, recorded, _) in records {
            values.code_or_add(&recorded[i]);
        }
        Watched { name: (*name).into(), values: values.sorted() }
    };
    let attributes = qi.iter().enumerate().map(attribute).collect::<Result<_, _>>()?;
    Ok((attributes, recorded.iter().enumerate().map(column).collect()))
}
