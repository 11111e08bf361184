//! The boxes while they are split and merged: a tree whose leaves are the boxes.

use std::collections::VecDeque;
use std::ops::Range;

use haggle_cube::{BoxCount, CountedBox, Proposed};
use haggle_model::{Level, QuasiIdentifier, Scheme};

use super::Boxing;
use crate::sizes::Collected;
use crate::{Error, Goal, Summary};

/// A box and, if it was split, its halves.
#[derive(Debug, Clone)]
struct BoxNode {
    sides: Vec<Range<u32>>,
    halves: Option<[usize; 2]>,
    /// The numbers that a prediction needs.
    likely: Collected,
    count: BoxCount,
    /// Whether no split of it passes.
    whole: bool,
}

/// Boxes that together cover every value.
pub(super) struct BoxTree<'a> {
    summary: &'a dyn Summary,
    boxing: &'a Boxing<'a>,
    nodes: Vec<BoxNode>,
    roots: usize,
    /// How many times a probability was computed.
    pub(super) predictions: u64,
}

/// The maximum number of initial boxes.
const MOST_ROOTS: usize = 100_000;

impl<'a> BoxTree<'a> {
    /// Builds the tree of the whole domain, or of the cells of the maximum levels.
    pub(super) fn new(
        summary: &'a dyn Summary,
        boxing: &'a Boxing<'a>,
        caps: &Scheme,
    ) -> Result<Self, Error> {
        let attributes = summary.attributes().iter().zip(caps.levels());
        let sides: Vec<Vec<Range<u32>>> = attributes.map(|(a, &cap)| nodes(a, cap)).collect();
        let roots = sides.iter().map(Vec::len).try_fold(1, usize::checked_mul);
        if roots.is_none_or(|roots| roots > MOST_ROOTS) {
            let what = "there are too many boxes under these maximum levels";
            return Err(Error::unsupported(what, "raise the maximum levels"));
        }
        let roots = sides.iter().fold(vec![Vec::new()], |boxes: Vec<Vec<Range<u32>>>, sides| {
            let longer = |one: &Vec<Range<u32>>| {
                let one = one.clone();
                sides.iter().map(move |side| [&one[..], std::slice::from_ref(side)].concat())
            };
            boxes.iter().flat_map(longer).collect()
        });
        let mut tree =
            Self { summary, boxing, roots: roots.len(), nodes: Vec::new(), predictions: 0 };
        for sides in roots {
            let root = tree.node(sides);
            tree.nodes.push(root);
        }
        Ok(tree)
    }

    fn node(&self, sides: Vec<Range<u32>>) -> BoxNode {
        let likely = self.likely(&sides);
        BoxNode { sides, halves: None, likely, count: BoxCount::default(), whole: false }
    }

    /// Collects the numbers that a prediction needs of one box.
    fn likely(&self, sides: &[Range<u32>]) -> Collected {
        let (records, how) = (self.summary.records(), self.boxing.how.optimizations);
        let mut collected = Collected::default();
        match self.boxing.goal {
            Goal::K(k) => {
                let likelihood = self.summary.within(sides, None, false).iter().sum();
                collected.add_size(records, likelihood, k as f64, how, true);
            }
            Goal::L(l) => {
                let joint = self.summary.within(sides, None, true);
                let likelihood: f64 = joint.iter().sum();
                let known = likelihood.max(f64::MIN_POSITIVE);
                let shares: Vec<f64> = joint.iter().map(|share| share / known).collect();
                collected.add_diversity(records, likelihood, &shares, l, how);
            }
        }
        collected
    }

    /// The boxes that are not split, in order.
    pub(super) fn leaves(&self) -> Vec<usize> {
        let mut leaves = Vec::new();
        let mut waiting: Vec<usize> = (0..self.roots).rev().collect();
        while let Some(node) = waiting.pop() {
            match self.nodes[node].halves {
                None => leaves.push(node),
                Some([lower, upper]) => waiting.extend([upper, lower]),
            }
        }
        leaves
    }

    /// The sides of the boxes.
    pub(super) fn boxes(&self) -> Vec<Vec<Range<u32>>> {
        self.leaves().into_iter().map(|leaf| self.nodes[leaf].sides.clone()).collect()
    }

    /// Stores the counts of boxes.
    pub(super) fn count(&mut self, leaves: &[usize], counted: Vec<CountedBox>) {
        for (&leaf, counted) in leaves.iter().zip(counted) {
            self.nodes[leaf].count = counted.all;
        }
    }

    /// Splits boxes as long as the probability that all pass is above the threshold; returns the
    /// probability.
    pub(super) fn predict(&mut self) -> Result<f64, Error> {
        let records = self.summary.records().round();
        let mut total = Collected::default();
        for node in &self.nodes {
            total.joint = total.joint.plus(&node.likely.joint);
        }
        let mut probability = total.joint.ln_probability(records).exp();
        let mut waiting: VecDeque<usize> = (0..self.roots).collect();
        while let Some(node) = waiting.pop_front().filter(|_| !self.boxing.progress.is_late()) {
            for (attribute, middle) in self.medians(node) {
                let [lower, upper] = self.halves(node, attribute, middle);
                self.boxing.step()?;
                self.predictions += 1;
                let others = total.joint.minus(&self.nodes[node].likely.joint);
                let joint = others.plus(&lower.likely.joint).plus(&upper.likely.joint);
                let likely = joint.ln_probability(records).exp();
                if likely > self.boxing.threshold {
                    (total.joint, probability) = (joint, likely);
                    waiting.extend(self.take_apart(node, [lower, upper]));
                    break;
                }
            }
        }
        Ok(probability)
    }

