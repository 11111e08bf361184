//! Every scheme's cells, height by height, each from its cheapest lower neighbour; and what is seen of
//! them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use haggle_model::{Hierarchy, Scheme, Space};
use rayon::prelude::*;

use crate::Error;
use crate::cells::{Cell, Extra, roll_up};
use crate::key::{Key, Layout};

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
}

impl Task<'_> {
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

/// A scheme with its cells, as long as the schemes above may need them.
struct Node<K, E, S> {
    index: usize,
    cells: Vec<Cell<K, E>>,
    seen: S,
}

/// What is seen of every scheme, in index order.
pub(crate) fn annotate<K: Key, E: Extra, O: Observe>(
    base: &[Cell<K, E>],
    layout: &Layout,
    observer: &O,
    task: &Task<'_>,
) -> Result<Vec<O::Seen>, Error> {
    let all = task.space.all();
    let seen = observer.see(&task.space.bottom(), base, layout, &mut observer.scratch());
    let bottom = Node { index: 0, cells: base.to_vec(), seen };
    let mut annotations = vec![O::Seen::default(); task.space.size().unwrap_or(0)];
    let mut layer = vec![bottom];
    for height in all.heights() {
        if height > 0 {
            let climb =
                Climb { layer: &layer, strides: task.space.strides(), layout, observer, task };
            let next = climb.to(&all.at_height(height), height)?;
            task.used.fetch_sub(layer.iter().map(|node| bytes(&node.cells)).sum(), Relaxed);
            layer = next;
        } else {
            task.take(bytes(base), height)?;
            task.step()?;
        }
        for node in &mut layer {
            annotations[node.index] = std::mem::take(&mut node.seen);
        }
    }
    task.used.fetch_sub(layer.iter().map(|node| bytes(&node.cells)).sum(), Relaxed);
    Ok(annotations)
}

fn bytes<K, E>(cells: &[Cell<K, E>]) -> usize {
    std::mem::size_of_val(cells)
}

/// One step up: the nodes of a height, and where to find them by index.
struct Climb<'a, K, E, O: Observe> {
    layer: &'a [Node<K, E, O::Seen>],
    strides: Vec<usize>,
    layout: &'a Layout,
    observer: &'a O,
    task: &'a Task<'a>,
}

impl<'a, K: Key, E: Extra, O: Observe> Climb<'a, K, E, O> {
    fn to(&self, schemes: &[Scheme], height: u32) -> Result<Vec<Node<K, E, O::Seen>>, Error> {
        let scratch = || (Vec::new(), self.observer.scratch());
        schemes
            .par_iter()
            .map_init(scratch, |(cells, scratch), scheme| self.node(scheme, height, cells, scratch))
            .collect()
    }

    fn node(
        &self,
        scheme: &Scheme,
        height: u32,
        cells: &mut Vec<Cell<K, E>>,
        scratch: &mut O::Scratch,
    ) -> Result<Node<K, E, O::Seen>, Error> {
        let index = self.task.space.index(scheme);
        let (position, lower) = self.cheapest(scheme, index);
        let from = scheme.level(position).index() as u8 - 1;
        let parents = self.task.hierarchies[position].parents(from.into());
        roll_up(lower, self.layout.fields[position], parents, cells);
        let seen = self.observer.see(scheme, cells, self.layout, scratch);
        self.task.touches.fetch_add(lower.len() as u64, Relaxed);
        self.task.take(bytes(cells) + O::bytes(&seen), height)?;
        self.task.step()?;
        Ok(Node { index, cells: cells.clone(), seen })
    }

    /// The lower neighbour with the fewest cells, and the attribute that climbs from there.
    fn cheapest(&self, scheme: &Scheme, index: usize) -> (usize, &'a [Cell<K, E>]) {
        let neighbours = scheme.levels().iter().enumerate().filter(|(_, level)| level.index() > 0);
        neighbours
            .map(|(i, _)| (i, self.cells(index - self.strides[i])))
            .min_by_key(|(_, cells)| cells.len())
            .expect("a scheme above height 0 has a lower neighbour")
    }

    fn cells(&self, index: usize) -> &'a [Cell<K, E>] {
        let position = self.layer.binary_search_by_key(&index, |node| node.index);
        &self.layer[position.expect("all schemes of the height below are there")].cells
    }
}
