//! S-INSTANT: the schemes that promise enough, cheapest first, counted until one keeps its promise.
//!
//! The lattice is walked from the top. A scheme that promises too little is left out with all
//! below it: a lower scheme's groups are finer. For k that is sound (theorem 3.5 of the paper); the
//! expected failing records of l-diversity may fall again below, so there it is a heuristic, and
//! the plan says so.

use haggle_cube::{Counted, Group, Source};
use haggle_model::{Level, QuasiIdentifier, Scheme, Space};
use rayon::prelude::*;
use serde::Serialize;

use crate::{Error, Goal, How, Prediction, Summary, predict};

/// What a scheme must promise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// At least this probability that every group is protected.
    Probability(f64),
    /// At most so many records expected in groups that are not.
    Expectation(f64),
}

impl Rule {
    fn allows(self, prediction: &Prediction) -> bool {
        match self {
            Self::Probability(least) => prediction.probability >= least,
            Self::Expectation(most) => prediction.suppressed <= most,
        }
    }
}

/// What to look for.
#[derive(Debug, Clone, PartialEq)]
pub struct Planning {
    /// What every group must be.
    pub goal: Goal,
    /// What a scheme must promise.
    pub rule: Rule,
    /// How to predict.
    pub how: How,
    /// Maximum levels, if there are any.
    pub under: Option<Scheme>,
}

/// Whether leaving out all below a scheme can lose one that promises enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pruning {
    /// It cannot.
    Sound,
    /// It can.
    Heuristic,
}

/// A scheme that promises enough.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// The scheme.
    pub scheme: Scheme,
    /// What is predicted of it.
    pub predicted: Prediction,
    /// The general loss (LM) expected.
    pub loss: f64,
}

/// What is known before the first scan.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The schemes that promise enough, least expected loss first.
    pub candidates: Vec<Candidate>,
    /// All schemes.
    pub schemes: usize,
    /// The schemes that were predicted.
    pub predicted: usize,
    /// The records that each of those is expected to suppress, by its index, from the top down;
    /// without those of too many cells.
    pub expected: Vec<(usize, f64)>,
    /// The schemes left out because they have too many cells to look at.
    pub too_many_cells: usize,
    /// Whether leaving out was sound.
    pub pruning: Pruning,
}

/// The schemes that promise enough, from the summary alone.
pub fn plan(summary: &dyn Summary, planning: &Planning) -> Result<Plan, Error> {
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
        (Goal::L(_), Rule::Expectation(_)) => Pruning::Heuristic,
        _ => Pruning::Sound,
    };
    Ok(Plan { candidates, schemes, predicted, expected, too_many_cells, pruning })
}

/// What each value of a level loses, by code: the share of the other recorded values that it
/// could stand for.
fn lost(attribute: &QuasiIdentifier, level: Level) -> Vec<f64> {
    let domain = attribute.hierarchy.len(Level::RECORDED);
    let mut leaves = vec![0_u32; attribute.hierarchy.len(level)];
    attribute.hierarchy.ancestors(level).iter().for_each(|&code| leaves[code as usize] += 1);
    leaves.iter().map(|&n| f64::from(n.max(1) - 1) / (domain.max(2) - 1) as f64).collect()
}

/// What a suppressed record loses: as much as a fully generalized one. An attribute that has one value
/// loses nothing, whatever is done to it.
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

/// One candidate, counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trial {
    /// The scheme.
    pub scheme: Scheme,
    /// The records in groups that fail.
    pub suppressed: u64,
    /// What the weakest of the other groups attains; none if no group passes.
    pub attained: Option<f64>,
    /// The records counted.
    pub records: u64,
    /// The general loss (LM), suppressed records being fully generalized.
    pub loss: f64,
}

/// What counting the candidates found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The candidate that kept its promise, if one did, by position.
    pub candidate: Option<usize>,
    /// Every candidate that was counted, in order.
    pub trials: Vec<Trial>,
}

/// Counts candidates, one scan each, until one leaves out at most `limit` records.
pub fn verify<S: Source>(
    source: &mut S,
    plan: &Plan,
    goal: Goal,
    limit: u64,
    most: usize,
) -> Result<Found, S::Error> {
    let mut trials = Vec::new();
    for (position, candidate) in plan.candidates.iter().enumerate().take(most) {
        let trial = count(source, &candidate.scheme, goal)?;
        let keeps = trial.suppressed <= limit && trial.attained.is_some();
        trials.push(trial);
        if keeps {
            return Ok(Found { candidate: Some(position), trials });
        }
    }
    Ok(Found { candidate: None, trials })
}

impl Goal {
    /// What a group attains: its size, or one over the share of its most frequent value. A group
    /// without any known value protects nobody.
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

/// What a scheme is, counted in one scan.
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
