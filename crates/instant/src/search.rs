//! S-INSTANT: the schemes with a good enough prediction, cheapest first, counted until one is
//! confirmed.
//!
//! The lattice is walked from the top. A scheme with an insufficient prediction is left out with
//! all below it: a lower scheme's groups are finer. For k that is sound (theorem 3.5 of the paper);
//! the expected failing records of l-diversity may fall again below, so there it is a heuristic,
//! and the plan says so.

use haggle_cube::{Counted, Group, Source};
use haggle_model::{Level, QuasiIdentifier, Scheme, Space};
use rayon::prelude::*;
use serde::Serialize;

use crate::{Error, Goal, Prediction, PredictionOptions, Summary, predict};

/// What the prediction of a scheme must satisfy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PredictionRule {
    /// At least this probability that every group is protected.
    Probability(f64),
    /// At most this many expected records in groups that are not.
    Expectation(f64),
}

impl PredictionRule {
    fn allows(self, prediction: &Prediction) -> bool {
        match self {
            Self::Probability(least) => prediction.probability >= least,
            Self::Expectation(most) => prediction.suppressed <= most,
        }
    }
}

/// The parameters of the search for candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct Planning {
    /// The condition that every group must meet.
    pub goal: Goal,
    /// What the prediction of a scheme must satisfy.
    pub rule: PredictionRule,
    /// How to predict.
    pub how: PredictionOptions,
    /// Maximum levels, if there are any.
    pub under: Option<Scheme>,
}

/// Whether leaving out all schemes below one can lose a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pruning {
    /// It cannot.
    Sound,
    /// It can.
    Heuristic,
}

/// A scheme whose prediction is good enough.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// The scheme.
    pub scheme: Scheme,
    /// Its prediction.
    pub predicted: Prediction,
    /// The expected general loss (LM).
    pub loss: f64,
}

/// What is known before the first scan.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidatePlan {
    /// The candidates, least expected loss first.
    pub candidates: Vec<Candidate>,
    /// All schemes.
    pub schemes: usize,
    /// The schemes that were predicted.
    pub predicted: usize,
    /// The expected suppressed records of each of those, by its index, from the top down; without
    /// schemes with too many cells.
    pub expected: Vec<(usize, f64)>,
    /// The schemes left out because they have too many cells.
    pub too_many_cells: usize,
    /// Whether leaving out was sound.
    pub pruning: Pruning,
}

