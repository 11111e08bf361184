//! Computes every scheme's cells, row by row, each row from its cheapest lower neighbour, and
//! observes them.
//!
//! Within a row the last attribute climbs by adding up neighbours, a whole row at once and in
//! reused memory. Only rows are kept for the rows above.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use haggle_model::{ExceededMemory, Hierarchy, Progress, Scheme, Space};
use rayon::prelude::*;

use crate::Error;
use crate::counts::cells::{Cell, Extra};
use crate::counts::key::{Key, KeyLayout};
use crate::counts::roll_up::{ClimbStep, RollUp};

/// The resources that annotating may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes for cells and histograms together.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 4 << 30 }
    }
}

/// What all marginals of one annotation share.
pub(crate) struct AnnotationTask<'a> {
    pub(crate) space: &'a Space,
    pub(crate) hierarchies: &'a [&'a Hierarchy],
    pub(crate) limits: Limits,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) used: AtomicUsize,
    pub(crate) touches: AtomicU64,
    /// If memory is short: how much the cells of rows may use, and how many threads run.
    pub(crate) low_memory: Option<LowMemoryPlan>,
}

/// How cells are kept if memory is short: rows whose cells do not fit are rolled up from the base
/// again, which takes longer.
pub(crate) struct LowMemoryPlan {
    /// Bytes for the cells of all rows together.
    pub(crate) cells: usize,
    /// Whether a single thread runs, because each thread needs its own buffers.
    pub(crate) alone: bool,
    pub(crate) used: AtomicUsize,
}

impl AnnotationTask<'_> {
    /// Counts the bytes of a row's cells as used. Returns whether they may be kept, or an error if
    /// they must be.
    fn take_cells(&self, bytes: usize, height: u32) -> Result<bool, Error> {
        let Some(low_memory) = &self.low_memory else {
            return self.take(bytes, height).map(|()| true);
        };
        let fits = low_memory.used.fetch_add(bytes, Relaxed) + bytes <= low_memory.cells;
        if !fits {
            low_memory.used.fetch_sub(bytes, Relaxed);
        }
        Ok(fits)
    }

    fn give_back_cells(&self, bytes: usize) {
        let used = self.low_memory.as_ref().map_or(&self.used, |low_memory| &low_memory.used);
        used.fetch_sub(bytes, Relaxed);
    }

    /// Reports a finished scheme; fails if the work was cancelled.
    fn step(&self) -> Result<(), Error> {
        if self.progress.step(1).is_break() { Err(Error::cancelled()) } else { Ok(()) }
    }

    /// Counts bytes as used; fails if that exceeds the limit.
    fn take(&self, bytes: usize, height: u32) -> Result<(), Error> {
        if self.used.fetch_add(bytes, Relaxed) + bytes <= self.limits.memory {
            return Ok(());
        }
        Err(ExceededMemory {
            schemes: self.space.size().unwrap_or(usize::MAX),
            limit: self.limits.memory >> 20,
            height,
        }
        .into())
    }
}

/// Computes what is kept of a scheme from its groups while its cells are in memory.
pub(crate) trait Observe: Sync {
    /// Memory that is reused for every scheme.
    type Scratch;
    /// What is kept of a scheme.
    type Observation: Default + Clone + Send + Sync;

    fn scratch(&self) -> Self::Scratch;

    fn see<K: Key, E: Extra>(
        &self,
        scheme: &Scheme,
        cells: &[Cell<K, E>],
        layout: &KeyLayout,
        scratch: &mut Self::Scratch,
    ) -> Self::Observation;

    /// Returns the bytes that are kept.
    fn bytes(seen: &Self::Observation) -> usize;
}

/// A row with its cells, while the rows above may need them and there is memory for them.
struct RowCells<K, E, S> {
    index: usize,
    cells: Option<Vec<Cell<K, E>>>,
    seen: Vec<S>,
}

impl<K, E, S> RowCells<K, E, S> {
    fn cell_bytes(&self) -> usize {
        self.cells.as_deref().map_or(0, bytes)
    }
}

/// Calls `keep` with what was observed of every scheme and its index; `keep` returns how many bytes
/// it keeps.
///
/// Schemes that differ only in one attribute form a row: the attribute whose codes are last in the
/// keys, so that climbing it adds up neighbours. A row's cells at level 0 come from the row below
/// with the fewest cells; from there the whole row is climbed in reused memory.
pub(crate) fn annotate<K: Key, E: Extra, O: Observe>(
    base: &[Cell<K, E>],
    layout: &KeyLayout,
    observer: &O,
    task: &AnnotationTask<'_>,
    keep: &mut dyn FnMut(usize, O::Observation) -> usize,
) -> Result<(), Error> {
    let Some(position) = layout.fields.iter().position(|&field| field == layout.last) else {
        // Without a quasi-identifier there is one scheme.
        keep(0, observer.see(&task.space.bottom(), base, layout, &mut observer.scratch()));
        return Ok(());
    };
    let strides = task.space.strides();
    let rows = task.space.whole().fixed(position, 0.into());
    let mut layer: Vec<RowCells<K, E, O::Observation>> = Vec::new();
    for height in rows.heights() {
        let climb =
            HeightPass { base, layer: &layer, strides: &strides, position, layout, observer, task };
        let schemes: Vec<Scheme> = rows.at_height(height).collect();
        let next = climb.to(&schemes, height)?;
        task.give_back_cells(layer.iter().map(RowCells::cell_bytes).sum());
        layer = next;
        for node in &mut layer {
            for (level, seen) in node.seen.drain(..).enumerate() {
                let seen_bytes = O::bytes(&seen);
                task.take(keep(node.index + level * strides[position], seen), height)?;
                task.used.fetch_sub(seen_bytes, Relaxed);
            }
        }
    }
    task.give_back_cells(layer.iter().map(RowCells::cell_bytes).sum());
    Ok(())
}

