//! The lattice on demand: a scheme is annotated when a question touches it, from the nearest lower
//! scheme that is still there.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use haggle_model::{Scheme, Space};

use crate::annotate::{Limits, Observe};
use crate::cells::for_each_group;
use crate::climb::{differing, raised};
use crate::cube::{Cells, Marginal, any_width};
use crate::lattice::{Alone, Annotated, Lattice};
use crate::payload::{self, Generalized, Loss, Payload};
use crate::table::{Rows, Table};
use crate::tally::{Annotation, Tallies};
use crate::weighed::{generalized, rounded};
use crate::{Column, Cube, Error, Histograms, Statistic};

/// A share of the memory for annotations; the rest is for cells.
const FOR_ANNOTATIONS: usize = 4;
/// So many schemes' cells are kept at most: with more, looking for the nearest would take longer than
/// coming from farther away.
const MOST_CELLS: usize = 2000;

/// A lattice of any size: nothing is annotated beforehand, and what was is kept while there is room.
#[derive(Debug)]
pub struct OnDemand {
    cube: Arc<Cube>,
    space: Space,
    statistics: Vec<Box<dyn Statistic>>,
    /// Whether each group's verdicts are kept, so that statistics can be joined.
    rows: bool,
    memory: usize,
    kept: Mutex<Kept>,
    touches: AtomicU64,
    annotated: AtomicU64,
}

/// What is still there.
#[derive(Debug, Default)]
struct Kept {
    clock: u64,
    annotations: HashMap<Scheme, Used<Arc<Alone>>>,
    annotation_bytes: usize,
    /// The cells of schemes, one entry for each marginal.
    cells: Vec<HashMap<Scheme, Used<Arc<Cells>>>>,
    cell_bytes: usize,
}

/// Something, and when it was used last.
#[derive(Debug)]
struct Used<T> {
    what: T,
    bytes: usize,
    last: u64,
}

impl OnDemand {
    /// Over a cube, annotating with these statistics; with `rows`, so that they can be joined.
    pub fn new(
        cube: Arc<Cube>,
        statistics: Vec<Box<dyn Statistic>>,
        rows: bool,
        limits: Limits,
    ) -> Self {
        let cells = cube.marginals.iter().map(|_| HashMap::new()).collect();
        Self {
            space: cube.space(),
            statistics,
            rows,
            memory: limits.memory,
            kept: Mutex::new(Kept { cells, ..Kept::default() }),
            touches: 0.into(),
            annotated: 0.into(),
            cube,
        }
    }

    /// The counted base groups.
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    /// How many annotations were made; a scheme that was forgotten counts again.
    pub fn annotated(&self) -> u64 {
        self.annotated.load(Relaxed)
    }

