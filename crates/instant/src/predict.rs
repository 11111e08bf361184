//! What a summary predicts for a scheme: the probability that it protects all records, and the
//! expected number of records in failing groups.

use haggle_model::{Progress, Scheme, Silent};
use serde::Serialize;

use crate::optimizations::Optimizations;
use crate::sizes::Collected;
use crate::{Error, Summary, ValueMap};

/// The condition that every group must meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// At least this many records.
    K(u64),
    /// No sensitive value with a share above one in this many.
    L(f64),
}

/// How a probability is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Predictor {
    /// The normal approximation of the multinomial.
    #[default]
    Normal,
    /// The first-order Bonferroni bound: one minus the sum of all probabilities to fail.
    Bonferroni,
    /// The bound where it is at least the threshold, else the approximation.
    Hybrid,
}

impl std::str::FromStr for Predictor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "normal" => Ok(Self::Normal),
            "bonferroni" => Ok(Self::Bonferroni),
            "hybrid" => Ok(Self::Hybrid),
            _ => Err(Error::new(
                format!("there is no predictor '{text}'"),
                "choose from: normal, bonferroni, hybrid",
            )),
        }
    }
}

/// How to predict.
#[derive(Debug, Clone, Copy)]
pub struct PredictionOptions<'a> {
    /// How probabilities are computed.
    pub predictor: Predictor,
    /// The probability that suffices, for the hybrid predictor.
    pub enough: f64,
    /// The shortcuts.
    pub optimizations: Optimizations,
    /// A prediction that is not complete when this is over is given up, with [`Error::cancelled`].
    pub progress: &'a dyn Progress,
}

impl Default for PredictionOptions<'_> {
    fn default() -> Self {
        let (predictor, optimizations) = (Predictor::default(), Optimizations::default());
        Self { predictor, enough: 0.8, optimizations, progress: &Silent }
    }
}

/// Notices that the work is over, without asking for every cell.
pub(crate) struct DeadlineCheck<'a> {
    progress: &'a dyn Progress,
    cells: u32,
    is_over: bool,
}

/// It is asked once for this many cells.
const CELLS_PER_CHECK: u32 = 32;

impl<'a> DeadlineCheck<'a> {
    pub(crate) fn new(progress: &'a dyn Progress) -> Self {
        Self { progress, cells: 0, is_over: false }
    }

    /// Counts a cell and returns whether it comes too late.
    pub(crate) fn is_over(&mut self) -> bool {
        if self.cells.is_multiple_of(CELLS_PER_CHECK) {
            self.is_over |= self.progress.is_over();
        }
        self.cells = self.cells.wrapping_add(1);
        self.is_over
    }

    /// Returns an error if some cell came too late.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        if self.is_over { Err(Error::cancelled()) } else { Ok(()) }
    }
}

/// The prediction for a scheme.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Prediction {
    /// The probability that every group is protected.
    pub probability: f64,
    /// First-order bounds of it: it is at least this,
    pub at_least: f64,
    /// and at most this.
    pub at_most: f64,
    /// The records expected in groups that are not protected.
    pub suppressed: f64,
    /// How many cells were evaluated.
    pub cells: u64,
}

/// Predicts one scheme.
pub fn predict(
    summary: &dyn Summary,
    scheme: &Scheme,
    goal: Goal,
    how: &PredictionOptions<'_>,
) -> Result<Prediction, Error> {
    predict_partition(summary, &ValueMap::to_scheme(summary.attributes(), scheme), goal, how)
}

/// Predicts a partition of the domain, given by a map for each attribute.
pub fn predict_partition(
    summary: &dyn Summary,
    partition: &[ValueMap],
    goal: Goal,
    how: &PredictionOptions<'_>,
) -> Result<Prediction, Error> {
    let records = summary.records();
    let mut cells = 0;
    let mut collected = Collected::default();
    let mut check = DeadlineCheck::new(how.progress);
    match goal {
        Goal::K(k) => {
            let mut likelihoods = Vec::new();
            summary.for_each_cell(partition, false, &mut |cell| {
                if !check.is_over() {
                    likelihoods.push(cell.probability);
                }
            })?;
            check.finish()?;
            cells += likelihoods.len() as u64;
            collected = sizes(&likelihoods, records, k, how);
        }
        Goal::L(l) => {
            let mut shares = Vec::new();
            summary.for_each_cell(partition, true, &mut |cell| {
                if check.is_over() {
                    return;
                }
                cells += 1;
                known_shares(cell.sensitive, &mut shares);
                collected.add_diversity(records, cell.probability, &shares, l, how.optimizations);
            })?;
            check.finish()?;
        }
    }
    let at_least = (1.0 - collected.failing).max(0.0);
    let bound = match how.predictor {
        Predictor::Normal => false,
        Predictor::Bonferroni => true,
        Predictor::Hybrid => at_least >= how.enough,
    };
    let at_most = (1.0 - collected.worst).max(at_least);
    // The approximation may leave the bounds, which hold for every multinomial.
    let probability = if bound {
        at_least
    } else {
        collected.joint.ln_probability(records.round()).exp().clamp(at_least, at_most)
    };
    Ok(Prediction { probability, at_least, at_most, suppressed: collected.outliers, cells })
}

/// Computes the share of each sensitive value among the records with a known one.
pub(crate) fn known_shares(joint: &[f64], shares: &mut Vec<f64>) {
    let known: f64 = joint.iter().sum();
    shares.clear();
    shares.extend(joint.iter().map(|share| share / known.max(f64::MIN_POSITIVE)));
}

/// Evaluates all cells of a scheme for k; the approximation is skipped if the bound is sufficient.
fn sizes(likelihoods: &[f64], records: f64, k: u64, how: &PredictionOptions<'_>) -> Collected {
    let collect = |whole: bool| {
        let mut collected = Collected::default();
        for &likelihood in likelihoods {
            collected.add_size(records, likelihood, k as f64, how.optimizations, whole);
        }
        collected
    };
    match how.predictor {
        Predictor::Normal => collect(true),
        Predictor::Bonferroni => collect(false),
        Predictor::Hybrid => {
            let bounds = collect(false);
            if 1.0 - bounds.failing >= how.enough { bounds } else { collect(true) }
        }
    }
}
