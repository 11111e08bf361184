//! Every scheme's cells, row by row, each row from its cheapest lower neighbour; and what is seen of them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use haggle_model::{Hierarchy, Scheme, Space};
use rayon::prelude::*;

use crate::Error;
use crate::cells::{Cell, Extra};
use crate::key::{Key, Layout};
use crate::roll_up::{RollUp, Step};

/// What annotating may use.
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

/// Is told of steps as they are done, and says whether to go on.
pub type Watch<'a> = dyn Fn(usize) -> ControlFlow<()> + Sync + 'a;

/// Work that nobody watches and nobody stops.
pub fn unwatched(_: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// What is the same for all marginals of one annotation.
pub(crate) struct Task<'a> {
    pub(crate) space: &'a Space,
    pub(crate) hierarchies: &'a [&'a Hierarchy],
    pub(crate) limits: Limits,
    pub(crate) progress: &'a Watch<'a>,
    pub(crate) used: AtomicUsize,
    pub(crate) touches: AtomicU64,
    /// Where memory is short: what may be used for the cells of rows, and by how many.
    pub(crate) thrift: Option<Thrift>,
}

/// How cells are kept where memory is short: rows whose cells do not fit are rolled up from the base
/// again, which takes longer.
pub(crate) struct Thrift {
    /// Bytes for the cells of all rows together.
    pub(crate) cells: usize,
    /// Whether one thread does all, because each needs buffers of its own.
    pub(crate) alone: bool,
    pub(crate) used: AtomicUsize,
}

impl Task<'_> {
    /// Counts the bytes of a row's cells as used; whether they may be kept, or an error if they must be.
    fn take_cells(&self, bytes: usize, height: u32) -> Result<bool, Error> {
        let Some(thrift) = &self.thrift else {
            return self.take(bytes, height).map(|()| true);
        };
        let fits = thrift.used.fetch_add(bytes, Relaxed) + bytes <= thrift.cells;
        if !fits {
            thrift.used.fetch_sub(bytes, Relaxed);
        }
        Ok(fits)
    }

    fn give_back_cells(&self, bytes: usize) {
        let used = self.thrift.as_ref().map_or(&self.used, |thrift| &thrift.used);
        used.fetch_sub(bytes, Relaxed);
    }

    /// A scheme is done; an error if no more are wanted.
    fn step(&self) -> Result<(), Error> {
        if (self.progress)(1).is_break() { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Counts bytes as used; an error once that is more than allowed.
    fn take(&self, bytes: usize, height: u32) -> Result<(), Error> {
        if self.used.fetch_add(bytes, Relaxed) + bytes <= self.limits.memory {
            return Ok(());
        }
        Err(Error::Memory {
            schemes: self.space.size().unwrap_or(usize::MAX),
            limit: self.limits.memory >> 20,
            height,
        })
    }
}

/// What is taken from a scheme's groups while its cells are there.
pub(crate) trait Observe: Sync {
    /// Memory that is used again for scheme after scheme.
    type Scratch;
    /// What is kept of a scheme.
    type Seen: Default + Clone + Send + Sync;

    fn scratch(&self) -> Self::Scratch;

    fn see<K: Key, E: Extra>(
        &self,
        scheme: &Scheme,
        cells: &[Cell<K, E>],
        layout: &Layout,
        scratch: &mut Self::Scratch,
    ) -> Self::Seen;

    /// The bytes that are kept.
    fn bytes(seen: &Self::Seen) -> usize;
}

/// A row with its cells, as long as the rows above may need them and there is memory for them.
struct Node<K, E, S> {
    index: usize,
    cells: Option<Vec<Cell<K, E>>>,
    seen: Vec<S>,
}

impl<K, E, S> Node<K, E, S> {
    fn cell_bytes(&self) -> usize {
        self.cells.as_deref().map_or(0, bytes)
    }
}

/// Shows `keep` what is seen of every scheme, with its index; it says how many bytes it keeps of it.
///
/// Schemes that differ in one attribute only are a row: the attribute whose codes stand last in the
/// keys, so that climbing it adds up neighbours. A row's cells at level 0 come from the row below that
/// has the fewest, and from there the whole row is climbed at once, in memory that is used again.
pub(crate) fn annotate<K: Key, E: Extra, O: Observe>(
    base: &[Cell<K, E>],
    layout: &Layout,
    observer: &O,
    task: &Task<'_>,
    keep: &mut dyn FnMut(usize, O::Seen) -> usize,
) -> Result<(), Error> {
    let Some(position) = layout.fields.iter().position(|&field| field == layout.last) else {
        // Without a quasi-identifier there is one scheme.
        keep(0, observer.see(&task.space.bottom(), base, layout, &mut observer.scratch()));
        return Ok(());
    };
    let strides = task.space.strides();
    let rows = task.space.all().fixed(position, 0.into());
    let mut layer: Vec<Node<K, E, O::Seen>> = Vec::new();
    for height in rows.heights() {
        let climb =
            Climb { base, layer: &layer, strides: &strides, position, layout, observer, task };
        let next = climb.to(&rows.at_height(height), height)?;
        task.give_back_cells(layer.iter().map(Node::cell_bytes).sum());
        layer = next;
        for node in &mut layer {
            for (level, seen) in node.seen.drain(..).enumerate() {
                let seen_bytes = O::bytes(&seen);
                task.take(keep(node.index + level * strides[position], seen), height)?;
                task.used.fetch_sub(seen_bytes, Relaxed);
            }
        }
    }
    task.give_back_cells(layer.iter().map(Node::cell_bytes).sum());
    Ok(())
}

fn bytes<K, E>(cells: &[Cell<K, E>]) -> usize {
    std::mem::size_of_val(cells)
}

/// One step up: the rows of a height, and where to find them by index.
struct Climb<'a, K, E, O: Observe> {
    base: &'a [Cell<K, E>],
    layer: &'a [Node<K, E, O::Seen>],
    strides: &'a [usize],
    /// The attribute that climbs within a row.
    position: usize,
    layout: &'a Layout,
    observer: &'a O,
    task: &'a Task<'a>,
}

