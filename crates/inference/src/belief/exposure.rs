//! How many records a publication exposes to an attacker: definitions 3.1.4 to 3.1.6, per target.

use std::collections::BTreeMap;

use haggle_model::Error;

use super::{Attacker, Prior};
use crate::PublishedGroups;

/// When a belief counts as disclosure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BeliefLimits {
    /// A belief above 1 − δ is a positive disclosure.
    pub delta: f64,
    /// A belief below ε in a value that occurs in the table is a negative disclosure.
    pub epsilon: f64,
    /// Below this a value was unlikely.
    pub rho1: f64,
    /// Above this an unlikely value has become likely.
    pub rho2: f64,
    /// How far a belief must move for an attack to succeed.
    pub moved: f64,
}

impl Default for BeliefLimits {
    fn default() -> Self {
        Self { delta: 0.2, epsilon: 0.01, rho1: 0.1, rho2: 0.5, moved: 0.3 }
    }
}

impl BeliefLimits {
    /// Fails if a limit is not a probability, or ρ₁ is not below ρ₂.
    pub fn check(&self) -> Result<(), Error> {
        let Self { delta, epsilon, rho1, rho2, moved } = *self;
        let all = [("delta", delta), ("epsilon", epsilon), ("rho1", rho1), ("rho2", rho2)];
        for (name, value) in all.into_iter().chain([("moved", moved)]) {
            if !(value > 0.0 && value < 1.0) {
                let what = format!("{name} = {value} is not between 0 and 1");
                return Err(Error::new(what, format!("choose {name} above 0 and below 1")));
            }
        }
        if rho1 >= rho2 {
            let what = format!("rho1 = {rho1} is not below rho2 = {rho2}");
            return Err(Error::new(what, "choose rho1 below rho2"));
        }
        Ok(())
    }
}

/// What happened to the belief in one target.
#[allow(clippy::struct_excessive_bools)] // each answers a question of its own
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct TargetVerdict {
    positive: bool,
    negative: bool,
    breach: bool,
    successful: bool,
    /// The belief that moved furthest among those that end high or low: the value, before, after.
    furthest: Option<(usize, f64, f64)>,
}

/// Targets of one group.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GroupExposure {
    /// The group's position in the publication.
    pub group: usize,
    /// Its records on which an attack succeeds.
    pub records: u64,
    /// The sensitive value whose belief moved furthest.
    pub value: u32,
    /// The belief before the publication.
    pub before: f64,
    /// The belief after it.
    pub after: f64,
}

/// How many records are exposed.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Exposure {
    /// The targets.
    pub records: u64,
    /// Targets that no group may hold: they were suppressed and keep their prior.
    pub suppressed: u64,
    /// Targets with a belief above 1 − δ (3.1.4).
    pub positive: u64,
    /// Targets with a belief below ε in a value that occurs (3.1.5).
    pub negative: u64,
    /// Targets with a (ρ₁, ρ₂)-breach (3.1.6).
    pub breached: u64,
    /// Targets on which an attack succeeds: the belief moved far and ends above 1 − δ or below ε (6.1).
    pub successful: u64,
    /// The groups with successes, the furthest move first.
    pub groups: Vec<GroupExposure>,
}

/// Counts the exposed records over targets: recorded combinations with their records. `concerns`
/// says which values matter: those that occur, without those that may be disclosed.
pub fn exposure<'t>(
    groups: &PublishedGroups<'_>,
    column: usize,
    prior: &dyn Prior,
    targets: impl IntoIterator<Item = (&'t [u32], u64)>,
    concerns: &[bool],
    limits: &BeliefLimits,
) -> Result<Exposure, Error> {
    limits.check()?;
    let attacker = Attacker::new(groups, column, prior)?;
    let mut all = Exposure::default();
    let mut worst: BTreeMap<usize, GroupExposure> = BTreeMap::new();
    for (codes, records) in targets {
        let belief = attacker.belief(codes, None)?;
        all.records += records;
        let Some(&(group, _)) = belief.groups.first() else {
            all.suppressed += records;
            continue;
        };
        let bounds = (0..belief.prior.len()).map(|s| (belief.prior[s], belief.bounds(s)));
        let judged = judge(bounds, concerns, limits);
        all.positive += if judged.positive { records } else { 0 };
        all.negative += if judged.negative { records } else { 0 };
        all.breached += if judged.breach { records } else { 0 };
        if let Some((value, before, after)) = judged.furthest.filter(|_| judged.successful) {
            all.successful += records;
            let found = GroupExposure { group, records: 0, value: value as u32, before, after };
            let known = worst.entry(group).or_insert_with(|| found.clone());
            let so_far = known.records + records;
            if (after - before).abs() > (known.after - known.before).abs() {
                *known = found;
            }
            known.records = so_far;
        }
    }
    all.groups = worst.into_values().collect();
    let moved = |group: &GroupExposure| (group.after - group.before).abs();
    all.groups.sort_by(|a, b| moved(b).total_cmp(&moved(a)).then(b.records.cmp(&a.records)));
    Ok(all)
}

/// Judges a target by the prior and the least and most belief in each value.
fn judge(
    beliefs: impl Iterator<Item = (f64, (f64, f64))>,
    concerns: &[bool],
    limits: &BeliefLimits,
) -> TargetVerdict {
    let BeliefLimits { delta, epsilon, rho1, rho2, moved } = *limits;
    let mut judged = TargetVerdict::default();
    for (value, (prior, (least, most))) in beliefs.enumerate().filter(|(s, _)| concerns[*s]) {
        let (high, low) = (most > 1.0 - delta, least < epsilon);
        judged.positive |= high;
        judged.negative |= low;
        judged.breach |= prior < rho1 && most > rho2 || prior > 1.0 - rho1 && least < 1.0 - rho2;
        for after in [high.then_some(most), low.then_some(least)].into_iter().flatten() {
            let far = (after - prior).abs();
            judged.successful |= far >= moved;
            if judged.furthest.is_none_or(|(_, b, a)| far > (a - b).abs()) {
                judged.furthest = Some((value, prior, after));
            }
        }
    }
    judged
}
