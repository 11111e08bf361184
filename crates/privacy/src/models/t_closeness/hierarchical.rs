//! The earth mover's distance in a tree: what moves within each node, at the cost of its level.

use std::cell::RefCell;

use haggle_cube::{Group, ValueCount};
use haggle_model::{Hierarchy, Level};

use super::between::differences;
use crate::exact::ratio;

/// The whole table in the tree.
#[derive(Debug)]
pub(super) struct Hierarchical {
    leaves: Vec<u32>,
    /// For each level below the top, the parent of each node.
    parents: Vec<Vec<u32>>,
    /// For each level, the records below each node.
    totals: Vec<Vec<u64>>,
    records: u64,
}

thread_local! {
    static NODES: RefCell<Vec<(u32, u64)>> = const { RefCell::new(Vec::new()) };
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
        Self { leaves: leaves.to_vec(), parents, totals, records: counts.iter().sum() }
    }

    /// A node moves what some of its children have in excess to those that lack it. Only nodes with
    /// records of the group have children with an excess.
    pub(super) fn distance(&self, group: &Group<'_>) -> f64 {
        let records = u128::from(self.records);
        let known = u128::from(group.known());
        let moved = NODES.with_borrow_mut(|nodes| {
            nodes.clear();
            let leaf = |code: u32| self.leaves[code as usize];
            nodes.extend(group.values.iter().map(|v| (leaf(v.code), v.count)));
            if !nodes.is_sorted() {
                nodes.sort_unstable();
            }
            let levels = 0..self.parents.len();
            levels.map(|level| (level as u128 + 1) * self.climb(level, nodes, known)).sum()
        });
        ratio(moved, self.parents.len() as u128 * known * records)
    }

    /// Sums what each node moves among its children, at the cost of its level.
    pub(super) fn between(&self, one: &[ValueCount], other: &[ValueCount]) -> f64 {
        let mut nodes: Vec<(u32, f64)> = differences(one, other)
            .map(|(code, more)| (self.leaves[code as usize], more))
            .collect();
        nodes.sort_unstable_by_key(|&(leaf, _)| leaf);
        let mut moved = 0.0;
        for (level, parents) in (1_u8..).zip(&self.parents) {
            let parent = |node: &(u32, f64)| parents[node.0 as usize];
            let above = nodes.chunk_by(|a, b| parent(a) == parent(b)).map(|children| {
                let too_much: f64 = children.iter().map(|(_, more)| more.max(0.0)).sum();
                let more: f64 = children.iter().map(|(_, more)| more).sum();
                moved += f64::from(level) * too_much.min(too_much - more);
                (parent(&children[0]), more)
            });
            nodes = above.collect();
        }
        moved / self.parents.len().max(1) as f64
    }

    /// Replaces the nodes of a level, in order, by their parents; returns what moved within these.
    fn climb(&self, level: usize, nodes: &mut Vec<(u32, u64)>, known: u128) -> u128 {
        let (parents, records) = (&self.parents[level], u128::from(self.records));
        let beyond = |level: usize, node: u32, count: u64| {
            let fair = u128::from(self.totals[level][node as usize]) * known;
            (u128::from(count) * records, fair)
        };
        let (mut moved, mut kept, mut from) = (0, 0, 0);
        while from < nodes.len() {
            let parent = parents[nodes[from].0 as usize];
            let (mut too_much, mut count) = (0, 0);
            while from < nodes.len() && parents[nodes[from].0 as usize] == parent {
                let (has, fair) = beyond(level, nodes[from].0, nodes[from].1);
                (too_much, count) = (too_much + has.saturating_sub(fair), count + nodes[from].1);
                from += 1;
            }
            // The excess of all children that is left is the excess of the node itself.
            let (has, fair) = beyond(level + 1, parent, count);
            moved += too_much.min(too_much + fair - has);
            nodes[kept] = (parent, count);
            kept += 1;
        }
        nodes.truncate(kept);
        moved
    }
}
