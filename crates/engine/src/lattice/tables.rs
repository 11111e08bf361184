//! The tables of models that were asked for: made when first asked, kept while there is room.
//!
//! Every lattice carries k-anonymity and distinct l-diversity. The table of another model, its
//! histogram for every scheme, takes one more annotation. For conjunctions a table also has a row
//! for each group: the position of its bin. Groups are in the same order whatever is watched, so
//! verdicts are joined by position; bounds (the costliest model, the sum of all) decide about most
//! schemes before that.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use haggle_cube::{FullLattice, GroupSizes, Limits, Statistic, StatisticTable, Weighed};
use haggle_model::{Cache, Capacity, Error, ErrorKind, Progress};
use haggle_search::{Negotiable, Requirement};

use crate::criteria::criterion::Criterion;

/// A bounded store of tables.
#[derive(Debug)]
pub(crate) struct Tables {
    limits: Limits,
    cached: Cache<TableKey, StatisticTable>,
    /// The groups' sizes, which all tables with rows share.
    sizes: Mutex<Option<Arc<GroupSizes>>>,
    weighed: Cache<String, Weighed>,
}

/// A statistic's name, and whether its table has a row for each group.
type TableKey = (String, bool);

/// Tables in the order asked for, and the groups' sizes where tables are joined.
type TablesAndSizes = (Vec<Arc<StatisticTable>>, Option<Arc<GroupSizes>>);

/// A lattice that carries what a request asks for, and where.
pub struct Judged {
    /// The lattice.
    pub lattice: FullLattice,
    /// The thresholds, by column of the lattice.
    pub requirements: Vec<Requirement>,
    pub(crate) negotiable: Vec<Negotiable>,
}

impl Tables {
    pub(crate) fn new(memory: usize) -> Self {
        let (cached, sizes, weighed) = Default::default();
        Self { limits: Limits { memory }, cached, sizes, weighed }
    }

    /// The lattice of the criteria. Joining several takes a row for each group; one alone does not.
    pub(crate) fn judged(
        &self,
        base: &FullLattice,
        criteria: Vec<Criterion>,
        progress: &dyn Progress,
    ) -> Result<(Judged, Vec<Criterion>), Error> {
        let rows = criteria.len() > 1;
        let wanted = statistics(&criteria);
        let (tables, sizes) = match self.all(base, &wanted, rows) {
            Ok(tables) => tables,
            Err(found) => self.made(base, &wanted, rows, &gaps(&found), progress)?,
        };
        let lattice = FullLattice::of_tables(base.cube().clone(), tables, sizes);
        let (requirements, negotiable) = positions(&criteria);
        Ok((Judged { lattice, requirements, negotiable }, criteria))
    }

    /// All tables, if they are there; else those that are.
    fn all(
        &self,
        base: &FullLattice,
        wanted: &[&dyn Statistic],
        rows: bool,
    ) -> Result<TablesAndSizes, Vec<Option<Arc<StatisticTable>>>> {
        if rows && let Some(joined) = joined(base, wanted) {
            return Ok(joined);
        }
        let found: Vec<Option<Arc<StatisticTable>>> =
            wanted.iter().map(|statistic| self.find(base, *statistic, rows)).collect();
        match found.iter().cloned().collect() {
            Some(tables) => Ok((tables, self.sizes().clone().filter(|_| rows))),
            None => Err(found),
        }
    }

    fn sizes(&self) -> MutexGuard<'_, Option<Arc<GroupSizes>>> {
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A table that is there already, with rows if they are needed.
    fn find(
        &self,
        base: &FullLattice,
        statistic: &dyn Statistic,
        rows: bool,
    ) -> Option<Arc<StatisticTable>> {
        let fits = |table: &StatisticTable| *table.column() == *statistic.column();
        if !rows && let Some(table) = base.tables().iter().find(|table| fits(table)) {
            return Some(table.clone());
        }
        self.cached.find(|_, table| fits(table) && (table.has_rows() || !rows))
    }

    /// All tables, the missing ones built. Requests whose tables are there do not wait; others for
    /// the same tables wait until they are built.
    fn made(
        &self,
        base: &FullLattice,
        wanted: &[&dyn Statistic],
        rows: bool,
        missing: &[usize],
        progress: &dyn Progress,
    ) -> Result<TablesAndSizes, Error> {
        let keys = missing.iter().map(|&i| (wanted[i].column().id.clone(), rows)).collect();
        let _building = self.cached.building(keys, progress)?;
        let mut found = match self.all(base, wanted, rows) {
            Ok(found) => return Ok(found),
            Err(found) => found,
        };
        let missing = gaps(&found);
        let statistics: Vec<&dyn Statistic> = missing.iter().map(|&i| wanted[i]).collect();
        let made = match self.tabulate(base, &statistics, rows, progress) {
            // What was kept for other questions can be made again.
            Err(error) if error.kind() == ErrorKind::OutOfMemory && self.clear() => {
                self.tabulate(base, &statistics, rows, progress)?
            }
            made => made?,
        };
        let mut sizes = self.sizes();
        *sizes = made.sizes().cloned().or(sizes.take());
        for (&i, table) in missing.iter().zip(made.tables()) {
            found[i] = Some(table.clone());
            self.keep(table.clone());
        }
        Ok((found.into_iter().flatten().collect(), sizes.clone().filter(|_| rows)))
    }

