//! M-INSTANT: boxes that a summary predicts to pass, counted in one scan, then mended.
//!
//! First phase, without a look at the data: the domain is split at medians of the summary, box by box, as
//! long as the probability that every box passes stays above the threshold. Attributes are tried from the
//! one in which the box is widest. Second phase: all boxes are counted in one scan; a box that fails is
//! merged with its sibling, which takes no further scan because counts add up; and boxes that are large
//! enough are split further, every proposed split of all boxes being counted in one scan, until no split
//! passes. What is counted decides, so any privacy can be asked for; the prediction is about k or l.
//!
//! Citation: M. E. Nergiz, A. Tamersoy, Y. Saygin, "Instant anonymization", ACM TODS 36(1), 2011,
//! algorithm 2. The listing takes back the last mapping until one will do; the text merges siblings, as here.

use std::collections::VecDeque;
use std::ops::Range;

use haggle_cube::{Base, Group, ValueCount, Watch};
use haggle_model::{Level, QuasiIdentifier, Scheme};

use crate::sizes::Collected;
use crate::{Error, Goal, How, Summary};

/// What is asked of boxes.
#[derive(Clone, Copy)]
pub struct Boxing<'a> {
    /// What a box is predicted by.
    pub goal: Goal,
    /// The probability that every box passes must stay above this.
    pub threshold: f64,
    /// How to predict.
    pub how: How,
    /// No more scans than this.
    pub most_scans: u64,
    /// Is told of every prediction and of every scan, and may stop all.
    pub watch: &'a Watch<'a>,
}

impl std::fmt::Debug for Boxing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { goal, threshold, most_scans, .. } = self;
        write!(f, "boxes for {goal:?} above {threshold}, at most {most_scans} scans")
    }
}

impl Boxing<'_> {
    /// One more step is done; an error if no more are wanted.
    fn step(&self) -> Result<(), Error> {
        if (self.watch)(1).is_break() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

/// How many records of a box have which values, by watched attribute asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoxCount {
    /// The records.
    pub records: u64,
    /// By watched attribute, the values that occur, by code.
    pub values: Vec<Vec<ValueCount>>,
}

impl BoxCount {
    /// It as a group with the values of a watched attribute, by its place among those asked for.
    pub fn group(&self, place: usize) -> Group<'_> {
        let values = self.values.get(place).map_or(&[][..], Vec::as_slice);
        Group { records: self.records, values }
    }

    fn with(&self, other: &Self) -> Self {
        let pairs = self.values.iter().zip(&other.values);
        let joined = |(a, b): (&Vec<ValueCount>, &Vec<ValueCount>)| {
            let mut all: Vec<ValueCount> = a.iter().chain(b).copied().collect();
            all.sort_by_key(|value| value.code);
            all.dedup_by(|next, kept| {
                let same = next.code == kept.code;
                kept.count += if same { next.count } else { 0 };
                same
            });
            all
        };
        Self { records: self.records + other.records, values: pairs.map(joined).collect() }
    }

    fn without(&self, part: &Self) -> Self {
        let pairs = self.values.iter().zip(&part.values);
        let rest = |(all, part): (&Vec<ValueCount>, &Vec<ValueCount>)| {
            let taken = |code: u32| part.iter().find(|v| v.code == code).map_or(0, |v| v.count);
            let left = |v: &ValueCount| ValueCount { count: v.count - taken(v.code), ..*v };
            all.iter().map(left).filter(|value| value.count > 0).collect()
        };
        Self { records: self.records - part.records, values: pairs.map(rest).collect() }
    }
}

/// A box with the splits that are proposed for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// Its side in each attribute, as codes of recorded values.
    pub sides: Vec<Range<u32>>,
    /// Attributes, and the first code of the upper half.
    pub splits: Vec<(usize, u32)>,
}

/// What was counted of a box: all of it, and the lower half of each proposed split.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CountedBox {
    /// All of it.
    pub all: BoxCount,
    /// The lower halves, in order.
    pub lower: Vec<BoxCount>,
}

/// Data that counts boxes on request and counts its own scans.
pub trait BoxSource {
    /// Counts boxes that do not overlap, in one scan of the data.
    fn count(&mut self, boxes: &[Proposed]) -> Result<Vec<CountedBox>, Error>;