fn bytes<K, E>(cells: &[Cell<K, E>]) -> usize {
    std::mem::size_of_val(cells)
}

/// The rows of one height, and their positions by index.
struct HeightPass<'a, K, E, O: Observe> {
    base: &'a [Cell<K, E>],
    layer: &'a [RowCells<K, E, O::Observation>],
    strides: &'a [usize],
    /// The attribute that climbs within a row.
    position: usize,
    layout: &'a KeyLayout,
    observer: &'a O,
    task: &'a AnnotationTask<'a>,
}

/// Memory of one thread.
struct Scratch<K, E, S> {
    roll_up: RollUp<K, E>,
    cells: Vec<Cell<K, E>>,
    next: Vec<Cell<K, E>>,
    observer: S,
}

impl<'a, K: Key, E: Extra, O: Observe> HeightPass<'a, K, E, O> {
    fn to(
        &self,
        rows: &[Scheme],
        height: u32,
    ) -> Result<Vec<RowCells<K, E, O::Observation>>, Error> {
        let scratch = || Scratch {
            roll_up: RollUp::default(),
            cells: Vec::new(),
            next: Vec::new(),
            observer: self.observer.scratch(),
        };
        if self.task.low_memory.as_ref().is_some_and(|low_memory| low_memory.alone) {
            let mut scratch = scratch();
            return rows.iter().map(|row| self.node(row, height, &mut scratch)).collect();
        }
        rows.par_iter().map_init(scratch, |scratch, row| self.node(row, height, scratch)).collect()
    }

    fn node(
        &self,
        row: &Scheme,
        height: u32,
        scratch: &mut Scratch<K, E, O::Scratch>,
    ) -> Result<RowCells<K, E, O::Observation>, Error> {
        let index = self.task.space.index(row);
        if let Some((position, lower)) = self.cheapest(row, index) {
            let step = self.step(position, row.level(position).index() - 1);
            self.touch(lower);
            scratch.roll_up.climb(lower, self.layout, step, &mut scratch.cells);
        } else {
            self.climb_from_base(row, scratch);
        }
        let kept = self.task.take_cells(bytes(&scratch.cells), height)?;
        let cells = kept.then(|| scratch.cells.clone());
        let seen = self.row(row, height, scratch)?;
        Ok(RowCells { index, cells, seen })
    }

    /// Rolls a row up from the base: the lowest row, and rows for which no lower row was kept.
    fn climb_from_base(&self, row: &Scheme, scratch: &mut Scratch<K, E, O::Scratch>) {
        scratch.cells.clear();
        scratch.cells.extend_from_slice(self.base);
        for (position, level) in row.levels().iter().enumerate() {
            for from in 0..level.index() {
                self.climb_within(position, from, scratch);
            }
        }
    }

    /// Raises one attribute of the current cells by one level.
    fn climb_within(&self, position: usize, from: usize, scratch: &mut Scratch<K, E, O::Scratch>) {
        self.touch(&scratch.cells);
        let step = self.step(position, from);
        scratch.roll_up.climb(&scratch.cells, self.layout, step, &mut scratch.next);
        std::mem::swap(&mut scratch.cells, &mut scratch.next);
    }

    /// Observes a row's schemes, from its cells at level 0 upwards.
    fn row(
        &self,
        row: &Scheme,
        height: u32,
        scratch: &mut Scratch<K, E, O::Scratch>,
    ) -> Result<Vec<O::Observation>, Error> {
        let top = self.task.space.top().level(self.position).index();
        let mut all = Vec::with_capacity(top + 1);
        for level in 0..=top {
            if level > 0 {
                self.climb_within(self.position, level - 1, scratch);
            }
            let scheme = row.with(self.position, (level as u8).into());
            let seen =
                self.observer.see(&scheme, &scratch.cells, self.layout, &mut scratch.observer);
            self.task.take(O::bytes(&seen), height)?;
            self.task.step()?;
            all.push(seen);
        }
        Ok(all)
    }

    fn step(&self, position: usize, from: usize) -> ClimbStep<'a> {
        let parents = self.task.hierarchies[position].parents((from as u8).into());
        ClimbStep { field: self.layout.fields[position], parents }
    }

    fn touch(&self, cells: &[Cell<K, E>]) {
        self.task.touches.fetch_add(cells.len() as u64, Relaxed);
    }

    /// Returns the row below with the fewest cells, and the attribute that climbs from there; none
    /// for the lowest row and if no lower row was kept.
    fn cheapest(&self, row: &Scheme, index: usize) -> Option<(usize, &'a [Cell<K, E>])> {
        let neighbours = row.levels().iter().enumerate().filter(|(_, level)| level.index() > 0);
        neighbours
            .filter_map(|(i, _)| Some((i, self.cells(index - self.strides[i])?)))
            .min_by_key(|(_, cells)| cells.len())
    }

    fn cells(&self, index: usize) -> Option<&'a [Cell<K, E>]> {
        let position = self.layer.binary_search_by_key(&index, |node| node.index);
        self.layer[position.expect("all rows of the height below are there")].cells.as_deref()
    }
}
