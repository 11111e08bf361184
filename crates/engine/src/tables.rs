//! The tables of models that were asked for: made when first asked, kept while there is room.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use haggle_cube::{FullLattice, Limits, Rows, Statistic, Table, Weighed};
use haggle_model::{Error, Progress};
use haggle_search::{Negotiable, Requirement};

use crate::criterion::Criterion;

/// Tables by the statistic's name, the one used last at the back.
#[derive(Debug, Default)]
struct CachedTables {
    tables: VecDeque<Arc<Table>>,
    sizes: Option<Arc<Rows>>,
    weighed: VecDeque<(String, Arc<Weighed>)>,
}

/// A bounded store of tables.
#[derive(Debug)]
pub(crate) struct Tables {
    limits: Limits,
    kept: Mutex<CachedTables>,
    gates: Mutex<BTreeMap<String, Gate>>,
}

/// Per-key lock: each table is built once, waiters reuse it.
#[derive(Debug, Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

/// Stands in a gate until it is dropped.
struct Entered<'a>(&'a Gate);

/// How often a waiter checks for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

impl Gate {
    /// Enters as soon as nobody else stands in it; an error once that is no longer wanted.
    fn enter(&self, progress: &dyn Progress) -> Result<Entered<'_>, Error> {
        let (taken, freed) = &*self.0;
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            (taken, _) =
                freed.wait_timeout(taken, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner);
        }
        *taken = true;
        Ok(Entered(self))
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let (taken, freed) = &*self.0.0;
        *taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        freed.notify_one();
    }
}

/// Enters all of them, in their order.
fn enter<'a>(gates: &'a [Gate], progress: &dyn Progress) -> Result<Vec<Entered<'a>>, Error> {
    gates.iter().map(|gate| gate.enter(progress)).collect()
}

/// Tables in the order asked for, and the groups' sizes where tables are joined.
type TablesAndSizes = (Vec<Arc<Table>>, Option<Arc<Rows>>);

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
        Self { limits: Limits { memory }, kept: Mutex::default(), gates: Mutex::default() }
    }

    /// The lattice of the criteria. Joining several takes a row for each group; one alone does not.
    pub(crate) fn judged(
        &self,
        base: &FullLattice,
        criteria: Vec<Criterion>,
        progress: &dyn Progress,
    ) -> Result<(Judged, Vec<Criterion>), Error> {
        let rows = criteria.len() > 1;
        let wanted: Vec<&dyn Statistic> =
            criteria.iter().flat_map(|c| c.numbers.iter().map(|n| n.statistic.as_ref())).collect();
        let (tables, sizes) = match self.all(base, &wanted, rows) {
            Ok(tables) => tables,
            Err(found) => self.made(base, &wanted, rows, &gaps(&found), progress)?,
        };
        let lattice = FullLattice::of_tables(base.cube().clone(), tables, sizes);
        let (requirements, negotiable) = positions(&criteria);
        Ok((Judged { lattice, requirements, negotiable }, criteria))
    }

    fn kept(&self) -> MutexGuard<'_, CachedTables> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All tables, if they are there; else those that are.
    fn all(
        &self,
        base: &FullLattice,
        wanted: &[&dyn Statistic],
        rows: bool,
    ) -> Result<TablesAndSizes, Vec<Option<Arc<Table>>>> {
        let mut kept = self.kept();
        let found: Vec<Option<Arc<Table>>> =
            wanted.iter().map(|statistic| find(&mut kept, base, *statistic, rows)).collect();
        match found.iter().cloned().collect() {
            Some(tables) => Ok((tables, kept.sizes.clone().filter(|_| rows))),
            None => Err(found),
        }
    }

    /// All tables, the missing ones made. Others whose tables are there do not wait; others who
    /// want the same wait and find them made.
    fn made(
        &self,
        base: &FullLattice,
        wanted: &[&dyn Statistic],
        rows: bool,
        missing: &[usize],
        progress: &dyn Progress,
    ) -> Result<TablesAndSizes, Error> {
        let name = |&i: &usize| format!("{}|{rows}", wanted[i].column().id);
        let gates = self.gates(missing.iter().map(name).collect());
        let _entered = enter(&gates, progress)?;
        let mut found = match self.all(base, wanted, rows) {
            Ok(found) => return Ok(found),
            Err(found) => found,
        };
        let missing = gaps(&found);
        let statistics: Vec<&dyn Statistic> = missing.iter().map(|&i| wanted[i]).collect();
        let cube = base.cube().clone();
        let schemes = cube.space().size().unwrap_or(usize::MAX) as u64;
        progress.start("counting groups", schemes.saturating_mul(passes(&statistics)));
        let made = FullLattice::tabulate(cube, &statistics, rows, self.limits, progress);
        progress.finish();
        let made = made?;
        let mut kept = self.kept();
        kept.sizes = made.sizes().cloned().or(kept.sizes.take());
        for (&i, table) in missing.iter().zip(made.tables()) {
            found[i] = Some(table.clone());
            self.keep(&mut kept, table.clone());
        }
        Ok((found.into_iter().flatten().collect(), kept.sizes.clone().filter(|_| rows)))
    }

    /// The gates of these names, in an order that all share, so that nobody waits in a circle.
    fn gates(&self, mut names: Vec<String>) -> Vec<Gate> {
        names.sort_unstable();
        names.dedup();
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        gates.retain(|_, gate| Arc::strong_count(&gate.0) > 1);
        names.into_iter().map(|name| gates.entry(name).or_default().clone()).collect()
    }

    /// The bytes that all of it takes.
    pub(crate) fn bytes(&self) -> usize {
        let kept = self.kept();
        let tables: usize = kept.tables.iter().map(|table| table.bytes()).sum();
        let weighed: usize = kept.weighed.iter().map(|(_, one)| one.bytes()).sum();
        tables + weighed + kept.sizes.as_ref().map_or(0, |sizes| sizes.bytes())
    }

    /// Whether every table of the criteria is there already.
    pub(crate) fn has(&self, base: &FullLattice, criteria: &[Criterion]) -> bool {
        let mut kept = self.kept();
        let mut wanted = criteria.iter().flat_map(|criterion| &criterion.numbers);
        wanted.all(|n| find(&mut kept, base, n.statistic.as_ref(), criteria.len() > 1).is_some())
    }

    /// Whether a measure was weighed, by a name as below.
    pub(crate) fn has_weighed(&self, id: &str) -> bool {
        self.kept().weighed.iter().any(|(known, _)| known == id)
    }

    /// A measure behind a table, by a name that says both; made if it is not there.
    pub(crate) fn weighed(
        &self,
        id: String,
        progress: &dyn Progress,
        make: impl FnOnce(Limits) -> Result<Weighed, Error>,
    ) -> Result<Arc<Weighed>, Error> {
        let known = || {
            let kept = self.kept();
            kept.weighed.iter().find(|(known, _)| *known == id).map(|(_, one)| one.clone())
        };
        if let Some(weighed) = known() {
            return Ok(weighed);
        }
        let gates = self.gates(vec![format!("{id}|weighed")]);
        let _entered = enter(&gates, progress)?;
        if let Some(weighed) = known() {
            return Ok(weighed);
        }
        let weighed = Arc::new(make(self.limits)?);
        let mut kept = self.kept();
        kept.weighed.push_back((id, weighed.clone()));
        while kept.weighed.len() > 1
            && kept.weighed.iter().map(|(_, one)| one.bytes()).sum::<usize>()
                > self.limits.memory / 4
        {
            kept.weighed.pop_front();
        }
        Ok(weighed)
    }

    /// Keeps a table; the ones not used for longest go while there is no room.
    fn keep(&self, kept: &mut CachedTables, table: Arc<Table>) {
        let (id, rows) = (&table.column().id, table.has_rows());
        kept.tables.retain(|old| old.column().id != *id || (old.has_rows() && !rows));
        kept.tables.push_back(table);
        while kept.tables.len() > 1
            && kept.tables.iter().map(|table| table.bytes()).sum::<usize>() > self.limits.memory / 2
        {
            kept.tables.pop_front();
        }
    }
}

