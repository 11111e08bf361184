//! S-INSTANT over cuts: each value of a hierarchy is published as it is or more generally, and what
//! a summary predicts decides which cuts are worth counting.
//!
//! The cuts are walked from the most general one down, those with the least expected loss first. A
//! cut with an insufficient prediction is left out with all below it, as in the lattice of schemes:
//! a finer cut has finer groups. What was predicted within the number of predictions allowed is
//! ordered by expected loss; counting is left to the caller.
//!
//! Citation: M. E. Nergiz, A. Tamersoy, Y. Saygin, "Instant anonymization", ACM TODS 36(1), 2011,
//! algorithm 1 over the space of k-Optimize (section 7).

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashSet};
use std::ops::Range;

use haggle_cube::{CodeMeaning, Loss};
use haggle_model::{ErrorKind, Progress, Region, Scheme};
use rayon::prelude::*;

use crate::{
    Error, ExpectedLoss, Goal, Planning, Prediction, PredictionOptions, PredictionRule, Pruning,
    Summary, ValueMap, predict_partition,
};

mod tree;

use tree::{Cut, ValueForest};

/// This many cuts are extended at a time.
const BATCH: usize = 8;
/// This many cuts are predicted in parallel before time is checked again.
const CHUNK: usize = 32;

/// The parameters of the search for cuts.
#[derive(Clone, Copy)]
pub struct CutPlanning<'a> {
    /// The condition that every group must meet.
    pub goal: Goal,
    /// What the prediction of a cut must satisfy.
    pub rule: PredictionRule,
    /// How to predict.
    pub how: PredictionOptions<'a>,
    /// The loss by whose expectation candidates are ordered.
    pub loss: &'a dyn Loss,
    /// The maximum levels.
    pub caps: &'a Scheme,
    /// Whether failing groups may be suppressed; else a cut with one is not published at all.
    pub may_suppress: bool,
    /// The maximum number of predictions.
    pub most_predictions: usize,
    /// Receives every prediction, can cancel the work, and says when it stops with what was predicted.
    pub progress: &'a dyn Progress,
}

impl std::fmt::Debug for CutPlanning<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { goal, rule, caps, most_predictions, .. } = self;
        write!(f, "cuts under {caps} for {goal:?} by {rule:?}, at most {most_predictions}")
    }
}

/// A cut whose prediction is good enough.
#[derive(Debug, Clone, PartialEq)]
pub struct CutCandidate {
    /// By attribute, the recorded values of each part.
    pub cuts: Vec<Vec<Range<u32>>>,
    /// Its prediction.
    pub predicted: Prediction,
    /// The expected loss.
    pub loss: f64,
}

/// What is known before the first scan.
#[derive(Debug, Clone, PartialEq)]
pub struct CutPlan {
    /// The candidates, least expected loss first.
    pub candidates: Vec<CutCandidate>,
    /// The cuts that were predicted.
    pub predicted: usize,
    /// Whether every cut was predicted or lies below one with an insufficient prediction.
    pub complete: bool,
    /// Whether leaving out was sound.
    pub pruning: Pruning,
}

/// Finds the cuts worth counting, from the summary alone.
pub fn plan_cuts(summary: &dyn Summary, planning: &CutPlanning<'_>) -> Result<CutPlan, Error> {
    let (forest, root) = ValueForest::new(summary.attributes(), planning.caps);
    let kept_if = planning.may_suppress.then_some(planning.goal);
    let losses = ExpectedLoss::new(summary, kept_if, planning.how, planning.loss);
    let mut search = CutSearch {
        summary,
        planning,
        losses,
        forest,
        seen: HashSet::new(),
        failing: HashSet::new(),
        open: BinaryHeap::new(),
        candidates: Vec::new(),
        predicted: 0,
    };
    search.predict(vec![root])?;
    let complete = search.descend()?;
    let CutSearch { mut candidates, predicted, .. } = search;
    candidates.sort_by(|a, b| a.loss.total_cmp(&b.loss).then_with(|| parts(a).cmp(&parts(b))));
    let pruning = Planning::pruning(planning.goal, planning.rule);
    Ok(CutPlan { candidates, predicted, complete, pruning })
}

