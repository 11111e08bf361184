//! The lattice on demand: a scheme is annotated when a question needs it, from the nearest lower
//! scheme that is still in memory.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use haggle_model::{ExceededMemory, Scheme, Space};

use crate::counts::cells::{Cell, for_each_group};
use crate::counts::climb::{AnyClimb, Climb, differing};
use crate::counts::cube::{AnyWidth, any_width};
use crate::counts::key::{Key, KeyField};
use crate::groups::payload::{self, Generalized, Loss, Payload};
use crate::lattices::annotate::{Limits, Observe};
use crate::lattices::lattice::{Alone, Annotated, Lattice};
use crate::lattices::table::{GroupSizes, Rows, StatisticTable};
use crate::lattices::tally::{Annotation, Tallies};
use crate::lattices::weighed::generalized;
use crate::{Column, Cube, Error, Histograms, Statistic};
use shelf::{CellWords, PackedCells, Shelf, blocks_in};

mod shelf;

/// The shares of the memory, in sixteenths: for cells, for annotations, and for what a search
/// remembers. The rest is for work in progress.
const FOR_CELLS: usize = 8;
const FOR_ANNOTATIONS: usize = 2;
const FOR_SEARCHES: usize = 2;
/// The memory of the program without its data.
const PROGRAM: usize = 24 << 20;
/// If the program and the cube leave less memory, this much is used anyway, if the limit allows it
/// at all.
const LEAST_MEMORY: usize = 16 << 20;
/// The minimum that a search may remember: with less it could not prove anything.
const LEAST_ROOM: usize = 2 << 20;
/// A climb needs about this many times the cells of the base: its source, its target, and its
/// merges.
const CLIMB: usize = 3;
/// From this many attributes on that become fully general, they do so at once.
const AT_ONCE: usize = 12;
/// The bytes of an annotation without its tables.
const ANNOTATION_OVERHEAD: usize = 512;

/// A lattice of any size: nothing is annotated in advance, and annotations are kept while there is
/// memory.
#[derive(Debug)]
pub struct OnDemand {
    cube: Arc<Cube>,
    space: Space,
    statistics: Vec<Box<dyn Statistic>>,
    /// Whether each group's verdicts are kept, so that statistics can be joined.
    rows: bool,
    memory: usize,
    shelf: Mutex<Shelf>,
    annotations: Mutex<Annotations>,
    /// Buffers of climbs, by watched attribute.
    climbs: Mutex<Vec<(usize, AnyClimb)>>,
    /// How many climbs are running.
    climbing: AtomicUsize,
    /// How many more climbs may run at the same time, if memory allows fewer than there are
    /// threads.
    slots: Option<(Mutex<usize>, Condvar)>,
}

/// The annotations that are still in memory.
#[derive(Debug, Default)]
struct Annotations {
    clock: u64,
    kept: HashMap<Scheme, Used>,
    bytes: usize,
}

/// An annotation, and when it was used last.
#[derive(Debug)]
struct Used {
    what: Arc<Alone>,
    bytes: usize,
    last: u64,
}

impl OnDemand {
    /// Builds a lattice over a cube, annotating with these statistics; with `rows`, so that they
    /// can be joined.
    pub fn new(
        cube: Arc<Cube>,
        statistics: Vec<Box<dyn Statistic>>,
        rows: bool,
        limits: Limits,
    ) -> Self {
        let left = limits.memory.saturating_sub(cube.bytes() + PROGRAM);
        let climb = CLIMB * widest(&cube);
        let climbs = (left / 4 / climb.max(1)).max(1);
        let few = climbs < rayon::current_num_threads();
        // If a single climb takes more than its share, less is left for what is kept.
        let memory = left.min(left.saturating_sub(climb) / 12 * 16);
        Self {
            slots: few.then(|| (Mutex::new(climbs), Condvar::new())),
            space: cube.space(),
            statistics,
            rows,
            memory: memory.max(LEAST_MEMORY.min(limits.memory)),
            shelf: Mutex::default(),
            annotations: Mutex::default(),
            climbs: Mutex::default(),
            climbing: 0.into(),
            cube,
        }
    }

    /// The counted base groups.
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    /// Fails if not even one scheme can be annotated within the limits.
    pub fn check_limits(cube: &Cube, limits: Limits) -> Result<(), Error> {
        let least = cube.bytes() + CLIMB * widest(cube);
        if least <= limits.memory {
            return Ok(());
        }
        Err(ExceededMemory {
            schemes: cube.space().size().unwrap_or(usize::MAX),
            limit: limits.memory >> 20,
            height: 0,
        }
        .into())
    }

    /// Waits until one more climb may run. A running climb never waits for another, so it always
    /// finishes.
    fn wait_for_slot(&self) {
        if let Some((free, freed)) = &self.slots {
            let mut free = locked(free);
            while *free == 0 {
                free = freed.wait(free).unwrap_or_else(PoisonError::into_inner);
            }
            *free -= 1;
        }
    }

