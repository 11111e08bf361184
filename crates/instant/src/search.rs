//! S-INSTANT: the schemes with a good enough prediction, cheapest first, counted until one is
//! confirmed.
//!
//! The lattice is walked from the top. A scheme with an insufficient prediction is left out with
//! all below it: a lower scheme's groups are finer. For k that is sound (theorem 3.5 of the paper);
//! the expected failing records of l-diversity may fall again below, so there it is a heuristic,
//! and the plan says so.

use haggle_cube::{CodeMeaning, Counted, Generalized, Group, KeptGroups, Loss, Source};
use haggle_model::{ErrorKind, Progress, Scheme, Space};
use rayon::prelude::*;
use serde::Serialize;

use crate::{Error, ExpectedLoss, Goal, Prediction, PredictionOptions, Summary, predict};

/// What the prediction of a scheme must satisfy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PredictionRule {
    /// At least this probability that every group is protected.
    Probability(f64),
    /// At most this many expected records in groups that are not.
    Expectation(f64),
}

impl PredictionRule {
    pub(crate) fn allows(self, prediction: &Prediction) -> bool {
        match self {
            Self::Probability(least) => prediction.probability >= least,
            Self::Expectation(most) => prediction.suppressed <= most,
        }
    }
}

/// The parameters of the search for candidates.
#[derive(Debug, Clone)]
pub struct Planning<'a> {
    /// The condition that every group must meet.
    pub goal: Goal,
    /// What the prediction of a scheme must satisfy.
    pub rule: PredictionRule,
    /// How to predict.
    pub how: PredictionOptions<'a>,
    /// Maximum levels, if there are any.
    pub under: Option<Scheme>,
    /// The loss by whose expectation candidates are ordered.
    pub loss: &'a dyn Loss,
    /// Whether failing groups may be suppressed; else a scheme with one is not published at all.
    pub may_suppress: bool,
}

impl Planning<'_> {
    /// Predicts a scheme; the expected loss as well if its prediction is good enough.
    fn foresee(
        &self,
        summary: &dyn Summary,
        expected: &ExpectedLoss<'_>,
        scheme: &Scheme,
    ) -> Result<(Prediction, Option<f64>), Error> {
        let predicted = predict(summary, scheme, self.goal, &self.how)?;
        if !self.rule.allows(&predicted) {
            return Ok((predicted, None));
        }
        let loss = expected.of_scheme(scheme, &predicted)?;
        Ok((predicted, Some(loss)))
    }

    /// Returns whether leaving out what is below an insufficient prediction is sound.
    pub(crate) fn pruning(goal: Goal, rule: PredictionRule) -> Pruning {
        match (goal, rule) {
            (Goal::L(_), PredictionRule::Expectation(_)) => Pruning::Heuristic,
            _ => Pruning::Sound,
        }
    }
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
    /// The expected loss.
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
    /// Whether every scheme was predicted or left out before the deadline.
    pub complete: bool,
}

/// Finds the candidates from the summary alone; those that were found before the deadline.
pub fn plan(summary: &dyn Summary, planning: &Planning<'_>) -> Result<CandidatePlan, Error> {
    let space = Space::of(summary.attributes().iter().map(|a| &a.hierarchy));
    let schemes = space.size().filter(|&size| size <= 1 << 28).ok_or_else(|| {
        Error::new("there are too many schemes to walk through", "choose fewer quasi-identifiers")
    })?;
    let strides = space.strides();
    let high = planning.under.clone().unwrap_or_else(|| space.top().clone());
    let part = space.under(&high);
    let kept_if = planning.may_suppress.then_some(planning.goal);
    let losses = ExpectedLoss::new(summary, kept_if, planning.how, planning.loss);
    let mut complete = true;
    let mut left_out = vec![false; schemes];
    let (mut candidates, mut expected) = (Vec::new(), Vec::new());
    let (mut predicted, mut too_many_cells) = (0, 0);
    for height in part.heights().rev() {
        let open: Vec<Scheme> = part
            .at_height(height)
            .filter(|scheme| {
                let index = space.index(scheme);
                let above = |(i, stride): (usize, &usize)| {
                    scheme.level(i) < high.level(i) && left_out[index + stride]
                };
                left_out[index] = strides.iter().enumerate().any(above);
                !left_out[index]
            })
            .collect();
        if !complete {
            break;
        }
        let results: Vec<_> = open
            .into_par_iter()
            .map(|scheme| (planning.foresee(summary, &losses, &scheme), scheme))
            .collect();
        for (result, scheme) in results {
            if let Ok((predicted, _)) = &result {
                expected.push((space.index(&scheme), predicted.suppressed));
            }
            predicted += usize::from(!result.as_ref().is_err_and(Error::is_cancelled));
            match result {
                Ok((predicted, Some(loss))) => {
                    candidates.push(Candidate { scheme, predicted, loss });
                }
                Ok((_, None)) => left_out[space.index(&scheme)] = true,
                Err(error) if error.kind() == ErrorKind::Unsupported => {
                    left_out[space.index(&scheme)] = true;
                    too_many_cells += 1;
                }
                Err(error) if error.is_cancelled() => complete = false,
                Err(error) => return Err(error),
            }
        }
    }
    if planning.how.progress.cancelled() {
        return Err(Error::cancelled());
    }
    candidates.sort_by(|a, b| {
        let key = |c: &Candidate| (c.scheme.height(), c.scheme.clone());
        a.loss.total_cmp(&b.loss).then_with(|| key(a).cmp(&key(b)))
    });
    let pruning = Planning::pruning(planning.goal, planning.rule);
    Ok(CandidatePlan {
        candidates,
        schemes,
        predicted,
        expected,
        too_many_cells,
        pruning,
        complete,
    })
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
    /// The loss.
    pub loss: f64,
}

