//! M-INSTANT: boxes that a summary predicts to pass, counted in one scan, then corrected.
//!
//! First phase, without reading the data: the domain is split at medians of the summary, box by
//! box, as long as the probability that every box passes stays above the threshold. Attributes are
//! tried from the one in which the box is widest. Second phase: all boxes are counted in one scan;
//! a box that fails is merged with its sibling, which needs no further scan because counts add up;
//! and boxes that are large enough are split further, with every proposed split of all boxes
//! counted in one scan, until no split passes. The counts decide, so any privacy model can be
//! requested; the prediction is about k or l.
//!
//! Citation: M. E. Nergiz, A. Tamersoy, Y. Saygin, "Instant anonymization", ACM TODS 36(1), 2011,
//! algorithm 2. The listing takes back the last mapping until one is feasible; the text merges
//! siblings, as here.

use std::ops::Range;

use haggle_cube::{BoxCount, BoxSource};
use haggle_model::{Progress, Scheme};

use crate::{Error, Goal, PredictionOptions, Summary};

mod tree;

use tree::BoxTree;

/// The parameters of the search for boxes.
#[derive(Clone, Copy)]
pub struct Boxing<'a> {
    /// What a box is predicted for.
    pub goal: Goal,
    /// The probability that every box passes must stay above this.
    pub threshold: f64,
    /// How to predict.
    pub how: PredictionOptions<'a>,
    /// The maximum number of scans.
    pub most_scans: u64,
    /// Receives every prediction and every scan, can cancel the work, and says when it stops with the
    /// current boxes; predicted boxes are counted in any case.
    pub progress: &'a dyn Progress,
}

impl std::fmt::Debug for Boxing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { goal, threshold, most_scans, .. } = self;
        write!(f, "boxes for {goal:?} above {threshold}, at most {most_scans} scans")
    }
}

impl Boxing<'_> {
    /// Reports a step; fails if the work was cancelled.
    fn step(&self) -> Result<(), Error> {
        if self.progress.step(1).is_break() { Err(Error::cancelled()) } else { Ok(()) }
    }
}

/// The boxes, and how they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxed {
    /// The boxes, each with its side in each attribute. Together they cover every value.
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
    /// The records that the first of them counted.
    pub records: u64,
}

/// Finds boxes under the maximum levels. `passes` evaluates the counts; `large` is the number of
/// records from which a box is worth splitting. Boxes that fail and have no sibling remain, and
/// fail.
pub fn m_instant<S: BoxSource, E: From<Error> + From<S::Error>>(
    summary: &dyn Summary,
    source: &mut S,
    boxing: &Boxing<'_>,
    caps: &Scheme,
    passes: &dyn Fn(&BoxCount) -> bool,
    large: u64,
) -> Result<Boxed, E> {
    let mut tree = BoxTree::new(summary, boxing, caps)?;
    let probability = tree.predict()?;
    let leaves = tree.leaves();
    let before = source.scans();
    let counted = source.count(&tree.proposed(&leaves, false))?;
    let records = counted.iter().map(|counted| counted.all.records).sum();
    tree.count(&leaves, counted);
    let merged = tree.mend(passes);
    let mut split = 0;
    while source.scans() - before < boxing.most_scans && !boxing.progress.is_late() {
        let open = tree.open(large);
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
    Ok(Boxed {
        boxes: tree.boxes(),
        predicted: leaves.len(),
        predictions: tree.predictions,
        probability,
        merged,
        split,
        scans: source.scans() - before,
        records,
    })
}