    /// How many cells were read for them.
    pub fn touches(&self) -> u64 {
        self.touches.load(Relaxed)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make(&self, scheme: &Scheme) -> Alone {
        let mut tables: Vec<Option<Arc<Table>>> = self.statistics.iter().map(|_| None).collect();
        let mut sizes = None;
        for watched in 0..self.cube.marginals.len() {
            let watches = |p: usize| self.statistics[p].column().watches.unwrap_or(0) == watched;
            let mine: Vec<usize> = (0..self.statistics.len()).filter(|&p| watches(p)).collect();
            if mine.is_empty() {
                continue;
            }
            let seen = self.see(scheme, watched, &mine);
            for (&position, tallied) in mine.iter().zip(&seen.histograms) {
                let column = self.statistics[position].column().clone();
                let mut histograms = Histograms::new(column.comparison, self.cube.records());
                histograms.push(tallied);
                let rows = self.rows.then(|| Rows::one(&tallied.rows));
                tables[position] = Some(Table::new(column, histograms, rows));
            }
            if self.rows && sizes.is_none() {
                sizes = Some(Rows::one(&seen.sizes));
            }
        }
        Alone { tables: tables.into_iter().flatten().collect(), sizes }
    }

    /// What these statistics are on the groups of a scheme.
    fn see(&self, scheme: &Scheme, watched: usize, mine: &[usize]) -> Annotation {
        let statistics: Vec<&dyn Statistic> =
            mine.iter().map(|&position| self.statistics[position].as_ref()).collect();
        let tallies = Tallies { statistics: &statistics, rows: self.rows };
        let layout = &self.cube.marginals[watched].layout;
        let cells = self.cells(scheme, watched);
        any_width!(&*cells, cells => tallies.see(scheme, cells, layout, &mut tallies.scratch()))
    }

    /// A scheme's cells, from the smallest that are there of a lower one, attribute by attribute; what
    /// is passed on the way is kept, too, because the next question is mostly near.
    fn cells(&self, scheme: &Scheme, watched: usize) -> Arc<Cells> {
        let (mut at, mut cells) = match self.kept().nearest(scheme, watched) {
            Some((at, cells)) => (at, Some(cells)),
            None => (self.space.bottom(), None),
        };
        let Marginal { layout, cells: base } = &self.cube.marginals[watched];
        let hierarchies = self.cube.hierarchies();
        for position in differing(&hierarchies, &at, scheme) {
            let lower = cells.as_deref().unwrap_or(base);
            self.touches.fetch_add(lower.len() as u64, Relaxed);
            let levels = (at.level(position), scheme.level(position));
            let higher = raised(lower, layout, hierarchies[position], position, levels);
            let higher = cells.insert(higher.into());
            at = at.with(position, levels.1);
            let room = self.memory - self.memory / FOR_ANNOTATIONS;
            self.kept().keep_cells(&at, watched, higher, room);
        }
        cells.unwrap_or_else(|| base.clone().into())
    }
}

impl OnDemand {
    /// What is lost by a scheme if every group that fails any of these thresholds is suppressed, each
    /// of a column by its position; without any, if nothing is suppressed.
    pub fn loss(&self, scheme: &Scheme, loss: &dyn Loss, thresholds: &[(usize, f64)]) -> f64 {
        self.annotated.fetch_add(u64::from(thresholds.is_empty()), Relaxed); // else it is already
        let keeps = self.keeps(scheme, thresholds);
        let mut sums = vec![0.0; loss.width()];
        let mut numbers = sums.clone();
        let (mut at, mut groups, mut records) = (0, 0, 0);
        self.for_each_generalized(scheme, loss, |group| {
            at += 1;
            if !keeps.is_empty() && !keeps[at - 1] {
                return;
            }
            (groups, records) = (groups + 1, records + group.records);
            loss.of(group, &mut numbers);
            sums.iter_mut().zip(&numbers).for_each(|(sum, number)| *sum += number);
        });
        let suppressed = self.cube.records() - records;
        rounded(loss.loss(&payload::Kept {
            levels: scheme.into(),
            sums: &sums,
            groups,
            records,
            suppressed,
        }))
    }

    /// For each group whether it passes, in the order that all marginals share; nothing if nothing is
    /// asked.
    fn keeps(&self, scheme: &Scheme, thresholds: &[(usize, f64)]) -> Vec<bool> {
        let mut keeps = Vec::new();
        for &(position, threshold) in thresholds {
            let statistic = &self.statistics[position];
            let column = statistic.column();
            let watched = column.watches.unwrap_or(0);
            let (cells, layout) =
                (self.cells(scheme, watched), &self.cube.marginals[watched].layout);
            let mut at = 0;
            any_width!(&*cells, cells => for_each_group(cells, layout, |_, group| {
                let passes = column.comparison.passes(statistic.of(group), threshold);
                match keeps.get_mut(at) {
                    Some(keep) => *keep &= passes,
                    None => keeps.push(passes),
                }
                at += 1;
            }));
        }
        keeps
    }