/// Memory of one thread.
struct Scratch<K, E, S> {
    roll_up: RollUp<K, E>,
    cells: Vec<Cell<K, E>>,
    next: Vec<Cell<K, E>>,
    observer: S,
}

impl<'a, K: Key, E: Extra, O: Observe> Climb<'a, K, E, O> {
    fn to(&self, rows: &[Scheme], height: u32) -> Result<Vec<Node<K, E, O::Seen>>, Error> {
        let scratch = || Scratch {
            roll_up: RollUp::default(),
            cells: Vec::new(),
            next: Vec::new(),
            observer: self.observer.scratch(),
        };
        if self.task.thrift.as_ref().is_some_and(|thrift| thrift.alone) {
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
    ) -> Result<Node<K, E, O::Seen>, Error> {
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
        Ok(Node { index, cells, seen })
    }

    /// Rolls a row up from the base: the lowest row, and those of which no lower one was kept.
    fn climb_from_base(&self, row: &Scheme, scratch: &mut Scratch<K, E, O::Scratch>) {
        scratch.cells.clear();
        scratch.cells.extend_from_slice(self.base);
        for (position, level) in row.levels().iter().enumerate() {
            for from in 0..level.index() {
                self.climb_within(position, from, scratch);
            }
        }
    }

    /// One attribute of the cells at hand climbs one level.
    fn climb_within(&self, position: usize, from: usize, scratch: &mut Scratch<K, E, O::Scratch>) {
        self.touch(&scratch.cells);
        let step = self.step(position, from);
        scratch.roll_up.climb(&scratch.cells, self.layout, step, &mut scratch.next);
        std::mem::swap(&mut scratch.cells, &mut scratch.next);
    }

    /// What is seen of a row's schemes, from its cells at level 0 upwards.
    fn row(
        &self,
        row: &Scheme,
        height: u32,
        scratch: &mut Scratch<K, E, O::Scratch>,
    ) -> Result<Vec<O::Seen>, Error> {
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

    fn step(&self, position: usize, from: usize) -> Step<'a> {
        let parents = self.task.hierarchies[position].parents((from as u8).into());
        Step { field: self.layout.fields[position], parents }
    }

    fn touch(&self, cells: &[Cell<K, E>]) {
        self.task.touches.fetch_add(cells.len() as u64, Relaxed);
    }

    /// The row below with the fewest cells, and the attribute that climbs from there; none for the
    /// lowest row, and where none was kept.
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
