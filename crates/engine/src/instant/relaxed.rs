//! Levels beyond the maximum, where no candidate within them keeps its promise.

use std::cmp::Ordering;

use haggle_api::{CountedScheme, InstantRelaxations};
use haggle_instant::{
    Candidate, CandidatePlan, CountedCandidates, Counting, Planning, Trial, plan, verify,
};
use haggle_model::{Error, Scheme};
use haggle_search::HeightRelaxation;

use super::Instant;

/// Candidates beyond the maximum levels that were counted.
pub(super) struct RelaxedHeight {
    pub(super) trials: Vec<Trial>,
    /// The position of the one that keeps its promise.
    confirmed: Option<usize>,
    /// Whether there was any candidate.
    promising: bool,
    /// Whether the time was over before one was confirmed or all were counted.
    pub(super) stopped: bool,
}

impl RelaxedHeight {
    /// Reports it as part of an answer.
    pub(super) fn reported(&self, counted: impl Fn(&Trial) -> CountedScheme) -> InstantRelaxations {
        let reason = match (self.confirmed, self.promising) {
            (Some(_), _) => None,
            (None, false) => Some("no scheme beyond the maximum levels promises enough"),
            (None, true) => Some("no counted scheme beyond the maximum levels keeps its promise"),
        };
        InstantRelaxations {
            height: self.confirmed.map(|i| counted(&self.trials[i])),
            height_reason: reason.map(String::from),
        }
    }
}

impl Instant {
    /// Counts candidates beyond the maximum levels in the order of a relaxation, until one keeps
    /// its promise.
    pub(super) fn relaxed(
        &mut self,
        how: HeightRelaxation,
        planning: &Planning<'_>,
        counting: &Counting<'_>,
    ) -> Result<RelaxedHeight, Error> {
        let Some(caps) = &planning.under else {
            let (trials, confirmed) = (Vec::new(), None);
            return Ok(RelaxedHeight { trials, confirmed, promising: false, stopped: false });
        };
        let all = plan(self.summary.as_ref(), &Planning { under: None, ..planning.clone() })?;
        let candidates = beyond(&all, caps, how);
        let found = verify(&mut self.source, &candidates, counting)?;
        let CountedCandidates { confirmed, trials, stopped } = found;
        let promising = !candidates.is_empty();
        let stopped = stopped || !all.complete;
        Ok(RelaxedHeight { trials, confirmed: confirmed.first().copied(), promising, stopped })
    }
}

/// The candidates beyond these levels, in the order of a relaxation; what is counted there is
/// replaced by what is expected.
pub(super) fn beyond(plan: &CandidatePlan, caps: &Scheme, how: HeightRelaxation) -> Vec<Candidate> {
    let is_allowed = |candidate: &&Candidate| {
        let high = how != HeightRelaxation::Published || candidate.scheme.height() >= caps.height();
        high && !candidate.scheme.is_under(caps)
    };
    let mut candidates: Vec<Candidate> =
        plan.candidates.iter().filter(is_allowed).cloned().collect();
    candidates.sort_by(|a, b| before(a, b, caps, how));
    candidates
}

fn before(a: &Candidate, b: &Candidate, caps: &Scheme, how: HeightRelaxation) -> Ordering {
    let far = |candidate: &Candidate| match how {
        HeightRelaxation::Closest => levels_beyond(&candidate.scheme, caps),
        _ => 0,
    };
    let height = |candidate: &Candidate| (far(candidate), candidate.scheme.height());
    let suppressed = || a.predicted.suppressed.total_cmp(&b.predicted.suppressed);
    height(a).cmp(&height(b)).then_with(suppressed).then_with(|| a.scheme.cmp(&b.scheme))
}

/// How many levels a scheme lies beyond the maximum, in total.
fn levels_beyond(scheme: &Scheme, caps: &Scheme) -> usize {
    let levels = scheme.levels().iter().zip(caps.levels());
    levels.map(|(level, cap)| level.index().saturating_sub(cap.index())).sum()
}
