//! Non-uniform entropy loss: the bits that each cell lost, given its recorded value.
//!
//! Definition: a cell with the recorded value a, published as B, loses −log₂ Pr(a | B); a rare value
//! loses more than a frequent one. Formula: `Σ_cells −log2 Pr(a | B)`.
//! Citation: A. Gionis, T. Tassa, "k-Anonymization with minimal loss of information", ESA 2007;
//! S.-Y. Hsu, 2008, definition 4.2.6.

use haggle_cube::{ExpectedGroups, Generalized, KeptGroups, Loss, Payload};
use haggle_model::Scheme;

use crate::basis::{ByValue, LevelValue};
use crate::{ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "non-uniform-entropy",
    title: "non-uniform entropy loss",
    definition: "The bits that are missing to derive the recorded value of each cell from the published one, summed over all cells.",
    formula: "sum over cells of w * -log2 Pr(a | B)",
    range: "0 to the sum of the attributes' entropies times the records",
    citation: "A. Gionis, T. Tassa: k-Anonymization with minimal loss of information. ESA 2007",
    example: "Canada has 45 % and the United States 35 %: a cell with Canada that says Americas loses -log2(45/80) = 0.83 bits, one with the United States 1.19.",
    suppressed: "as fully generalized",
    watches: false,
    weighted: true,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::CountedValues,
    loss: |basis| {
        let bits = basis.by_value(information);
        let recorded = bits.recorded().zip(&basis.counts).map(|(bits, counts)| {
            bits.iter().zip(counts).map(|(bits, &count)| bits * count as f64).sum::<f64>()
        });
        let recorded = recorded.sum();
        Ok(Box::new(NonUniformEntropy { bits, recorded }))
    },
};

/// −log₂ Pr of a value.
pub(super) fn information(value: &LevelValue<'_>) -> f64 {
    let below: u64 = value.counts.iter().sum();
    if below == 0 { 0.0 } else { -(below as f64 / value.records as f64).log2() }
}

/// The bits of the published values, and of the recorded ones.
#[derive(Debug)]
struct NonUniformEntropy {
    /// −log₂ Pr, weighted.
    bits: ByValue,
    /// The bits of all records as recorded.
    recorded: f64,
}

impl NonUniformEntropy {
    /// Returns the bits of information in a group's values, for all of its records.
    fn information(&self, group: &Generalized<'_>) -> f64 {
        let bits: f64 = self.bits.of(group).sum();
        bits * group.records as f64
    }
}

impl Payload for NonUniformEntropy {
    fn id(&self) -> String {
        MEASURE.id.into()
    }

    fn width(&self) -> usize {
        1
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        numbers[0] = self.information(group);
    }
}

impl Loss for NonUniformEntropy {
    /// The recorded information that is not published is lost; a suppressed record contains none.
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        self.recorded - kept.sums[0]
    }

    fn of_all(&self, scheme: &Scheme, records: u64) -> Option<f64> {
        let sum = self.bits.of_all(scheme).sum();
        Some(self.loss(&KeptGroups::all(scheme, &[sum], records)))
    }

    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        Some(self.recorded - self.bits.expected(kept).sum::<f64>())
    }
}
