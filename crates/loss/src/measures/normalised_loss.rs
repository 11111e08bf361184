//! Normalised loss: the share of the domain that each cell covers, as a geometric mean over
//! attributes.
//!
//! Definition: a cell that covers v of D values has the share v/D, a suppressed record all of them.
//! Per attribute L = (Σ share − N/D)/(N − N/D), which ranges from 0 to 1; together the geometric
//! mean of 1 + L, minus 1. Formula: `Π (1 + L_i)^(1/m) − 1`. ARX reports this as loss, so results
//! can be compared directly. Citation: F. Prasser et al., "Flexible data anonymization using ARX",
//! Software: Practice and Experience 50(7), 2020.

use haggle_cube::{ExpectedGroups, Generalized, KeptGroups, Loss, Payload};
use haggle_model::Scheme;

use crate::basis::ByValue;
use crate::{ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "normalised-loss",
    title: "normalised loss",
    definition: "The share of an attribute's values that each cell covers, scaled to run from 0 to 1 for each attribute, and the geometric mean over attributes.",
    formula: "product of (1 + L_i)^(w_i / sum of w) - 1, L = (sum of v/D - N/D) / (N - N/D)",
    range: "0 (as recorded) to 1 (fully generalized)",
    citation: "F. Prasser, J. Eicher, H. Spengler, R. Bild, K. Kuhn: Flexible data anonymization using ARX. Software: Practice and Experience 50(7), 2020",
    example: "Two attributes of four values, one published in halves, the other as recorded: L is (0.5 - 0.25) / 0.75 = 1/3 and 0, together (4/3)^(1/2) - 1 = 0.155.",
    suppressed: "as covering every value",
    watches: false,
    weighted: true,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: false,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::AnySummary,
    loss: |basis| {
        let shares = basis.unweighted(|value| value.leaves as f64 / value.domain as f64);
        let domains = shares.recorded().map(|recorded| recorded.len() as f64).collect();
        Ok(Box::new(NormalisedLoss { shares, domains, weights: basis.weights.clone() }))
    },
};

/// The shares covered, by attribute.
#[derive(Debug)]
struct NormalisedLoss {
    shares: ByValue,
    domains: Vec<f64>,
    weights: Vec<f64>,
}

impl Payload for NormalisedLoss {
    fn id(&self) -> String {
        MEASURE.id.into()
    }

    fn width(&self) -> usize {
        self.domains.len()
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        for (number, share) in numbers.iter_mut().zip(self.shares.of(group)) {
            *number = share * group.records as f64;
        }
    }
}

impl NormalisedLoss {
    /// Returns the loss of sums over kept records, of which and of the suppressed ones there are
    /// `all`.
    fn of_sums(&self, sums: &[f64], suppressed: f64, all: f64) -> f64 {
        let weight: f64 = self.weights.iter().sum();
        let attributes = sums.iter().zip(&self.domains).zip(&self.weights);
        let logarithm = attributes.filter(|((_, domain), _)| **domain > 1.0).map(
            |((covered, domain), weight)| {
                let least = all / domain;
                let loss = (covered + suppressed - least) / (all - least);
                weight * (1.0 + loss.max(0.0)).ln()
            },
        );
        if all == 0.0 || weight == 0.0 { 0.0 } else { (logarithm.sum::<f64>() / weight).exp_m1() }
    }
}

impl Loss for NormalisedLoss {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let all = (kept.records + kept.suppressed) as f64;
        self.of_sums(kept.sums, kept.suppressed as f64, all)
    }
    fn of_all(&self, scheme: &Scheme, records: u64) -> Option<f64> {
        let sums: Vec<f64> = self.shares.of_all(scheme).collect();
        Some(self.loss(&KeptGroups::all(scheme, &sums, records)))
    }

    /// The loss of the expected sums, which vary little over many records.
    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        let sums: Vec<f64> = self.shares.expected(kept).collect();
        Some(self.of_sums(&sums, kept.suppressed, kept.all()))
    }
}