    /// How many scans were made so far.
    fn scans(&self) -> u64;
}

/// The counted groups of a cube as data: a scan is a pass over all of them.
#[derive(Debug)]
pub struct Groups<'b> {
    base: &'b Base,
    watched: Vec<usize>,
    scans: u64,
}

impl<'b> Groups<'b> {
    /// With the counts of these watched attributes.
    pub fn new(base: &'b Base, watched: Vec<usize>) -> Self {
        Self { base, watched, scans: 0 }
    }

    fn counted(&self, rows: &[u32]) -> BoxCount {
        let records = rows.iter().map(|&row| self.base.records(row as usize)).sum();
        let values = |&watched: &usize| {
            self.base.merger(watched).merge(rows.iter().copied()).values.to_vec()
        };
        BoxCount { records, values: self.watched.iter().map(values).collect() }
    }
}

impl BoxSource for Groups<'_> {
    fn count(&mut self, boxes: &[Proposed]) -> Result<Vec<CountedBox>, Error> {
        self.scans += 1;
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); boxes.len()];
        // Sorted by where they begin in the first attribute, few boxes are looked at for each row.
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        order.sort_by_key(|&i| boxes[i].sides.first().map_or(0, |side| side.start));
        for row in 0..self.base.len() {
            let codes = self.base.codes(row);
            let may = order.partition_point(|&i| boxes[i].sides[0].start <= codes[0]);
            let holds = |&&i: &&usize| boxes[i].sides.iter().zip(codes).all(|(s, c)| s.contains(c));
            if let Some(&found) = order[..may].iter().find(holds) {
                rows[found].push(row as u32);
            }
        }
        let one = |(asked, rows): (&Proposed, &Vec<u32>)| {
            let below = |&(attribute, split): &(usize, u32)| {
                let lower = rows.iter().copied();
                let lower = lower.filter(|&row| self.base.codes(row as usize)[attribute] < split);
                self.counted(&lower.collect::<Vec<_>>())
            };
            CountedBox { all: self.counted(rows), lower: asked.splits.iter().map(below).collect() }
        };
        Ok(boxes.iter().zip(&rows).map(one).collect())
    }

    fn scans(&self) -> u64 {
        self.scans
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxed {
    /// The boxes, each with its side in each attribute. Together they hold every value.
    pub boxes: Vec<Vec<Range<u32>>>,
    /// How many boxes the first phase predicted.
    pub predicted: usize,
    /// How many times a probability was computed.
    pub predictions: u64,
    /// The probability that all of the predicted boxes pass.
    pub probability: f64,
    /// How many merges there were.
    pub merged: u64,
    /// How many splits were made after counting.
    pub split: u64,
    /// The scans that counting took, as the source counted them.
    pub scans: u64,
}

/// A box and, if it was split, its halves.
#[derive(Debug, Clone)]
struct Node {
    sides: Vec<Range<u32>>,
    halves: Option<[usize; 2]>,
    /// What is collected of it for a prediction.
    likely: Collected,
    count: BoxCount,
    /// Whether no split of it passes.
    whole: bool,
}

/// Finds boxes under the maximum levels. `passes` judges what was counted; `large` says from how many
/// records on a box is worth splitting. Boxes that fail and have no sibling stay, and fail.
pub fn m_instant<S: BoxSource>(
    summary: &dyn Summary,
    source: &mut S,
    boxing: &Boxing<'_>,
    caps: &Scheme,
    passes: &dyn Fn(&BoxCount) -> bool,
    large: u64,
) -> Result<Boxed, Error> {
    let mut tree = Tree::new(summary, boxing, caps)?;
    let probability = tree.predict()?;
    let predicted = tree.leaves().len();
    let before = source.scans();
    let leaves = tree.leaves();
    let counted = source.count(&tree.proposed(&leaves, false))?;
    for (&leaf, counted) in leaves.iter().zip(counted) {
        tree.nodes[leaf].count = counted.all;
    }
    let merged = tree.mend(passes);
    let mut split = 0;
    while source.scans() - before < boxing.most_scans {
        let open: Vec<usize> =
            tree.leaves().into_iter().filter(|&leaf| tree.may_split(leaf, large)).collect();
        if open.is_empty() {
            break;
        }
        let proposed = tree.proposed(&open, true);
        boxing.step()?;
        let counted = source.count(&proposed)?;
        for ((leaf, proposed), counted) in open.into_iter().zip(proposed).zip(counted) {
            split += u64::from(tree.split(leaf, &proposed, &counted, passes));
        }
    }
    let boxes = tree.leaves().into_iter().map(|leaf| tree.nodes[leaf].sides.clone()).collect();
    let (predictions, scans) = (tree.predictions, source.scans() - before);
    Ok(Boxed { boxes, predicted, predictions, probability, merged, split, scans })
}

struct Tree<'a> {
    summary: &'a dyn Summary,
    boxing: &'a Boxing<'a>,
    nodes: Vec<Node>,
    roots: usize,
    predictions: u64,
}

