//! Tables as sources: the groups of a scheme counted in one scan, wherever the records are.

use haggle_cube::{Counted, CountedPart, Counter, Cube, Source};
use haggle_model::{
    CancelOnly, ErrorKind, Hierarchy, Level, Problem, Progress, QuasiIdentifier, Remedy, Scheme,
    Watched,
};

use crate::coding::Values;
use crate::counting::{Plan, Tally, watched_code};
use crate::scan::scan_into;
use crate::{Error, Table, in_database};

mod boxes;

pub use boxes::TableBoxes;

/// A table that counts its own scans.
///
/// Values become general while they are read, so no more than the groups of the scheme is kept.
#[derive(Debug)]
pub struct TableSource {
    table: Table,
    plan: Plan,
    attributes: Vec<QuasiIdentifier>,
    memory: usize,
    scans: u64,
    dropped: Option<u64>,
    digest: u64,
}

impl TableSource {
    /// The source of a table, whose quasi-identifiers are as the plan has them in order.
    pub fn new(table: Table, plan: Plan, attributes: Vec<QuasiIdentifier>, memory: usize) -> Self {
        Self { table, plan, attributes, memory, scans: 0, dropped: None, digest: 0 }
    }

    /// How many records the last scan dropped for a missing value; none before the first.
    pub fn dropped(&self) -> Option<u64> {
        self.dropped
    }

    /// A digest of the bytes that the last scan read, as a cube's scan has it.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Counts the cube of all schemes from these levels on, in one scan and in no more memory than
    /// the groups at these levels take. Each general value stands for the first of its recorded
    /// values, so every scheme above has its own groups.
    pub fn cube_from(&mut self, start: &Scheme, progress: &dyn Progress) -> Result<Cube, Error> {
        let (mut parts, watched) = self.parts(start, progress)?;
        for part in &mut parts {
            let attributes = self.attributes.iter().zip(start.levels());
            for (codes, (attribute, &level)) in part.recode.iter_mut().zip(attributes) {
                *codes = first_recorded(&attribute.hierarchy, level);
            }
        }
        Ok(Cube::from_parts(self.attributes.clone(), watched, &parts).counted_from(start.clone()))
    }

    /// Counts the groups of a scheme; the parts' codes are those of its levels.
    fn parts(
        &mut self,
        scheme: &Scheme,
        progress: &dyn Progress,
    ) -> Result<(Vec<CountedPart>, Vec<Watched>), Error> {
        self.scans += 1;
        let progress = &CancelOnly(progress);
        if let Some(database) = self.table.database() {
            let (part, watched, dropped) = in_database::count(
                database,
                &self.table,
                &self.plan,
                &self.attributes,
                scheme,
                self.memory,
                progress,
            )?;
            self.dropped = Some(dropped);
            return Ok((vec![part], watched));
        }
        let tally = || GeneralizedCounts::new(&self.attributes, scheme, self.plan.watched.len());
        let scanned = scan_into(&self.table, &self.plan, self.memory, progress, &tally)?;
        (self.dropped, self.digest) = (Some(scanned.dropped()), scanned.digest());
        check(scanned.workers.iter().map(|worker| &worker.tally.general), &self.table)?;
        let watched = scanned.watched();
        let domains = domains(&self.attributes, scheme);
        let part = |(tally, values): (Counter, Vec<Values>)| {
            let general = domains.iter().map(|&size| (0..size as u32).collect());
            let own = values[domains.len()..].iter().zip(&watched).map(|(values, watched)| {
                let codes = values.dictionary.values();
                codes.filter_map(|value| watched_code(&watched.values, value)).collect()
            });
            CountedPart { counter: tally, recode: general.chain(own).collect() }
        };
        let workers = scanned.workers.into_iter().map(|w| (w.tally.counter, w.values));
        let parts = workers.map(part).collect();
        Ok((parts, watched))
    }
}

/// How many values each attribute has at its level.
fn domains(attributes: &[QuasiIdentifier], scheme: &Scheme) -> Vec<usize> {
    attributes.iter().zip(scheme.levels()).map(|(a, &level)| a.hierarchy.len(level)).collect()
}

