//! Every scheme's histograms, height by height, each from its cheapest lower neighbour.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use haggle_model::{Hierarchy, Scheme, Space};
use rayon::prelude::*;

use crate::cells::{Cell, for_each_group, roll_up};
use crate::histogram::{Tallied, Tally};
use crate::key::{Key, Layout};
use crate::{Error, Statistic};

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

/// What is the same for all marginals of one annotation.
pub(crate) struct Task<'a> {
    pub(crate) space: &'a Space,
    pub(crate) hierarchies: &'a [&'a Hierarchy],
    pub(crate) limits: Limits,
    /// Whether each group's bin and size are kept.
    pub(crate) rows: bool,
    pub(crate) progress: &'a (dyn Fn(usize) + Sync),
    pub(crate) used: AtomicUsize,
    pub(crate) touches: AtomicU64,
}

impl Task<'_> {
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

/// What is kept of a scheme: the histogram of each statistic, and each group's size if rows are
/// kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Annotation {
    pub(crate) histograms: Vec<Tallied>,
    pub(crate) sizes: Box<[u32]>,
}

impl Annotation {
    fn bytes(&self) -> usize {
        self.histograms.iter().map(Tallied::bytes).sum::<usize>() + size_of_val(&*self.sizes)
    }
}

/// A scheme with its cells, as long as the schemes above may need them.
struct Node<K> {
    index: usize,
    cells: Vec<Cell<K>>,
    annotation: Annotation,
}

/// The annotation of every scheme, in index order.
pub(crate) fn annotate<K: Key>(
    base: &[Cell<K>],
    layout: &Layout,
    statistics: &[&dyn Statistic],
    task: &Task<'_>,
) -> Result<Vec<Annotation>, Error> {
    let all = task.space.all();
    let bottom = Node {
        index: 0,
        cells: base.to_vec(),
        annotation: Tallies::new(statistics, task.rows).annotation(base, layout),
    };
    let mut annotations = vec![Annotation::default(); task.space.size().unwrap_or(0)];
    let mut layer = vec![bottom];
    for height in all.heights() {
        if height > 0 {
            let climb = Climb::new(&layer, layout, statistics, task);
            let next = climb.to(&all.at_height(height), height)?;
            task.used.fetch_sub(layer.iter().map(|node| bytes(&node.cells)).sum(), Relaxed);
            layer = next;
        } else {
            task.take(bytes(base), height)?;
        }
        for node in &mut layer {
            annotations[node.index] = std::mem::take(&mut node.annotation);
        }
        (task.progress)(layer.len());
    }
    task.used.fetch_sub(layer.iter().map(|node| bytes(&node.cells)).sum(), Relaxed);
    Ok(annotations)
}

fn bytes<K>(cells: &[Cell<K>]) -> usize {
    std::mem::size_of_val(cells)
}

/// One step up: the nodes of a height, and where to find them by index.
struct Climb<'a, K> {
    layer: &'a [Node<K>],
    strides: Vec<usize>,
    layout: &'a Layout,
    statistics: &'a [&'a dyn Statistic],
    task: &'a Task<'a>,
}

impl<'a, K: Key> Climb<'a, K> {
    fn new(
        layer: &'a [Node<K>],
        layout: &'a Layout,
        statistics: &'a [&'a dyn Statistic],
        task: &'a Task<'a>,
    ) -> Self {
        Self { layer, strides: task.space.strides(), layout, statistics, task }
    }

    fn to(&self, schemes: &[Scheme], height: u32) -> Result<Vec<Node<K>>, Error> {
        let scratch = || (Vec::new(), Tallies::new(self.statistics, self.task.rows));
        schemes
            .par_iter()
            .map_init(scratch, |(cells, tallies), scheme| self.node(scheme, height, cells, tallies))
            .collect()
    }

    fn node(
        &self,
        scheme: &Scheme,
        height: u32,
        scratch: &mut Vec<Cell<K>>,
        tallies: &mut Tallies<'_>,
    ) -> Result<Node<K>, Error> {
        let index = self.task.space.index(scheme);
        let (position, lower) = self.cheapest(scheme, index);
        let from = scheme.level(position).index() as u8 - 1;
        let parents = self.task.hierarchies[position].parents(from.into());
        roll_up(lower, self.layout.fields[position], parents, scratch);
        let annotation = tallies.annotation(scratch, self.layout);
        self.task.touches.fetch_add(lower.len() as u64, Relaxed);
        self.task.take(bytes(scratch) + annotation.bytes(), height)?;
        Ok(Node { index, cells: scratch.clone(), annotation })
    }

    /// The lower neighbour with the fewest cells, and the attribute that climbs from there.
    fn cheapest(&self, scheme: &Scheme, index: usize) -> (usize, &'a [Cell<K>]) {
        let neighbours = scheme.levels().iter().enumerate().filter(|(_, level)| level.index() > 0);
        neighbours
            .map(|(i, _)| (i, self.cells(index - self.strides[i])))
            .min_by_key(|(_, cells)| cells.len())
            .expect("a scheme above height 0 has a lower neighbour")
    }

    fn cells(&self, index: usize) -> &'a [Cell<K>] {
        let position = self.layer.binary_search_by_key(&index, |node| node.index);
        &self.layer[position.expect("all schemes of the height below are there")].cells
    }
}

/// A tally for each statistic, used again for scheme after scheme.
struct Tallies<'a> {
    statistics: &'a [&'a dyn Statistic],
    each: Vec<Tally>,
    sizes: Option<Vec<u32>>,
}

impl<'a> Tallies<'a> {
    fn new(statistics: &'a [&'a dyn Statistic], rows: bool) -> Self {
        let tally = |statistic: &&dyn Statistic| Tally::new(statistic.column().comparison, rows);
        let each = statistics.iter().map(tally).collect();
        Self { statistics, each, sizes: rows.then(Vec::new) }
    }

    fn annotation<K: Key>(&mut self, cells: &[Cell<K>], layout: &Layout) -> Annotation {
        for_each_group(cells, layout, |group| {
            for (statistic, tally) in self.statistics.iter().zip(&mut self.each) {
                tally.add(statistic.of(group), group.records);
            }
            if let Some(sizes) = &mut self.sizes {
                sizes.push(group.records as u32);
            }
        });
        Annotation {
            histograms: self.each.iter_mut().map(Tally::take).collect(),
            sizes: self.sizes.iter_mut().flat_map(|sizes| sizes.drain(..)).collect(),
        }
    }
}
