//! Mondrian: boxes that are split in two as long as both halves pass.
//!
//! Attributes are ordered by how many of their values occur in a box, each relative to its domain;
//! as published, the widest one that can be split at its median is split. The records with the
//! median value go to the side that makes the halves more even, or to the other if only that
//! passes: with k-anonymity, a box that neither choice splits has no split at all. Sides of numbers
//! and dates are published up to the cuts between boxes; as tight as their records, as in the paper,
//! if that is asked for. In addition to the median there is the *best* split: of all positions in
//! all attributes, the one after which cells cover the fewest values. *Relaxed*, the records with
//! the median value go to either side, for balance; identical recorded combinations stay together,
//! so it remains a recoding of values.
//!
//! Every box that is created passes, so the outcome satisfies any model, whatever merging does to
//! its verdict. Maximum levels are kept by starting with the groups of those levels; those that
//! fail are suppressed.

use std::ops::Range;

use haggle_cube::{FoundBox, published_boxes};
use haggle_model::{Level, QuasiIdentifier};

use super::{Ending, LossUse, Strategy, StrategyEntry, StrategyOutcome, Task};
use crate::Error;

/// As published; the other variants describe their differences.
const STRICT: StrategyEntry = StrategyEntry {
    id: "mondrian-median",
    title: "Mondrian, strict",
    recoding: "boxes",
    definition: "Splits boxes at the median of their widest attribute as long as both halves pass.",
    finds: "some boxes, by greedy splits",
    citation: "K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006",
    needs: "nothing; with the option `tight=true` the ends of boxes are their smallest and largest recorded values, for research",
    loss: LossUse::Nothing,
};

pub(super) const MEDIAN: Strategy =
    Strategy { about: STRICT, run: |task| run(task, Split::Median) };

pub(super) const BEST: Strategy = Strategy {
    about: StrategyEntry {
        id: "mondrian",
        title: "Mondrian, best split",
        definition: "Splits boxes as long as both halves pass, each where cells cover the fewest values afterwards.",
        citation: "K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006; the choice of splits in the manner of their Workload-aware anonymization, KDD 2006",
        ..STRICT
    },
    run: |task| run(task, Split::Best),
};

pub(super) const RELAXED: Strategy = Strategy {
    about: StrategyEntry {
        id: "mondrian-relaxed",
        title: "Mondrian, relaxed",
        definition: "Like Mondrian, strict, with records of the median value on either side, for balance; boxes may overlap. Records with the same recorded values stay together.",
        ..STRICT
    },
    run: |task| run(task, Split::Relaxed),
};

/// The base groups on either side of a split.
type Halves = (Vec<u32>, Vec<u32>);

/// The attribute of a split, and the base groups on either side.
type SplitRows = (usize, Halves);

/// Where boxes are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Split {
    Best,
    Median,
    Relaxed,
}

/// A box that may be split: its base groups, and its side in each attribute.
struct OpenBox {
    rows: Vec<u32>,
    sides: Vec<Range<u32>>,
}

fn run(task: &Task<'_>, split: Split) -> Result<Ending, Error> {
    let start = task.grouped(&task.rows(), &task.caps);
    let mut search = MondrianSearch { task, split, evaluated: 0, late: false };
    let mut waiting: Vec<OpenBox> = start.iter().map(|rows| search.root(rows)).collect();
    let mut boxes = Vec::new();
    while let Some(open) = waiting.pop() {
        match search.halves(&open.rows)? {
            Some((attribute, halves)) => waiting.extend(search.split(&open, attribute, halves)),
            None => boxes.push(search.found(open)),
        }
    }
    let MondrianSearch { evaluated, late, .. } = search;
    let attributes = task.cube.attributes();
    let (recoding, applied) =
        published_boxes(attributes, task.base, &task.caps, &boxes, task.box_ends);
    if !task.allows(task.settle(&applied).suppressed) {
        return Ok(if late { Ending::GaveUp { evaluated } } else { Ending::Nothing { evaluated } });
    }
    let outcome = StrategyOutcome { recoding, applied, split: None, evaluated, proven: false };
    Ok(Ending::Found(outcome.into()))
}

