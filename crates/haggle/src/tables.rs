//! The tables of models that were asked for: made when first asked, kept while there is room.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use haggle_cube::{FullLattice, Limits, Rows, Statistic, Table, Weighed};
use haggle_search::{Negotiable, Requirement};

use crate::Error;
use crate::criterion::Criterion;

/// Tables by the statistic's name, the one used last at the back.
#[derive(Debug, Default)]
struct Kept {
    tables: VecDeque<Arc<Table>>,
    sizes: Option<Arc<Rows>>,
    weighed: VecDeque<(String, Arc<Weighed>)>,
}

/// A bounded store of tables.
#[derive(Debug)]
pub(crate) struct Tables {
    limits: Limits,
    kept: Mutex<Kept>,
}

/// A lattice that carries what a request asks for, and where.
pub(crate) struct Judged {
    pub(crate) lattice: FullLattice,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) negotiable: Vec<Negotiable>,
}

impl Tables {
    pub(crate) fn new(memory: usize) -> Self {
        Self { limits: Limits { memory }, kept: Mutex::default() }
    }

    /// The lattice of the criteria. Joining several takes a row for each group; one alone does not.
    pub(crate) fn judged(
        &self,
        base: &FullLattice,
        criteria: Vec<Criterion>,
    ) -> Result<(Judged, Vec<Criterion>), Error> {
        let rows = criteria.len() > 1;
        let wanted: Vec<&dyn Statistic> =
            criteria.iter().flat_map(|c| c.numbers.iter().map(|n| n.statistic.as_ref())).collect();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<Option<Arc<Table>>> =
            wanted.iter().map(|statistic| find(&mut kept, base, *statistic, rows)).collect();
        let missing: Vec<usize> = (0..found.len()).filter(|&i| found[i].is_none()).collect();
        if !missing.is_empty() {
            let statistics: Vec<&dyn Statistic> = missing.iter().map(|&i| wanted[i]).collect();
            let made = FullLattice::tabulate(
                base.cube().clone(),
                &statistics,
                rows,
                self.limits,
                &|_| (),
            )?;
            if let Some(sizes) = made.sizes() {
                kept.sizes = Some(sizes.clone());
            }
            for (&i, table) in missing.iter().zip(made.tables()) {
                found[i] = Some(table.clone());
                self.keep(&mut kept, table.clone());
            }
        }
        let sizes = kept.sizes.clone().filter(|_| rows);
        drop(kept);
        let tables: Vec<Arc<Table>> = found.into_iter().flatten().collect();
        let lattice = FullLattice::of_tables(base.cube().clone(), tables, sizes);
        let (requirements, negotiable) = positions(&criteria);
        Ok((Judged { lattice, requirements, negotiable }, criteria))
    }

    /// Whether every table of the criteria is there already.
    pub(crate) fn has(&self, base: &FullLattice, criteria: &[Criterion]) -> bool {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wanted = criteria.iter().flat_map(|criterion| &criterion.numbers);
        wanted.all(|n| find(&mut kept, base, n.statistic.as_ref(), criteria.len() > 1).is_some())
    }

    /// A measure behind a table, by a name that says both; made if it is not there.
    pub(crate) fn weighed(
        &self,
        id: String,
        make: impl FnOnce(Limits) -> Result<Weighed, Error>,
    ) -> Result<Arc<Weighed>, Error> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, weighed)) = kept.weighed.iter().find(|(known, _)| *known == id) {
            return Ok(weighed.clone());
        }
        let weighed = Arc::new(make(self.limits)?);
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
    fn keep(&self, kept: &mut Kept, table: Arc<Table>) {
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

/// A table that is there already, with rows if they are needed.
fn find(
    kept: &mut Kept,
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
fn positions(criteria: &[Criterion]) -> (Vec<Requirement>, Vec<Negotiable>) {
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