/// Returns the first recorded value of every value of a level.
fn first_recorded(hierarchy: &Hierarchy, level: Level) -> Vec<u32> {
    let mut first = vec![0; hierarchy.len(level)];
    for (recorded, &general) in hierarchy.ancestors(level).iter().enumerate().rev() {
        first[general as usize] = recorded as u32;
    }
    first
}

impl Source for TableSource {
    type Error = Error;

    fn attributes(&self) -> &[QuasiIdentifier] {
        &self.attributes
    }

    fn count(&mut self, scheme: &Scheme, progress: &dyn Progress) -> Result<Counted, Error> {
        let (parts, watched) = self.parts(scheme, progress)?;
        Ok(Counted::from_parts(&domains(&self.attributes, scheme), watched, &parts))
    }

    fn scans(&self) -> u64 {
        self.scans
    }
}

/// Checks that no value is new since the attributes' values were read.
fn check<'a>(
    mut threads: impl Iterator<Item = &'a General<'a>>,
    table: &Table,
) -> Result<(), Error> {
    let Some(name) = threads.find_map(General::unknown) else { return Ok(()) };
    let what = format!("'{name}' has a value that it did not have before: the data changed");
    let problem = Problem::new(what).of_kind(ErrorKind::DataChanged);
    Err(problem.file(table.input().name()).fix(Remedy::StartAgain).into())
}

/// Codes of a scheme's values for a thread's own codes, looked up when they first occur.
struct General<'a> {
    attributes: &'a [QuasiIdentifier],
    scheme: &'a Scheme,
    /// By attribute, the general code of each of the thread's own codes.
    known: Vec<Vec<u32>>,
    /// An attribute with a value that its hierarchy does not cover.
    unknown: Option<usize>,
}

impl<'a> General<'a> {
    fn new(attributes: &'a [QuasiIdentifier], scheme: &'a Scheme) -> Self {
        Self { attributes, scheme, known: vec![Vec::new(); attributes.len()], unknown: None }
    }

    /// Makes the quasi-identifiers' codes general; whether all of them are known.
    fn recode(&mut self, codes: &mut [u32], values: &[Values]) -> bool {
        for (position, code) in codes.iter_mut().take(self.attributes.len()).enumerate() {
            *code = self.general(position, *code, &values[position]);
            if *code == u32::MAX {
                self.unknown = Some(position);
            }
        }
        self.unknown.is_none()
    }

    fn general(&mut self, position: usize, code: u32, values: &Values) -> u32 {
        let known = &mut self.known[position];
        while known.len() <= code as usize {
            let hierarchy = &self.attributes[position].hierarchy;
            let recorded = hierarchy.code(values.dictionary.value(known.len() as u32));
            let general = recorded.map(|c| hierarchy.ancestor(c, self.scheme.level(position)));
            known.push(general.unwrap_or(u32::MAX));
        }
        known[code as usize]
    }

    fn unknown(&self) -> Option<&'a str> {
        self.unknown.map(|position| self.attributes[position].name.as_str())
    }
}

/// Counts of generalized codes; the watched attributes' stay the thread's own.
struct GeneralizedCounts<'a> {
    general: General<'a>,
    counter: Counter,
    codes: Vec<u32>,
    seen: u64,
}

impl<'a> GeneralizedCounts<'a> {
    fn new(attributes: &'a [QuasiIdentifier], scheme: &'a Scheme, watched: usize) -> Self {
        Self {
            general: General::new(attributes, scheme),
            counter: Counter::new(attributes.len(), watched),
            codes: Vec::new(),
            seen: 0,
        }
    }
}

impl Tally for GeneralizedCounts<'_> {
    fn add(&mut self, codes: &[u32], values: &[Values], _: u64, records: u64) {
        self.seen += records;
        self.codes.clear();
        self.codes.extend_from_slice(codes);
        if self.general.recode(&mut self.codes, values) {
            self.counter.add_many(&self.codes, records);
        }
    }

    fn records(&self) -> u64 {
        self.seen
    }

    fn bytes(&self) -> usize {
        self.counter.bytes()
    }

    fn cells(&self) -> usize {
        self.counter.cells()
    }
}