/// The parameters of counting.
#[derive(Debug, Clone, Copy)]
pub struct Counting<'a> {
    /// The condition that every group must meet.
    pub goal: Goal,
    /// The records that may be suppressed.
    pub limit: u64,
    /// The loss that is reported.
    pub loss: &'a dyn Loss,
    /// The number of candidates to confirm.
    pub wanted: usize,
    /// The maximum number of scans.
    pub most_scans: usize,
    /// Can cancel a scan, and says when no further one begins.
    pub progress: &'a dyn Progress,
}

/// The result of counting the candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedCandidates {
    /// The positions of the candidates that were confirmed.
    pub confirmed: Vec<usize>,
    /// Every candidate that was counted, in order from the first.
    pub trials: Vec<Trial>,
    /// Whether the deadline came before enough candidates were confirmed or all were counted.
    pub stopped: bool,
}

/// Counts candidates in order, one scan each, until enough of them suppress no more than allowed.
pub fn verify<S: Source>(
    source: &mut S,
    candidates: &[Candidate],
    counting: &Counting<'_>,
) -> Result<CountedCandidates, S::Error> {
    let (mut confirmed, mut trials, mut stopped) = (Vec::new(), Vec::new(), false);
    for (position, candidate) in candidates.iter().enumerate().take(counting.most_scans) {
        stopped = counting.progress.is_late();
        if stopped {
            break;
        }
        let trial = count(source, &candidate.scheme, counting)?;
        if trial.suppressed <= counting.limit && trial.attained.is_some() {
            confirmed.push(position);
        }
        trials.push(trial);
        if confirmed.len() >= counting.wanted {
            break;
        }
    }
    Ok(CountedCandidates { confirmed, trials, stopped })
}

impl Goal {
    /// Returns the statistic of a group: its size, or one over the share of its most frequent
    /// value. A group without any known value is not protected.
    fn statistic(self, group: &Group<'_>) -> f64 {
        match self {
            Self::K(_) => group.records as f64,
            Self::L(_) => {
                let most = group.values.iter().map(|value| value.count).max().unwrap_or(0);
                if most == 0 { 0.0 } else { group.known() as f64 / most as f64 }
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
pub fn count<S: Source>(
    source: &mut S,
    scheme: &Scheme,
    counting: &Counting<'_>,
) -> Result<Trial, S::Error> {
    let counted = source.count(scheme, counting.progress)?;
    Ok(try_out(&counted, scheme, counting))
}

fn try_out(
    counted: &Counted,
    scheme: &Scheme,
    Counting { goal, loss, .. }: &Counting<'_>,
) -> Trial {
    let (mut suppressed, mut attained, mut groups) = (0, None::<f64>, 0);
    let mut sums = vec![0.0; loss.width()];
    let mut numbers = sums.clone();
    counted.for_each_group(0, |codes, group| {
        let statistic = goal.statistic(group);
        if statistic < goal.threshold() {
            suppressed += group.records;
            return;
        }
        attained = Some(attained.map_or(statistic, |least| least.min(statistic)));
        groups += 1;
        let (place, carried) = (CodeMeaning::Scheme(scheme), [0.0; 3]);
        let Group { records, values } = *group;
        loss.of(&Generalized { place, codes, records, values, carried }, &mut numbers);
        sums.iter_mut().zip(&numbers).for_each(|(sum, number)| *sum += number);
    });
    let records = counted.records();
    let kept = KeptGroups {
        levels: scheme.into(),
        sums: &sums,
        groups,
        records: records - suppressed,
        suppressed,
    };
    let (scheme, loss) = (scheme.clone(), loss.compared(&kept));
    Trial { scheme, suppressed, attained, records, loss }
}