    fn free_slot(&self) {
        if let Some((free, freed)) = &self.slots {
            *locked(free) += 1;
            freed.notify_one();
        }
    }

    /// A share of the memory, in bytes.
    fn share(&self, of_sixteen: usize) -> usize {
        self.memory / 16 * of_sixteen
    }

    fn make(&self, scheme: &Scheme) -> Alone {
        let mut tables: Vec<Option<Arc<StatisticTable>>> =
            self.statistics.iter().map(|_| None).collect();
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
                tables[position] = Some(StatisticTable::new(column, histograms, rows));
            }
            if self.rows && sizes.is_none() {
                sizes = Some(GroupSizes::one(&seen.sizes));
            }
        }
        Alone { tables: tables.into_iter().flatten().collect(), sizes }
    }

    /// Computes these statistics on the groups of a scheme.
    fn see(&self, scheme: &Scheme, watched: usize, mine: &[usize]) -> Annotation {
        let statistics: Vec<&dyn Statistic> =
            mine.iter().map(|&position| self.statistics[position].as_ref()).collect();
        let tallies = Tallies { statistics: &statistics, rows: self.rows };
        let layout = &self.cube.marginals[watched].layout;
        let climb = self.climb(scheme, watched);
        let seen = any_width!(&climb, climb => {
            tallies.see(scheme, &climb.cells, layout, &mut tallies.scratch())
        });
        self.let_go(watched, climb);
        seen
    }

    /// Returns a climb that has reached a scheme's cells.
    fn climb(&self, scheme: &Scheme, watched: usize) -> AnyClimb {
        self.wait_for_slot();
        let mut climbs = locked(&self.climbs);
        if self.slots.is_some() {
            climbs.retain(|(of, _)| *of == watched); // others' buffers are memory that is not there
        }
        let is_free = |(of, _): &(usize, AnyClimb)| *of == watched;
        let is_there = |climb: &(usize, AnyClimb)| {
            is_free(climb) && any_width!(&climb.1, climb => climb.reached.as_ref() == Some(scheme))
        };
        let there = climbs.iter().position(is_there);
        if let Some(position) = there {
            return climbs.swap_remove(position).1;
        }
        let free = climbs.iter().position(is_free);
        let free = free.map(|position| climbs.swap_remove(position).1);
        drop(climbs);
        let cells = &self.cube.marginals[watched].cells;
        match (cells, free.unwrap_or_else(|| AnyClimb::from(cells))) {
            (AnyWidth::Word(base), AnyWidth::Word(climb)) => {
                AnyWidth::Word(self.climbed(scheme, watched, base, climb))
            }
            (AnyWidth::Double(base), AnyWidth::Double(climb)) => {
                AnyWidth::Double(self.climbed(scheme, watched, base, climb))
            }
            (AnyWidth::Any(base), AnyWidth::Any(climb)) => {
                AnyWidth::Any(self.climbed(scheme, watched, base, climb))
            }
            _ => unreachable!("a climb is as wide as the cells that it was made for"),
        }
    }

    /// Returns a climb's buffers for reuse.
    fn let_go(&self, watched: usize, climb: AnyClimb) {
        locked(&self.climbs).push((watched, climb));
        self.free_slot();
    }

    /// Climbs to a scheme's cells from the smallest available lower scheme, attribute by attribute.
    /// Cells on the way are kept too, because the next question is usually close.
    fn climbed<K: Key>(
        &self,
        scheme: &Scheme,
        watched: usize,
        base: &[Cell<K>],
        mut climb: Climb<K>,
    ) -> Climb<K> {
        let layout = &self.cube.marginals[watched].layout;
        let words = CellWords::of::<K>(layout, self.cube.records());
        let nearest = locked(&self.shelf).nearest(scheme, watched);
        let (mut at, mut from) = match nearest {
            Some((at, stored)) => {
                stored.read(words, &mut climb.cells);
                (at, None)
            }
            None => (self.space.bottom(), Some(base)),
        };
        let hierarchies = self.cube.hierarchies();
        let others = self.climbing.fetch_add(1, Relaxed);
        climb.alone = others == 0 && self.slots.is_none();
        let is_general = |&position: &usize| hierarchies[position].len(scheme.level(position)) == 1;
        let mut steps = differing(&hierarchies, &at, scheme);
        if steps.iter().filter(|position| is_general(position)).count() >= AT_ONCE {
            let general: Vec<usize> =
                steps.extract_if(.., |position| is_general(position)).collect();
            let fields: Vec<KeyField> =
                general.iter().map(|&position| layout.fields[position]).collect();
            climb.collapse(from.take(), &fields);
            for position in general {
                at = at.with(position, scheme.level(position));
            }
            self.keep_cells(&at, watched, &climb.cells, words);
        }
        for position in steps {
            let levels = (at.level(position), scheme.level(position));
            climb.raise(from.take(), layout, hierarchies[position], position, levels);
            at = at.with(position, levels.1);
            self.keep_cells(&at, watched, &climb.cells, words);
        }
        self.climbing.fetch_sub(1, Relaxed);
        if let Some(base) = from {
            climb.cells.clear();
            climb.cells.extend_from_slice(base);
        }
        climb.reached = Some(scheme.clone());
        climb
    }

    /// Keeps the cells of a scheme, if there is memory for them.
    fn keep_cells<K: Key>(
        &self,
        scheme: &Scheme,
        watched: usize,
        cells: &[Cell<K>],
        words: CellWords,
    ) {
        let count = words.blocks_for(cells.len());
        let blocks = locked(&self.shelf).blocks(count, blocks_in(self.share(FOR_CELLS)));
        if let Some(blocks) = blocks {
            let stored = PackedCells::fill(blocks, cells, words);
            locked(&self.shelf).keep(scheme, watched, stored);
        }
    }
}