    /// Shows every group of a scheme as a payload sees it. What a payload carries up comes from the
    /// base, everything else from the nearest cells.
    fn for_each_generalized(
        &self,
        scheme: &Scheme,
        payload: &dyn Payload,
        mut visit: impl FnMut(&Generalized<'_>),
    ) {
        if payload.carries() {
            return self.cube.for_each_generalized(scheme, payload, visit);
        }
        let watched = payload.watches().unwrap_or(0);
        let (cells, layout) = (self.cells(scheme, watched), &self.cube.marginals[watched].layout);
        let mut codes = Vec::new();
        any_width!(&*cells, cells => for_each_group(cells, layout, |cells, group| {
            visit(&generalized(scheme, cells, layout, group, &mut codes));
        }));
    }
}

impl Kept {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// The smallest cells of a scheme that is not above this one.
    fn nearest(&mut self, scheme: &Scheme, watched: usize) -> Option<(Scheme, Arc<Cells>)> {
        let now = self.tick();
        let here = self.cells[watched].iter().filter(|(lower, _)| lower.is_under(scheme));
        let (nearest, _) = here.min_by_key(|(_, used)| used.what.len())?;
        let nearest = nearest.clone();
        let used = self.cells[watched].get_mut(&nearest)?;
        used.last = now;
        Some((nearest, used.what.clone()))
    }

    fn keep_cells(&mut self, scheme: &Scheme, watched: usize, cells: &Arc<Cells>, room: usize) {
        let bytes = cells.bytes();
        if bytes > room / 2 {
            return;
        }
        let count = |kept: &Self| kept.cells.iter().map(HashMap::len).sum::<usize>();
        while self.cell_bytes + bytes > room || count(self) >= MOST_CELLS {
            let all = self.cells.iter().enumerate();
            let all = all.flat_map(|(w, kept)| kept.iter().map(move |(s, used)| (used.last, w, s)));
            let Some((_, w, oldest)) = all.min_by_key(|(last, ..)| *last) else { break };
            let oldest = oldest.clone();
            let gone = self.cells[w].remove(&oldest).map_or(0, |used| used.bytes);
            self.cell_bytes -= gone;
        }
        let last = self.tick();
        let used = Used { what: cells.clone(), bytes, last };
        if let Some(other) = self.cells[watched].insert(scheme.clone(), used) {
            self.cell_bytes -= other.bytes;
        }
        self.cell_bytes += bytes;
    }

    fn annotation(&mut self, scheme: &Scheme) -> Option<Arc<Alone>> {
        let now = self.tick();
        let used = self.annotations.get_mut(scheme)?;
        used.last = now;
        Some(used.what.clone())
    }

    fn keep_annotation(&mut self, scheme: &Scheme, made: &Arc<Alone>, room: usize) {
        let tables = made.tables.iter().map(|table| table.bytes()).sum::<usize>();
        let bytes = tables + made.sizes.as_ref().map_or(0, Rows::bytes) + 256;
        if self.annotation_bytes + bytes > room {
            // Half goes at once, so that looking for the oldest is rare.
            let mut uses: Vec<u64> = self.annotations.values().map(|used| used.last).collect();
            uses.sort_unstable();
            let middle = uses.get(uses.len() / 2).copied().unwrap_or(u64::MAX);
            self.annotations.retain(|_, used| used.last > middle);
            self.annotation_bytes = self.annotations.values().map(|used| used.bytes).sum();
        }
        let last = self.tick();
        let used = Used { what: made.clone(), bytes, last };
        if let Some(other) = self.annotations.insert(scheme.clone(), used) {
            self.annotation_bytes -= other.bytes;
        }
        self.annotation_bytes += bytes;
    }
}

impl Lattice for OnDemand {
    fn space(&self) -> &Space {
        &self.space
    }

    fn records(&self) -> u64 {
        self.cube.records()
    }

    fn column(&self, position: usize) -> &Column {
        self.statistics[position].column()
    }

    fn annotate(&self, scheme: &Scheme) -> Result<Annotated<'_>, Error> {
        if let Some(known) = self.kept().annotation(scheme) {
            return Ok(Annotated::alone(known));
        }
        let made = Arc::new(self.make(scheme));
        self.annotated.fetch_add(1, Relaxed);
        self.kept().keep_annotation(scheme, &made, self.memory / FOR_ANNOTATIONS);
        Ok(Annotated::alone(made))
    }
}