    fn tabulate(
        &self,
        base: &FullLattice,
        statistics: &[&dyn Statistic],
        rows: bool,
        progress: &dyn Progress,
    ) -> Result<FullLattice, Error> {
        let cube = base.cube().clone();
        let schemes = cube.space().size().unwrap_or(usize::MAX) as u64;
        progress.start("counting groups", schemes.saturating_mul(passes(statistics)));
        let made = FullLattice::tabulate(cube, statistics, rows, self.left(base), progress);
        progress.finish();
        made
    }

    /// Returns what the limit leaves next to the annotated lattice and all tables.
    fn left(&self, base: &FullLattice) -> Limits {
        let annotated: usize = base.tables().iter().map(|table| table.bytes()).sum();
        Limits { memory: self.limits.memory.saturating_sub(annotated + self.bytes()) }
    }

    /// Forgets all tables but the sizes, which questions under way may need. Returns whether there
    /// were any.
    fn clear(&self) -> bool {
        let bytes = self.cached.total(StatisticTable::bytes) + self.weighed.total(Weighed::bytes);
        self.cached.retain(|_, _| false);
        self.weighed.retain(|_, _| false);
        bytes > 0
    }

    /// Keeps a table. One with rows replaces the same without.
    fn keep(&self, table: Arc<StatisticTable>) {
        let key = (table.column().id.clone(), table.has_rows());
        if key.1 {
            self.cached.retain(|(id, _), _| *id != key.0);
        }
        let capacity = Capacity::bytes(self.limits.memory / 2, StatisticTable::bytes);
        self.cached.insert(key, table, &capacity);
    }

    /// The bytes that all of it takes.
    pub(crate) fn bytes(&self) -> usize {
        let sizes = self.sizes().as_ref().map_or(0, |sizes| sizes.bytes());
        self.cached.total(StatisticTable::bytes) + self.weighed.total(Weighed::bytes) + sizes
    }

    /// Whether every table of the criteria is there already.
    pub(crate) fn has(&self, base: &FullLattice, criteria: &[Criterion]) -> bool {
        self.all(base, &statistics(criteria), criteria.len() > 1).is_ok()
    }

    /// The lattice with the tables of these criteria joined, if they are there.
    pub(crate) fn joined(&self, base: &FullLattice, criteria: &[Criterion]) -> Option<FullLattice> {
        let (tables, sizes) = self.all(base, &statistics(criteria), true).ok()?;
        Some(base.with_joined(&FullLattice::of_tables(base.cube().clone(), tables, sizes)))
    }

    /// Whether a measure was weighed, by a name as below.
    pub(crate) fn has_weighed(&self, id: &str) -> bool {
        self.weighed.find(|known, _| known == id).is_some()
    }

    /// A measure behind a table, by a name that says both; built if it is not there.
    pub(crate) fn weighed(
        &self,
        base: &FullLattice,
        id: &String,
        progress: &dyn Progress,
        build: impl FnOnce(Limits) -> Result<Weighed, Error>,
    ) -> Result<Arc<Weighed>, Error> {
        let capacity = Capacity::bytes(self.limits.memory / 4, Weighed::bytes);
        let build = || build(self.left(base)).map(Arc::new);
        self.weighed.get_or_build(id, &capacity, progress, build)
    }
}

/// Every statistic of the criteria.
fn statistics(criteria: &[Criterion]) -> Vec<&dyn Statistic> {
    criteria.iter().flat_map(|c| c.numbers.iter().map(|n| n.statistic.as_ref())).collect()
}

/// The tables that the lattice has joined already, if all are among them.
fn joined(base: &FullLattice, wanted: &[&dyn Statistic]) -> Option<TablesAndSizes> {
    let joined = base.joined()?;
    let table = |statistic: &&dyn Statistic| {
        joined.tables.iter().find(|table| *table.column() == *statistic.column()).cloned()
    };
    Some((wanted.iter().map(table).collect::<Option<_>>()?, Some(joined.sizes.clone())))
}

/// How often every scheme is gone through: once for each attribute that statistics watch.
fn passes(statistics: &[&dyn Statistic]) -> u64 {
    let watched: BTreeSet<usize> =
        statistics.iter().map(|statistic| statistic.column().watches.unwrap_or(0)).collect();
    watched.len() as u64
}

/// Which tables are missing.
fn gaps(found: &[Option<Arc<StatisticTable>>]) -> Vec<usize> {
    (0..found.len()).filter(|&i| found[i].is_none()).collect()
}

/// Where the lattice carries what is required, and what may give.
pub(crate) fn positions(criteria: &[Criterion]) -> (Vec<Requirement>, Vec<Negotiable>) {
    let (mut requirements, mut negotiable) = (Vec::new(), Vec::new());
    let mut column = 0;
    for (requirement, criterion) in criteria.iter().enumerate() {
        requirements.push(Requirement { column, threshold: criterion.numbers[0].value });
        for _ in &criterion.numbers {
            negotiable.push(Negotiable { requirement, column });
            column += 1;
        }
    }
    (requirements, negotiable)
}