impl OnDemand {
    /// Returns the loss of a scheme if every group that fails any of these thresholds is
    /// suppressed, each of a column by its position; without thresholds, the loss if nothing is
    /// suppressed.
    pub fn loss(&self, scheme: &Scheme, loss: &dyn Loss, thresholds: &[(usize, f64)]) -> f64 {
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
            loss.measure(group, &mut numbers);
            sums.iter_mut().zip(&numbers).for_each(|(sum, number)| *sum += number);
        });
        let suppressed = self.cube.records() - records;
        loss.compared(&payload::KeptGroups {
            levels: scheme.into(),
            sums: &sums,
            groups,
            records,
            suppressed,
        })
    }

    /// Returns for each group whether it passes, in the order that all marginals share; empty
    /// without thresholds.
    fn keeps(&self, scheme: &Scheme, thresholds: &[(usize, f64)]) -> Vec<bool> {
        let mut keeps = Vec::new();
        for &(position, threshold) in thresholds {
            let statistic = &self.statistics[position];
            let column = statistic.column();
            let watched = column.watches.unwrap_or(0);
            let layout = &self.cube.marginals[watched].layout;
            let climb = self.climb(scheme, watched);
            let mut at = 0;
            any_width!(&climb, climb => for_each_group(&climb.cells, layout, |_, group| {
                let passes = column.comparison.passes(statistic.of(group), threshold);
                match keeps.get_mut(at) {
                    Some(keep) => *keep &= passes,
                    None => keeps.push(passes),
                }
                at += 1;
            }));
            self.let_go(watched, climb);
        }
        keeps
    }

    /// Calls `visit` with every group of a scheme as a payload sees it. What a payload carries
    /// comes from the base, everything else from the nearest cells.
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
        let layout = &self.cube.marginals[watched].layout;
        let climb = self.climb(scheme, watched);
        let mut codes = Vec::new();
        any_width!(&climb, climb => for_each_group(&climb.cells, layout, |cells, group| {
            visit(&generalized(scheme, cells, layout, group, &mut codes));
        }));
        self.let_go(watched, climb);
    }
}

impl Annotations {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn get(&mut self, scheme: &Scheme) -> Option<Arc<Alone>> {
        let now = self.tick();
        let used = self.kept.get_mut(scheme)?;
        used.last = now;
        Some(used.what.clone())
    }

    fn keep(&mut self, scheme: &Scheme, made: &Arc<Alone>, room: usize) {
        let tables = made.tables.iter().map(|table| table.bytes()).sum::<usize>();
        let bytes = tables + made.sizes.as_ref().map_or(0, GroupSizes::bytes) + ANNOTATION_OVERHEAD;
        if self.bytes + bytes > room {
            // Half is evicted at once, so that searching for the oldest is rare.
            let mut uses: Vec<u64> = self.kept.values().map(|used| used.last).collect();
            uses.sort_unstable();
            let middle = uses.get(uses.len() / 2).copied().unwrap_or(u64::MAX);
            self.kept.retain(|_, used| used.last > middle);
            self.bytes = self.kept.values().map(|used| used.bytes).sum();
        }
        let last = self.tick();
        let used = Used { what: made.clone(), bytes, last };
        if let Some(other) = self.kept.insert(scheme.clone(), used) {
            self.bytes -= other.bytes;
        }
        self.bytes += bytes;
    }
}

/// Returns the bytes of the largest marginal.
fn widest(cube: &Cube) -> usize {
    cube.marginals.iter().map(|marginal| marginal.cells.bytes()).max().unwrap_or(0)
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
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
        if let Some(known) = locked(&self.annotations).get(scheme) {
            return Ok(Annotated::alone(known));
        }
        let made = Arc::new(self.make(scheme));
        locked(&self.annotations).keep(scheme, &made, self.share(FOR_ANNOTATIONS));
        Ok(Annotated::alone(made))
    }

    fn room(&self) -> usize {
        self.share(FOR_SEARCHES).max(LEAST_ROOM)
    }
}
