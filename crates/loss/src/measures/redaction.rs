//! Redaction count: how many cells are fully generalized.
//!
//! Definition: the number of cells that are published as `*`. Formula: |{cells = *}|. A top level
//! with another name is not a redaction, and a hierarchy may reach `*` below its top. Citation: A.
//! Meyerson, R. Williams, "On the complexity of optimal k-anonymity", PODS 2004.

use haggle_cube::{CodeMeaning, ExpectedGroups, Generalized, KeptGroups, Loss, Payload};
use haggle_model::{ANY, Hierarchy, Level, Scheme};

use crate::{Basis, ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "redaction",
    title: "redaction count",
    definition: "The number of cells that are published as *.",
    formula: "sum over cells that are * of w",
    range: "0 to records times quasi-identifiers",
    citation: "A. Meyerson, R. Williams: On the complexity of optimal k-anonymity. PODS 2004",
    example: "Ten records, race at the top and age below it, one record suppressed: 9 * 1 + 1 * 2 = 11 cells.",
    suppressed: "as * in every quasi-identifier",
    watches: false,
    weighted: true,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::AnySummary,
    loss: |basis| Ok(Box::new(Redaction::of(basis))),
};

/// Returns by level and code whether a value is `*`. A value that was recorded as `*` is not
/// redacted, and one that becomes something else at a higher level is an ordinary label.
fn stars(hierarchy: &Hierarchy) -> Vec<Vec<bool>> {
    let top = u8::from(hierarchy.top());
    let mut stars: Vec<Vec<bool>> = Vec::new();
    for level in (0..=top).rev().map(Level::from) {
        let above = stars.last().map(|above| (above, hierarchy.parents(level)));
        let is_kept = |code: u32| above.is_none_or(|(above, up)| above[up[code as usize] as usize]);
        let is_star =
            |code| level > Level::RECORDED && hierarchy.label(code, level) == ANY && is_kept(code);
        let at = (0..hierarchy.len(level) as u32).map(is_star).collect();
        stars.push(at);
    }
    stars.reverse();
    stars
}

/// By level, the records whose value is `*` there.
fn totals(hierarchy: &Hierarchy, counts: &[u64], stars: &[Vec<bool>]) -> Vec<u64> {
    let total = |(level, stars): (usize, &Vec<bool>)| {
        let recorded = hierarchy.ancestors(Level::from(level as u8)).iter().zip(counts);
        recorded.filter(|(code, _)| stars[**code as usize]).map(|(_, records)| records).sum()
    };
    stars.iter().enumerate().map(total).collect()
}

/// The weighted number of cells that are `*`.
#[derive(Debug)]
pub(super) struct Redaction {
    /// By attribute, level and code.
    stars: Vec<Vec<Vec<bool>>>,
    /// By attribute and level, the records.
    totals: Vec<Vec<u64>>,
    weights: Vec<f64>,
}

impl Redaction {
    pub(super) fn of(basis: &Basis<'_>) -> Self {
        let stars: Vec<_> = basis.hierarchies.iter().map(stars).collect();
        let attributes = basis.hierarchies.iter().zip(&basis.counts).zip(&stars);
        let totals =
            attributes.map(|((hierarchy, counts), stars)| totals(hierarchy, counts, stars));
        let totals = totals.collect();
        Self { totals, stars, weights: basis.weights.clone() }
    }

    /// How many quasi-identifiers there are.
    pub(super) fn attributes(&self) -> usize {
        self.stars.len()
    }

    /// Returns whether a code of an attribute is published as `*`.
    pub(super) fn is_star(&self, place: CodeMeaning<'_>, position: usize, code: usize) -> bool {
        match place {
            CodeMeaning::Scheme(scheme) => {
                self.stars[position][scheme.level(position).index()][code]
            }
            CodeMeaning::Regions { regions, .. } => {
                let region = &regions[position][code];
                region.level > Level::RECORDED && &*region.label == ANY
            }
        }
    }
}

impl Payload for Redaction {
    fn id(&self) -> String {
        MEASURE.id.into()
    }

    fn width(&self) -> usize {
        1
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let is_star = |i: usize| self.is_star(group.place, i, group.codes[i] as usize);
        let starred = self.weights.iter().enumerate().filter(|(i, _)| is_star(*i));
        numbers[0] = starred.map(|(_, weight)| weight).sum::<f64>() * group.records as f64;
    }
}

impl Loss for Redaction {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        kept.sums[0] + kept.suppressed as f64 * self.weights.iter().sum::<f64>()
    }

    fn is_exact(&self) -> bool {
        self.weights.iter().all(|weight| weight.fract() == 0.0)
    }

    fn of_all(&self, scheme: &Scheme, records: u64) -> Option<f64> {
        let starred = |(position, weight): (usize, &f64)| {
            weight * self.totals[position][scheme.level(position).index()] as f64
        };
        let sum = self.weights.iter().enumerate().map(starred).sum();
        Some(self.loss(&KeptGroups::all(scheme, &[sum], records)))
    }

    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        let starred = |(position, weight): (usize, &f64)| -> f64 {
            let star = |code| f64::from(u8::from(self.is_star(kept.place, position, code)));
            weight * kept.sum(position, star)
        };
        let sum: f64 = self.weights.iter().enumerate().map(starred).sum();
        Some(sum + kept.suppressed * self.weights.iter().sum::<f64>())
    }
}