fn parts(candidate: &CutCandidate) -> usize {
    candidate.cuts.iter().map(Vec::len).sum()
}

/// A cut that may be extended, by its expected loss.
struct OpenCut {
    loss: f64,
    cut: Cut,
}

impl PartialEq for OpenCut {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenCut {}

impl PartialOrd for OpenCut {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OpenCut {
    fn cmp(&self, other: &Self) -> Ordering {
        self.loss.total_cmp(&other.loss).then_with(|| self.cut.cmp(&other.cut))
    }
}

/// The state of a search.
struct CutSearch<'a> {
    summary: &'a dyn Summary,
    planning: &'a CutPlanning<'a>,
    losses: ExpectedLoss<'a>,
    forest: ValueForest,
    seen: HashSet<Cut>,
    /// Cuts with an insufficient prediction, and those found to lie below one.
    failing: HashSet<Cut>,
    open: BinaryHeap<Reverse<OpenCut>>,
    candidates: Vec<CutCandidate>,
    predicted: usize,
}

impl CutSearch<'_> {
    /// Extends the most promising cuts; returns whether none is left.
    fn descend(&mut self) -> Result<bool, Error> {
        while !self.open.is_empty() {
            if self.predicted >= self.planning.most_predictions || self.is_late() {
                return Ok(false);
            }
            let batch: Vec<Cut> = (0..BATCH).filter_map(|_| Some(self.open.pop()?.0.cut)).collect();
            let below = batch.iter().flat_map(|cut| self.forest.below(cut)).collect();
            for chunk in self.new_cuts(below).chunks(CHUNK) {
                if self.is_late() {
                    return Ok(false);
                }
                self.predict(chunk.to_vec())?;
            }
        }
        Ok(true)
    }

    fn is_late(&self) -> bool {
        self.planning.progress.is_late()
    }

    /// Returns the cuts that were not seen before and do not lie below a failing one.
    fn new_cuts(&mut self, cuts: Vec<Cut>) -> Vec<Cut> {
        let mut new = Vec::new();
        for cut in cuts {
            if !self.seen.insert(cut.clone()) {
                continue;
            }
            if self.forest.above(&cut).iter().any(|above| self.failing.contains(above)) {
                self.failing.insert(cut);
            } else {
                new.push(cut);
            }
        }
        new
    }

    fn predict(&mut self, cuts: Vec<Cut>) -> Result<(), Error> {
        self.predicted += cuts.len();
        if self.planning.progress.step(cuts.len()).is_break() {
            return Err(Error::cancelled());
        }
        let found: Vec<_> = cuts.par_iter().map(|cut| self.candidate(cut)).collect();
        for (cut, found) in cuts.into_iter().zip(found) {
            match found {
                Ok(Some(candidate)) => {
                    self.open.push(Reverse(OpenCut { loss: candidate.loss, cut }));
                    self.candidates.push(candidate);
                }
                Err(error) if error.kind() != ErrorKind::Unsupported => return Err(error),
                Ok(None) | Err(_) => {
                    self.failing.insert(cut);
                }
            }
        }
        Ok(())
    }

    /// Predicts a cut; none if that is not good enough.
    fn candidate(&self, cut: &Cut) -> Result<Option<CutCandidate>, Error> {
        let CutPlanning { goal, rule, how, .. } = self.planning;
        let cuts = self.forest.ranges(cut);
        let partition: Vec<ValueMap> = cuts.iter().map(|cut| ValueMap::to_ranges(cut)).collect();
        let predicted = predict_partition(self.summary, &partition, *goal, how)?;
        if !rule.allows(&predicted) {
            return Ok(None);
        }
        let regions = self.regions(&cuts);
        let place = CodeMeaning::Regions { regions: &regions, rows: &[] };
        let loss = self.losses.loss_of(&partition, place, &predicted)?;
        Ok(Some(CutCandidate { cuts, predicted, loss }))
    }

    fn regions(&self, cuts: &[Vec<Range<u32>>]) -> Vec<Vec<Region>> {
        let attributes = self.summary.attributes().iter().zip(cuts);
        let regions = attributes.map(|(a, cut)| {
            cut.iter().map(|leaves| Region::new(&a.hierarchy, leaves.clone())).collect()
        });
        regions.collect()
    }
}