    fn take_apart(&mut self, node: usize, halves: [BoxNode; 2]) -> [usize; 2] {
        let places = [self.nodes.len(), self.nodes.len() + 1];
        self.nodes.extend(halves);
        self.nodes[node].halves = Some(places);
        places
    }

    /// Returns the halves of a box, the upper one from this code on.
    fn halves(&self, node: usize, attribute: usize, middle: u32) -> [BoxNode; 2] {
        let side = self.nodes[node].sides[attribute].clone();
        let half = |part: Range<u32>| {
            let mut sides = self.nodes[node].sides.clone();
            sides[attribute] = part;
            self.node(sides)
        };
        [half(side.start..middle), half(middle..side.end)]
    }

    /// Returns where a box can be split, by attribute from the widest: at the summary's median.
    fn medians(&self, node: usize) -> Vec<(usize, u32)> {
        let sides = &self.nodes[node].sides;
        let width = |attribute: usize| {
            let all = self.summary.attributes()[attribute].hierarchy.len(Level::RECORDED);
            (sides[attribute].len() - 1) as f64 / (all.max(2) - 1) as f64
        };
        let mut attributes: Vec<usize> = (0..sides.len()).filter(|&a| sides[a].len() > 1).collect();
        attributes.sort_by(|&a, &b| width(b).total_cmp(&width(a)).then(a.cmp(&b)));
        let median = |attribute: usize| {
            let along = self.summary.within(sides, Some(attribute), false);
            let half = along.iter().sum::<f64>() / 2.0;
            let mut below = 0.0;
            let at = along.iter().position(|share| {
                below += share;
                below >= half
            });
            let side = &sides[attribute];
            (side.start + at.unwrap_or(0) as u32 + 1).clamp(side.start + 1, side.end - 1)
        };
        attributes.into_iter().map(|attribute| (attribute, median(attribute))).collect()
    }

    /// Returns what is to be counted of boxes.
    pub(super) fn proposed(&self, leaves: &[usize], with_splits: bool) -> Vec<Proposed> {
        let one = |&leaf: &usize| Proposed {
            sides: self.nodes[leaf].sides.clone(),
            splits: if with_splits { self.medians(leaf) } else { Vec::new() },
        };
        leaves.iter().map(one).collect()
    }

    /// Merges boxes that fail with their siblings, from the deepest up; returns the number of
    /// merges.
    pub(super) fn mend(&mut self, passes: &dyn Fn(&BoxCount) -> bool) -> u64 {
        let mut merged = 0;
        // Halves come after their parent.
        for node in (0..self.nodes.len()).rev() {
            let Some(halves) = self.nodes[node].halves else { continue };
            let [lower, upper] = halves.map(|half| &self.nodes[half]);
            let fails = |half: &BoxNode| {
                half.halves.is_none() && half.count.records > 0 && !passes(&half.count)
            };
            let mend = fails(lower) || fails(upper);
            self.nodes[node].count = lower.count.with(&upper.count);
            if mend {
                self.nodes[node].halves = None;
                merged += 1;
            }
        }
        merged
    }

    /// Returns the boxes that may be worth splitting: those with this many records, unless no split
    /// of them passes.
    pub(super) fn open(&self, large: u64) -> Vec<usize> {
        let mut leaves = self.leaves();
        leaves.retain(|&leaf| {
            let BoxNode { sides, count, whole, .. } = &self.nodes[leaf];
            !whole && count.records >= large && sides.iter().any(|side| side.len() > 1)
        });
        leaves
    }

    /// Splits a box by the first proposal of which both halves pass; if there is none, it stays
    /// whole.
    pub(super) fn split(
        &mut self,
        leaf: usize,
        proposed: &Proposed,
        counted: &CountedBox,
        passes: &dyn Fn(&BoxCount) -> bool,
    ) -> bool {
        for (&(attribute, middle), lower) in proposed.splits.iter().zip(&counted.lower) {
            let upper = counted.all.without(lower);
            let some = lower.records > 0 && upper.records > 0;
            if some && passes(lower) && passes(&upper) {
                let [mut one, mut other] = self.halves(leaf, attribute, middle);
                (one.count, other.count) = (lower.clone(), upper);
                self.take_apart(leaf, [one, other]);
                return true;
            }
        }
        self.nodes[leaf].whole = true;
        false
    }
}

/// The recorded values below each value of a level.
fn nodes(attribute: &QuasiIdentifier, level: Level) -> Vec<Range<u32>> {
    let codes = 0..attribute.hierarchy.len(level) as u32;
    codes.map(|code| attribute.hierarchy.leaves(code, level)).collect()
}