/// No more boxes than this to begin with.
const MOST_ROOTS: usize = 100_000;

impl<'a> Tree<'a> {
    /// The whole domain, or the cells of the maximum levels.
    fn new(summary: &'a dyn Summary, boxing: &'a Boxing<'a>, caps: &Scheme) -> Result<Self, Error> {
        let attributes = summary.attributes().iter().zip(caps.levels());
        let sides: Vec<Vec<Range<u32>>> = attributes.map(|(a, &cap)| nodes(a, cap)).collect();
        let roots = sides.iter().map(Vec::len).try_fold(1, usize::checked_mul);
        if roots.is_none_or(|roots| roots > MOST_ROOTS) {
            let what = "there are too many boxes under these maximum levels";
            return Err(Error::new(what, "raise the maximum levels"));
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

    fn node(&self, sides: Vec<Range<u32>>) -> Node {
        let likely = self.likely(&sides);
        Node { sides, halves: None, likely, count: BoxCount::default(), whole: false }
    }

    /// What is collected of one box for a prediction.
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
    fn leaves(&self) -> Vec<usize> {
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

    /// Splits boxes as long as the probability that all pass is above the threshold; tells it.
    fn predict(&mut self) -> Result<f64, Error> {
        let records = self.summary.records().round();
        let mut total = Collected::default();
        for node in &self.nodes {
            total.joint = total.joint.plus(&node.likely.joint);
        }
        let mut probability = total.joint.ln_probability(records).exp();
        let mut waiting: VecDeque<usize> = (0..self.roots).collect();
        while let Some(node) = waiting.pop_front() {
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

    fn take_apart(&mut self, node: usize, halves: [Node; 2]) -> [usize; 2] {
        let places = [self.nodes.len(), self.nodes.len() + 1];
        self.nodes.extend(halves);
        self.nodes[node].halves = Some(places);
        places
    }

    /// The halves of a box, the upper one from this code on.
    fn halves(&self, node: usize, attribute: usize, middle: u32) -> [Node; 2] {
        let side = self.nodes[node].sides[attribute].clone();
        let half = |part: Range<u32>| {
            let mut sides = self.nodes[node].sides.clone();
            sides[attribute] = part;
            self.node(sides)
        };
        [half(side.start..middle), half(middle..side.end)]
    }

    /// Where a box can be split, by attribute from the widest: at the summary's median.
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

    fn proposed(&self, leaves: &[usize], with_splits: bool) -> Vec<Proposed> {
        let one = |&leaf: &usize| Proposed {
            sides: self.nodes[leaf].sides.clone(),
            splits: if with_splits { self.medians(leaf) } else { Vec::new() },
        };
        leaves.iter().map(one).collect()
    }

    /// Merges boxes that fail with their siblings, from the deepest up; tells how many merges it took.
    fn mend(&mut self, passes: &dyn Fn(&BoxCount) -> bool) -> u64 {
        let mut merged = 0;
        // Halves stand behind what they are halves of.
        for node in (0..self.nodes.len()).rev() {
            let Some(halves) = self.nodes[node].halves else { continue };
            let [lower, upper] = halves.map(|half| &self.nodes[half]);
            let fails = |half: &Node| {
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

    fn may_split(&self, leaf: usize, large: u64) -> bool {
        let node = &self.nodes[leaf];
        !node.whole && node.count.records >= large && node.sides.iter().any(|side| side.len() > 1)
    }

    /// Splits a box by the first proposal both halves of which pass; if none does, it stays whole.
    fn split(
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