struct MondrianSearch<'a, 'b> {
    task: &'a Task<'b>,
    split: Split,
    evaluated: u64,
    late: bool,
}

impl MondrianSearch<'_, '_> {
    /// Returns the box of a group of the maximum levels.
    fn root(&self, rows: &[u32]) -> OpenBox {
        let codes = self.task.base.codes(rows[0] as usize).iter();
        let levels = self.task.cube.attributes().iter().zip(self.task.caps.levels());
        let side = |(&code, (a, &cap)): (&u32, (&QuasiIdentifier, &Level))| {
            a.hierarchy.leaves(a.hierarchy.ancestor(code, cap), cap)
        };
        OpenBox { rows: rows.to_vec(), sides: codes.zip(levels).map(side).collect() }
    }

    /// Returns the boxes on both sides of a split. They meet where the upper one begins; where both
    /// have records with the same value, they overlap in it.
    fn split(&self, open: &OpenBox, attribute: usize, (left, right): Halves) -> [OpenBox; 2] {
        let side = &open.sides[attribute];
        let least = self.extent(&right, attribute).start;
        let most = self.extent(&left, attribute).end;
        let parts = [(left, side.start..least.max(most)), (right, least..side.end)];
        parts.map(|(rows, part)| {
            let mut sides = open.sides.clone();
            sides[attribute] = part;
            OpenBox { rows, sides }
        })
    }

    /// Returns the box as it was found.
    fn found(&self, open: OpenBox) -> FoundBox {
        let OpenBox { rows, sides } = open;
        let tight = (0..sides.len()).map(|attribute| self.extent(&rows, attribute)).collect();
        FoundBox { passes: self.task.passes(&rows), rows, sides, tight }
    }

    /// Returns the smallest range of codes around some base groups.
    fn extent(&self, rows: &[u32], attribute: usize) -> Range<u32> {
        let codes = || rows.iter().map(|&row| self.code(row, attribute));
        codes().min().unwrap_or(0)..codes().max().unwrap_or(0) + 1
    }

    /// Returns the two halves of a box, if it can be split.
    fn halves(&mut self, rows: &[u32]) -> Result<Option<SplitRows>, Error> {
        if rows.len() < 2 || self.is_late() {
            return Ok(None);
        }
        match self.split {
            Split::Best => self.best(rows),
            Split::Median | Split::Relaxed => self.widest(rows),
        }
    }

    /// Whether time has run out; once it has, no box is split any more.
    fn is_late(&mut self) -> bool {
        self.late = self.late || self.task.is_late();
        self.late
    }

    /// Returns whether both halves pass.
    fn both_pass(&mut self, left: &[u32], right: &[u32]) -> Result<bool, Error> {
        self.task.step()?;
        self.evaluated += 1;
        let some = !left.is_empty() && !right.is_empty();
        Ok(some && self.task.passes(left) && self.task.passes(right))
    }

    fn code(&self, row: u32, attribute: usize) -> u32 {
        self.task.base.codes(row as usize)[attribute]
    }

    fn records(&self, row: u32) -> u64 {
        self.task.base.records(row as usize)
    }

    /// Returns how many of an attribute's values occur in a box, relative to all.
    fn width(&self, rows: &[u32], attribute: usize) -> f64 {
        let all = self.task.cube.attributes()[attribute].hierarchy.len(0.into());
        let mut occurs = vec![false; all];
        for &row in rows {
            occurs[self.code(row, attribute) as usize] = true;
        }
        let values = occurs.into_iter().filter(|occurs| *occurs).count();
        (values.max(1) - 1) as f64 / (all.max(2) - 1) as f64
    }

