//! The belief in each sensitive value of one target, before and after the publication.

use haggle_model::Error;

use super::{Locator, Prior};
use crate::PublishedGroups;

/// An attacker with a prior, who has seen a publication.
#[derive(Debug)]
pub struct Attacker<'a> {
    prior: &'a dyn Prior,
    locator: Locator<'a>,
    /// By group, the published records with each sensitive value.
    counts: Vec<Vec<f64>>,
    /// By group, the prior weight of each sensitive value.
    within: Vec<Vec<f64>>,
}

/// What is believed of one target.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TargetBelief {
    /// The belief in each sensitive value before the publication.
    pub prior: Vec<f64>,
    /// The belief after it, for each group that may hold the target; `None` where what is known of
    /// the target rules out every value of the group. No group if the target was suppressed.
    pub groups: Vec<(usize, Option<Vec<f64>>)>,
}

impl TargetBelief {
    /// Returns whether what is known of the target contradicts every group that may hold it.
    pub fn is_contradiction(&self) -> bool {
        !self.groups.is_empty() && self.groups.iter().all(|(_, belief)| belief.is_none())
    }

    /// Returns the least and the most that is believed in a value over the groups that may hold the
    /// target; the prior belief if the target was suppressed.
    pub fn bounds(&self, value: usize) -> (f64, f64) {
        let mut beliefs =
            self.groups.iter().filter_map(|(_, belief)| Some(belief.as_ref()?[value]));
        let Some(first) = beliefs.next() else { return (self.prior[value], self.prior[value]) };
        beliefs.fold((first, first), |(least, most), b| (least.min(b), most.max(b)))
    }
}

impl<'a> Attacker<'a> {
    /// Prepares an attacker on one column of a publication. Fails if the prior contradicts the
    /// publication: more records than persons, or records that the prior rules out.
    pub fn new(
        groups: &'a PublishedGroups<'a>,
        column: usize,
        prior: &'a dyn Prior,
    ) -> Result<Self, Error> {
        let values = groups.columns()[column].values.len();
        let counts = groups.groups().iter().map(|group| {
            let mut counts = vec![0.0; values];
            for (code, count) in group.counts(column) {
                if let Some(known) = counts.get_mut(code as usize) {
                    *known = count as f64;
                }
            }
            counts
        });
        let counts: Vec<Vec<f64>> = counts.collect();
        let within = prior.within_groups(groups);
        for (counts, within) in counts.iter().zip(&within) {
            check(counts, within, prior.counts_persons())?;
        }
        Ok(Self { prior, locator: Locator::new(groups), counts, within })
    }

    /// Returns what is believed of a target with these recorded codes. `knowledge` is the factor
    /// α(s) of each value; 0 rules a value out.
    pub fn belief(&self, codes: &[u32], knowledge: Option<&[f64]>) -> Result<TargetBelief, Error> {
        let at = self.prior.at(codes);
        if at.iter().sum::<f64>() <= 0.0 {
            let what = "the prior has no one with the quasi-identifiers of the target";
            return Err(Error::new(what, "give a prior that covers the target"));
        }
        let factor = |value: usize| knowledge.map_or(1.0, |factors| factors[value]);
        let known: Vec<f64> = at.iter().enumerate().map(|(s, weight)| weight * factor(s)).collect();
        let prior = normalized(&known).ok_or_else(|| {
            let what =
                "what is known of the target contradicts the prior: every value is ruled out";
            Error::new(what, "rule out fewer values")
        })?;
        let belief = |group: usize| {
            let terms = known.iter().zip(&self.counts[group]).zip(&self.within[group]);
            let terms = terms.map(|((known, n), all)| if *n > 0.0 { n * known / all } else { 0.0 });
            (group, normalized(&terms.collect::<Vec<_>>()))
        };
        let groups = self.locator.holding(codes).into_iter().map(belief).collect();
        Ok(TargetBelief { prior, groups })
    }
}

/// Weights as shares, unless all are 0.
fn normalized(weights: &[f64]) -> Option<Vec<f64>> {
    let sum: f64 = weights.iter().sum();
    (sum > 0.0).then(|| weights.iter().map(|weight| weight / sum).collect())
}

/// Fails if a prior cannot be true of a group.
fn check(counts: &[f64], within: &[f64], persons: bool) -> Result<(), Error> {
    for (n, all) in counts.iter().zip(within).filter(|(n, _)| **n > 0.0) {
        if *all <= 0.0 {
            let what = "the prior rules out a sensitive value that a group has";
            return Err(Error::new(
                what,
                "give a prior in which every published value is possible",
            ));
        }
        if persons && *all < *n {
            let what = format!(
                "the population has {all} persons with a sensitive value of a group that has {n} records"
            );
            let fix = "give a population that the published table is a part of";
            return Err(Error::new(what, fix));
        }
    }
    Ok(())
}
