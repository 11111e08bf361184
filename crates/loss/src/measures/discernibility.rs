//! Discernibility: from how many records each record is indistinguishable.
//!
//! Definition: a record costs the size of its group; a suppressed one the size of the table.
//! Formula: Σ n² over kept groups + N per suppressed record. Citation: R. Bayardo, R. Agrawal,
//! "Data privacy through optimal k-anonymization", ICDE 2005.

use haggle_cube::{ExpectedGroups, Generalized, KeptGroups, Loss, Payload};

use crate::basis::WHOLE;
use crate::{Basis, ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "discernibility",
    title: "discernibility",
    definition: "Each record costs the size of its group, a suppressed one the size of the table.",
    formula: "sum over kept groups of n^2 + N * suppressed",
    range: "N (every record alone) to N^2",
    citation: "R. Bayardo, R. Agrawal: Data privacy through optimal k-anonymization. ICDE 2005",
    example: "Ten records in groups of 3, 3 and 4: 9 + 9 + 16 = 34. With one group of 3 suppressed: 9 + 16 + 3 * 10 = 55.",
    suppressed: "N each",
    watches: false,
    weighted: false,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::AnySummary,
    loss: |basis| Ok(Box::new(Discernibility::of(basis))),
};

/// The squared sizes.
#[derive(Debug)]
struct Discernibility {
    /// Whether even the square of all records is an exact number.
    exact: bool,
}

impl Discernibility {
    fn of(basis: &Basis<'_>) -> Self {
        let all = basis.records as f64;
        Self { exact: all * all < WHOLE }
    }
}

impl Payload for Discernibility {
    fn id(&self) -> String {
        MEASURE.id.into()
    }

    fn width(&self) -> usize {
        1
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let size = group.records as f64;
        numbers[0] = size * size;
    }
}

impl Loss for Discernibility {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let all = (kept.records + kept.suppressed) as f64;
        kept.sums[0] + all * kept.suppressed as f64
    }

    fn is_exact(&self) -> bool {
        self.exact
    }

    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        Some(kept.squares + kept.all() * kept.suppressed)
    }
}
