//! Cuts through hierarchies: each attribute as a tree of its values, and which of them are in a
//! cut.

use haggle_cube::{Applied, weigh};
use haggle_model::{Hierarchy, Level, Recoding, Region};

use super::{Ending, Grouping, StrategyOutcome, Task};

/// A value of a hierarchy and its more detailed values.
#[derive(Debug, Clone)]
pub(super) struct CutNode {
    pub(super) region: Region,
    /// The positions of its children; none if it is a recorded value.
    pub(super) below: Vec<usize>,
}

/// The values of an attribute. Levels on which nothing changes are left out.
#[derive(Debug, Clone)]
pub(super) struct ValueTree {
    pub(super) nodes: Vec<CutNode>,
    /// The values at the maximum level.
    pub(super) roots: Vec<usize>,
    values: usize,
}

impl ValueTree {
    pub(super) fn under(hierarchy: &Hierarchy, cap: Level) -> Self {
        let values = hierarchy.len(Level::RECORDED);
        let mut tree = Self { nodes: Vec::new(), roots: Vec::new(), values };
        for code in 0..hierarchy.len(cap) as u32 {
            let root = tree.grow(hierarchy, code, cap);
            tree.roots.push(root);
        }
        tree
    }

    fn grow(&mut self, hierarchy: &Hierarchy, code: u32, level: Level) -> usize {
        let leaves = hierarchy.leaves(code, level);
        let position = self.nodes.len();
        let region = Region::new(hierarchy, leaves.clone());
        let level = region.level;
        self.nodes.push(CutNode { region, below: Vec::new() });
        let mut next = leaves.start;
        while leaves.len() > 1 && next < leaves.end {
            let lower = Level::from(u8::from(level) - 1);
            let child = hierarchy.ancestor(next, lower);
            next = hierarchy.leaves(child, lower).end;
            let child = self.grow(hierarchy, child, lower);
            self.nodes[position].below.push(child);
        }
        position
    }

    /// Returns for every recorded code the node of a cut above it.
    pub(super) fn map(&self, cut: &[usize]) -> Vec<u32> {
        let mut map = vec![0; self.values];
        for &node in cut {
            let leaves = &self.nodes[node].region.leaves;
            map[leaves.start as usize..leaves.end as usize].fill(node as u32);
        }
        map
    }

    /// The recorded values below a node.
    pub(super) fn leaves(&self, node: usize) -> Vec<usize> {
        if self.nodes[node].below.is_empty() {
            return vec![node];
        }
        self.nodes[node].below.iter().flat_map(|&below| self.leaves(below)).collect()
    }
}

/// The trees of all attributes, and the regions of their nodes as measures see them.
pub(super) struct Forest {
    pub(super) trees: Vec<ValueTree>,
    regions: Vec<Vec<Region>>,
}

impl Forest {
    pub(super) fn of(task: &Task<'_>) -> Self {
        let attributes = task.cube.attributes().iter().zip(task.caps.levels());
        let trees: Vec<ValueTree> =
            attributes.map(|(a, &cap)| ValueTree::under(&a.hierarchy, cap)).collect();
        let regions =
            |tree: &ValueTree| tree.nodes.iter().map(|node| node.region.clone()).collect();
        Self { regions: trees.iter().map(regions).collect(), trees }
    }

    /// The most general cut.
    pub(super) fn roots(&self) -> Vec<Vec<usize>> {
        self.trees.iter().map(|tree| tree.roots.clone()).collect()
    }

    /// Returns what recorded codes become, by attribute.
    pub(super) fn maps(&self, cuts: &[Vec<usize>]) -> Vec<Vec<u32>> {
        self.trees.iter().zip(cuts).map(|(tree, cut)| tree.map(cut)).collect()
    }

    /// The groups of maps to nodes.
    pub(super) fn grouped(&self, task: &Task<'_>, rows: &[u32], maps: &[Vec<u32>]) -> Grouping {
        let sized = maps.iter().zip(&self.trees);
        let maps: Vec<(&[u32], usize)> =
            sized.map(|(map, tree)| (map.as_slice(), tree.nodes.len())).collect();
        Grouping::new(task.base, rows, &maps)
    }

    /// Returns the loss of the groups of maps to nodes, if the failing ones are suppressed.
    pub(super) fn loss(
        &self,
        task: &Task<'_>,
        grouping: &Grouping,
        maps: &[Vec<u32>],
        keeps: impl Fn(usize, &[u32]) -> bool,
    ) -> f64 {
        let codes: Vec<Vec<u32>> = grouping.iter().map(|rows| codes(task, rows[0], maps)).collect();
        let groups = grouping.iter().zip(&codes).enumerate();
        let groups = groups.map(|(i, (rows, codes))| (codes.as_slice(), rows, keeps(i, rows)));
        weigh(&self.regions, task.base, &task.cube.space().bottom(), task.loss, groups).0
    }

    /// Returns a cut as the result of a strategy.
    pub(super) fn found(
        &self,
        task: &Task<'_>,
        cuts: &[Vec<usize>],
        evaluated: u64,
        proven: bool,
    ) -> Ending {
        let region = |(tree, cut): (&ValueTree, &Vec<usize>)| {
            let mut cut: Vec<Region> =
                cut.iter().map(|&node| tree.nodes[node].region.clone()).collect();
            cut.sort_by_key(|region| region.leaves.start);
            cut
        };
        let cuts = self.trees.iter().zip(cuts).map(region).collect();
        let applied = Applied::cuts(task.cube.attributes(), task.base, cuts);
        let recoding = Recoding::Cuts { cuts: applied.cut_spans(task.cube.attributes()) };
        Ending::Found(StrategyOutcome { recoding, applied, split: None, evaluated, proven }.into())
    }
}

fn codes(task: &Task<'_>, row: u32, maps: &[Vec<u32>]) -> Vec<u32> {
    let codes = task.base.codes(row as usize).iter().zip(maps);
    codes.map(|(&code, map)| map[code as usize]).collect()
}