/// How often every scheme is gone through: once for each attribute that statistics watch.
fn passes(statistics: &[&dyn Statistic]) -> u64 {
    let watched: BTreeSet<usize> =
        statistics.iter().map(|statistic| statistic.column().watches.unwrap_or(0)).collect();
    watched.len() as u64
}

/// Which tables are missing.
fn gaps(found: &[Option<Arc<Table>>]) -> Vec<usize> {
    (0..found.len()).filter(|&i| found[i].is_none()).collect()
}

/// A table that is there already, with rows if they are needed.
fn find(
    kept: &mut CachedTables,
    base: &FullLattice,
    statistic: &dyn Statistic,
    rows: bool,
) -> Option<Arc<Table>> {
    let fits = |table: &Arc<Table>| *table.column() == *statistic.column();
    if !rows && let Some(table) = base.tables().iter().find(|table| fits(table)) {
        return Some(table.clone());
    }
    let fits = |table: &Arc<Table>| fits(table) && (table.has_rows() || !rows);
    let position = kept.tables.iter().position(fits)?;
    let table = kept.tables.remove(position)?;
    kept.tables.push_back(table.clone());
    Some(table)
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

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;
    use haggle_model::Silent;

    #[test]
    fn who_makes_something_keeps_only_those_waiting_who_want_the_same() {
        let tables = Tables::new(1 << 20);
        let (made, both) = (AtomicUsize::new(0), Barrier::new(2));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let gates = tables.gates(vec!["slow".into()]);
                let _entered = gates[0].enter(&Silent).unwrap();
                both.wait();
                both.wait();
                made.fetch_add(1, Relaxed);
            });
            both.wait();
            // While the slow one is made, another is not kept waiting.
            drop(tables.gates(vec!["quick".into()])[0].enter(&Silent).unwrap());
            drop(tables.kept());
            assert_eq!(made.load(Relaxed), 0);
            both.wait();
            drop(tables.gates(vec!["slow".into()])[0].enter(&Silent).unwrap());
            assert_eq!(made.load(Relaxed), 1);
        });
    }

    #[test]
    fn who_waits_at_a_gate_can_give_up() {
        struct Unwanted;
        impl Progress for Unwanted {
            fn start(&self, _: &str, _: u64) {}
            fn advance(&self, _: u64) {}
            fn finish(&self) {}
            fn cancelled(&self) -> bool {
                true
            }
        }
        let tables = Tables::new(1 << 20);
        let gates = tables.gates(vec!["slow".into()]);
        let entered = enter(&gates, &Unwanted).unwrap();
        assert!(matches!(gates[0].enter(&Unwanted), Err(Error::Cancelled)));
        drop(entered);
        assert!(gates[0].enter(&Unwanted).is_ok(), "nobody stands in it any more");
    }
}