/// Finds the candidates from the summary alone.
pub fn plan(summary: &dyn Summary, planning: &Planning) -> Result<CandidatePlan, Error> {
    let space = Space::of(summary.attributes().iter().map(|a| &a.hierarchy));
    let schemes = space.size().filter(|&size| size <= 1 << 28).ok_or_else(|| {
        Error::new("there are too many schemes to walk through", "choose fewer quasi-identifiers")
    })?;
    let strides = space.strides();
    let high = planning.under.clone().unwrap_or_else(|| space.top().clone());
    let part = space.under(&high);
    let mut left_out = vec![false; schemes];
    let (mut candidates, mut expected) = (Vec::new(), Vec::new());
    let (mut predicted, mut too_many_cells) = (0, 0);
    for height in part.heights().rev() {
        let open: Vec<Scheme> = part
            .at_height(height)
            .into_iter()
            .filter(|scheme| {
                let index = space.index(scheme);
                let above = |(i, stride): (usize, &usize)| {
                    scheme.level(i) < high.level(i) && left_out[index + stride]
                };
                left_out[index] = strides.iter().enumerate().any(above);
                !left_out[index]
            })
            .collect();
        predicted += open.len();
        let results: Vec<_> = open
            .into_par_iter()
            .map(|scheme| (predict(summary, &scheme, planning.goal, &planning.how), scheme))
            .collect();
        for (result, scheme) in results {
            if let Ok(prediction) = &result {
                expected.push((space.index(&scheme), prediction.suppressed));
            }
            match result {
                Ok(prediction) if planning.rule.allows(&prediction) => {
                    let loss = expected_loss(summary, &scheme, prediction.suppressed);
                    candidates.push(Candidate { scheme, predicted: prediction, loss });
                }
                Ok(_) => left_out[space.index(&scheme)] = true,
                Err(Error::Unsupported(_)) => {
                    left_out[space.index(&scheme)] = true;
                    too_many_cells += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }
    candidates.sort_by(|a, b| {
        let key = |c: &Candidate| (c.scheme.height(), c.scheme.clone());
        a.loss.total_cmp(&b.loss).then_with(|| key(a).cmp(&key(b)))
    });
    let pruning = match (planning.goal, planning.rule) {
        (Goal::L(_), PredictionRule::Expectation(_)) => Pruning::Heuristic,
        _ => Pruning::Sound,
    };
    Ok(CandidatePlan { candidates, schemes, predicted, expected, too_many_cells, pruning })
}

/// Returns the loss of each value of a level, by code: the share of the other recorded values that
/// it covers.
fn lost(attribute: &QuasiIdentifier, level: Level) -> Vec<f64> {
    let domain = attribute.hierarchy.len(Level::RECORDED);
    let mut leaves = vec![0_u32; attribute.hierarchy.len(level)];
    attribute.hierarchy.ancestors(level).iter().for_each(|&code| leaves[code as usize] += 1);
    leaves.iter().map(|&n| f64::from(n.max(1) - 1) / (domain.max(2) - 1) as f64).collect()
}

/// Returns the loss of a suppressed record: that of a fully generalized one. An attribute with one
/// value loses nothing.
fn lost_by_suppression(attributes: &[QuasiIdentifier]) -> f64 {
    let at_top = attributes.iter().map(|a| lost(a, a.hierarchy.top())[0]);
    at_top.sum::<f64>() / attributes.len().max(1) as f64
}

/// The general loss (LM) of a scheme by the summary's marginals; suppressed records are fully
/// generalized.
pub fn expected_loss(summary: &dyn Summary, scheme: &Scheme, suppressed: f64) -> f64 {
    let attributes = summary.attributes();
    let cells = attributes.iter().zip(scheme.levels()).enumerate().map(|(i, (a, &level))| {
        let lost = lost(a, level);
        let shares = summary.marginal(i);
        let codes = a.hierarchy.ancestors(level);
        shares.iter().zip(codes).map(|(s, &c)| s * lost[c as usize]).sum::<f64>()
    });
    let kept = cells.sum::<f64>() / attributes.len().max(1) as f64;
    let share = (suppressed / summary.records().max(1.0)).clamp(0.0, 1.0);
    kept * (1.0 - share) + share * lost_by_suppression(attributes)
}

/// One candidate with its counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trial {
    /// The scheme.
    pub scheme: Scheme,
    /// The records in groups that fail.
    pub suppressed: u64,
    /// The statistic of the weakest of the other groups; none if no group passes.
    pub attained: Option<f64>,
    /// The records counted.
    pub records: u64,
    /// The general loss (LM), with suppressed records fully generalized.
    pub loss: f64,
}

/// The result of counting the candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification {
    /// The position of the candidate that was confirmed, if any.
    pub candidate: Option<usize>,
    /// Every candidate that was counted, in order.
    pub trials: Vec<Trial>,
}

/// Counts candidates, one scan each, until one suppresses at most `limit` records.
pub fn verify<S: Source>(
    source: &mut S,
    plan: &CandidatePlan,
    goal: Goal,
    limit: u64,
    most: usize,
) -> Result<Verification, S::Error> {
    let mut trials = Vec::new();
    for (position, candidate) in plan.candidates.iter().enumerate().take(most) {
        let trial = count(source, &candidate.scheme, goal)?;
        let keeps = trial.suppressed <= limit && trial.attained.is_some();
        trials.push(trial);
        if keeps {
            return Ok(Verification { candidate: Some(position), trials });
        }
    }
    Ok(Verification { candidate: None, trials })
}

impl Goal {
    /// Returns the statistic of a group: its size, or one over the share of its most frequent
    /// value. A group without any known value is not protected.
    fn statistic(self, group: &Group<'_>) -> f64 {
        match self {
            Self::K(_) => group.records as f64,
            Self::L(_) => {
                let most = group.values.iter().map(|value| value.count).max().unwrap_or(0);
                if most == 0 { 0.0 } else { group.known() as f64 / f64::from(most) }
            }
        }
    }

    /// The threshold.
    pub fn threshold(self) -> f64 {
        match self {
            Self::K(k) => k as f64,
            Self::L(l) => l,
        }
    }
}

/// Counts a scheme in one scan.
pub fn count<S: Source>(source: &mut S, scheme: &Scheme, goal: Goal) -> Result<Trial, S::Error> {
    let counted = source.count(scheme)?;
    Ok(try_out(&counted, source.attributes(), scheme, goal))
}

fn try_out(
    counted: &Counted,
    attributes: &[QuasiIdentifier],
    scheme: &Scheme,
    goal: Goal,
) -> Trial {
    let costs: Vec<Vec<f64>> =
        attributes.iter().zip(scheme.levels()).map(|(a, &level)| lost(a, level)).collect();
    let by_suppression = lost_by_suppression(attributes);
    let (mut suppressed, mut attained, mut loss) = (0, None::<f64>, 0.0);
    counted.for_each_group(0, |codes, group| {
        let statistic = goal.statistic(group);
        if statistic >= goal.threshold() {
            attained = Some(attained.map_or(statistic, |least| least.min(statistic)));
            let cells = costs.iter().zip(codes).map(|(costs, &code)| costs[code as usize]);
            loss += cells.sum::<f64>() / costs.len() as f64 * group.records as f64;
        } else {
            suppressed += group.records;
            loss += by_suppression * group.records as f64;
        }
    });
    let records = counted.records();
    Trial {
        scheme: scheme.clone(),
        suppressed,
        attained,
        records,
        loss: loss / records.max(1) as f64,
    }
}
