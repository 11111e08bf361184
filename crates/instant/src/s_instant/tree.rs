//! The values of hierarchies as trees, and cuts through them.

use std::ops::Range;

use haggle_model::{Hierarchy, Level, QuasiIdentifier, Scheme};

/// A value of a hierarchy.
#[derive(Debug)]
struct CutNode {
    attribute: usize,
    /// The recorded values that it covers.
    leaves: Range<u32>,
    /// Its more detailed values; none if it is a recorded value.
    below: Vec<u32>,
    above: Option<u32>,
}

/// The values of all attributes, numbered. Levels on which nothing changes are left out.
#[derive(Debug)]
pub(super) struct ValueForest {
    nodes: Vec<CutNode>,
    attributes: usize,
}

/// A cut: the numbers of its values, in order.
pub(super) type Cut = Box<[u32]>;

impl ValueForest {
    /// Builds the trees below the maximum levels, and the most general cut.
    pub(super) fn new(attributes: &[QuasiIdentifier], caps: &Scheme) -> (Self, Cut) {
        let mut forest = Self { nodes: Vec::new(), attributes: attributes.len() };
        let mut roots = Vec::new();
        for (attribute, (a, &cap)) in attributes.iter().zip(caps.levels()).enumerate() {
            for code in 0..a.hierarchy.len(cap) as u32 {
                roots.push(forest.grow(attribute, &a.hierarchy, code, cap, None));
            }
        }
        (forest, roots.into())
    }

    fn grow(
        &mut self,
        attribute: usize,
        hierarchy: &Hierarchy,
        code: u32,
        level: Level,
        above: Option<u32>,
    ) -> u32 {
        let leaves = hierarchy.leaves(code, level);
        let number = self.nodes.len() as u32;
        self.nodes.push(CutNode { attribute, leaves: leaves.clone(), below: Vec::new(), above });
        let Some(lower) = splitting(hierarchy, &leaves, level) else { return number };
        let mut next = leaves.start;
        while next < leaves.end {
            let child = hierarchy.ancestor(next, lower);
            next = hierarchy.leaves(child, lower).end;
            let child = self.grow(attribute, hierarchy, child, lower, Some(number));
            self.nodes[number as usize].below.push(child);
        }
        number
    }

    /// Returns the cuts in which one value is replaced by its more detailed ones.
    pub(super) fn below(&self, cut: &Cut) -> Vec<Cut> {
        let splits = cut.iter().filter(|&&node| !self.nodes[node as usize].below.is_empty());
        let split = |&node: &u32| {
            let others = cut.iter().copied().filter(|&other| other != node);
            sorted(others.chain(self.nodes[node as usize].below.iter().copied()))
        };
        splits.map(split).collect()
    }

    /// Returns the cuts in which values are replaced by the one above them.
    pub(super) fn above(&self, cut: &Cut) -> Vec<Cut> {
        let mut parents: Vec<u32> =
            cut.iter().filter_map(|&node| self.nodes[node as usize].above).collect();
        parents.sort_unstable();
        parents.dedup();
        let merge = |&parent: &u32| {
            let below = &self.nodes[parent as usize].below;
            let whole = below.iter().all(|child| cut.binary_search(child).is_ok());
            let others = cut.iter().copied().filter(|node| !below.contains(node));
            whole.then(|| sorted(others.chain([parent])))
        };
        parents.iter().filter_map(merge).collect()
    }

    /// Returns the recorded values of each part, by attribute.
    pub(super) fn ranges(&self, cut: &Cut) -> Vec<Vec<Range<u32>>> {
        let mut ranges = vec![Vec::new(); self.attributes];
        for &node in cut {
            let node = &self.nodes[node as usize];
            ranges[node.attribute].push(node.leaves.clone());
        }
        for ranges in &mut ranges {
            ranges.sort_by_key(|range| range.start);
        }
        ranges
    }
}

fn sorted(nodes: impl Iterator<Item = u32>) -> Cut {
    let mut nodes: Vec<u32> = nodes.collect();
    nodes.sort_unstable();
    nodes.into()
}

/// Returns the highest level below this one on which a value is split.
fn splitting(hierarchy: &Hierarchy, leaves: &Range<u32>, level: Level) -> Option<Level> {
    let lower = (0..u8::from(level)).rev().map(Level::from);
    let splits = |&lower: &Level| {
        let first = hierarchy.ancestor(leaves.start, lower);
        hierarchy.leaves(first, lower) != *leaves
    };
    lower.into_iter().find(splits)
}