    /// Returns a split at the median of the widest attribute that allows one.
    fn widest(&mut self, rows: &[u32]) -> Result<Option<SplitRows>, Error> {
        let mut attributes: Vec<(f64, usize)> = (0..self.task.base.attributes())
            .map(|attribute| (self.width(rows, attribute), attribute))
            .filter(|(width, _)| *width > 0.0)
            .collect();
        attributes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, attribute) in attributes {
            if self.is_late() {
                return Ok(None);
            }
            for (left, right) in self.at_median(rows, attribute) {
                if self.both_pass(&left, &right)? {
                    return Ok(Some((attribute, (left, right))));
                }
            }
        }
        Ok(None)
    }

    /// Returns the halves of a box at the median of an attribute, the most even first.
    fn at_median(&self, rows: &[u32], attribute: usize) -> Vec<Halves> {
        let mut sorted = rows.to_vec();
        sorted.sort_by_key(|&row| self.code(row, attribute));
        let all: u64 = rows.iter().map(|&row| self.records(row)).sum();
        let mut below = 0;
        let middle = sorted.iter().position(|&row| {
            below += self.records(row);
            2 * below >= all
        });
        let middle = middle.unwrap_or(0);
        if self.split == Split::Relaxed {
            let right = sorted.split_off((middle + 1).min(sorted.len() - 1).max(1));
            return vec![(sorted, right)];
        }
        let median = self.code(sorted[middle], attribute);
        let before = |code: u32| sorted.partition_point(|&row| self.code(row, attribute) < code);
        let records = |rows: &[u32]| rows.iter().map(|&row| self.records(row)).sum::<u64>();
        let mut places = vec![before(median), before(median + 1)];
        places.retain(|&place| 0 < place && place < sorted.len());
        places.sort_by_key(|&place| (2 * records(&sorted[..place])).abs_diff(all));
        let halves = |place: usize| (sorted[..place].to_vec(), sorted[place..].to_vec());
        places.into_iter().map(halves).collect()
    }

    /// Returns the feasible split after which cells cover the fewest values.
    fn best(&mut self, rows: &[u32]) -> Result<Option<SplitRows>, Error> {
        let mut places: Vec<(f64, usize, u32)> = Vec::new();
        for attribute in 0..self.task.base.attributes() {
            if self.is_late() {
                return Ok(None);
            }
            self.weigh_positions(rows, attribute, &mut places);
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, attribute, last) in places {
            if self.is_late() {
                return Ok(None);
            }
            let (left, right): Halves =
                rows.iter().partition(|&&row| self.code(row, attribute) <= last);
            if self.both_pass(&left, &right)? {
                return Ok(Some((attribute, (left, right))));
            }
        }
        Ok(None)
    }

    /// Computes what cells cover after a split behind each value of an attribute: one sweep from
    /// either end.
    fn weigh_positions(&self, rows: &[u32], attribute: usize, places: &mut Vec<(f64, usize, u32)>) {
        let mut sorted = rows.to_vec();
        sorted.sort_by_key(|&row| self.code(row, attribute));
        let sweep = |rows: &mut dyn Iterator<Item = u32>| -> Vec<f64> {
            let mut extent = RowBounds::new(self.task);
            rows.map(|row| extent.add(row)).collect()
        };
        let before = sweep(&mut sorted.iter().copied());
        let mut after = sweep(&mut sorted.iter().rev().copied());
        after.reverse();
        for i in 1..sorted.len() {
            let last = self.code(sorted[i - 1], attribute);
            if last != self.code(sorted[i], attribute) {
                places.push((before[i - 1] + after[i], attribute, last));
            }
        }
    }
}

/// The smallest box around rows, and what its cells cover.
struct RowBounds<'a, 'b> {
    task: &'a Task<'b>,
    ends: Vec<(u32, u32)>,
    records: u64,
}

impl<'a, 'b> RowBounds<'a, 'b> {
    fn new(task: &'a Task<'b>) -> Self {
        Self { task, ends: vec![(u32::MAX, 0); task.base.attributes()], records: 0 }
    }

    /// Returns the loss of all cells with one more row: the records times the width of the box.
    fn add(&mut self, row: u32) -> f64 {
        self.records += self.task.base.records(row as usize);
        let codes = self.task.base.codes(row as usize);
        let attributes = self.task.cube.attributes();
        let mut width = 0.0;
        for ((ends, &code), attribute) in self.ends.iter_mut().zip(codes).zip(attributes) {
            *ends = (ends.0.min(code), ends.1.max(code));
            let all = attribute.hierarchy.len(0.into()).max(2) - 1;
            width += f64::from(ends.1 - ends.0) / all as f64;
        }
        width * self.records as f64
    }
}
