//! The earth mover's distance in a tree: what moves within each node, at the cost of its level.

use haggle_cube::Group;
use haggle_model::{Hierarchy, Level};

use crate::exact::ratio;

/// The whole table in the tree.
#[derive(Debug)]
pub(super) struct Hierarchical {
    leaves: Vec<u32>,
    /// For each level below the top, the parent of each node.
    parents: Vec<Vec<u32>>,
    /// For each level, the records below each node.
    totals: Vec<Vec<u64>>,
}

impl Hierarchical {
    pub(super) fn new(hierarchy: &Hierarchy, leaves: &[u32], counts: &[u64]) -> Self {
        let mut totals = vec![vec![0; hierarchy.len(Level::RECORDED)]];
        for (&leaf, &count) in leaves.iter().zip(counts) {
            totals[0][leaf as usize] += count;
        }
        let mut parents = Vec::new();
        for level in 0..u8::from(hierarchy.top()) {
            let above = hierarchy.parents(level.into()).to_vec();
            let mut total = vec![0; hierarchy.len(Level::from(level).up())];
            for (&parent, &below) in above.iter().zip(&totals[usize::from(level)]) {
                total[parent as usize] += below;
            }
            totals.push(total);
            parents.push(above);
        }
        Self { leaves: leaves.to_vec(), parents, totals }
    }

    /// A node moves what some of its children have too much and others too little. Only nodes with
    /// records of the group have children with too much.
    pub(super) fn distance(&self, group: &Group<'_>) -> f64 {
        let top = self.parents.len() as u128;
        let records = u128::from(self.totals[self.parents.len()].iter().sum::<u64>());
        let known = u128::from(group.known());
        let mut nodes: Vec<(u32, u64)> =
            group.values.iter().map(|v| (self.leaves[v.code as usize], v.count.into())).collect();
        let mut moved = 0;
        for (level, parents) in self.parents.iter().enumerate() {
            nodes.sort_unstable();
            let mut above: Vec<(u32, u64)> = Vec::new();
            for siblings in nodes.chunk_by(|a, b| parents[a.0 as usize] == parents[b.0 as usize]) {
                let parent = parents[siblings[0].0 as usize];
                let fair = |level: usize, node: u32| {
                    u128::from(self.totals[level][node as usize]) * known
                };
                let too_much: u128 = siblings
                    .iter()
                    .map(|&(node, count)| {
                        (u128::from(count) * records).saturating_sub(fair(level, node))
                    })
                    .sum();
                let count: u64 = siblings.iter().map(|(_, count)| count).sum();
                // What all children have beyond their share is what the node has beyond its own.
                let has = u128::from(count) * records;
                let too_little = (too_much + fair(level + 1, parent)) - has;
                moved += (level as u128 + 1) * too_much.min(too_little);
                above.push((parent, count));
            }
            nodes = above;
        }
        ratio(moved, top * known * records)
    }
}
