//! Discernibility: how many others each record cannot be told from.
//!
//! Definition: a record costs as much as its group is large; a suppressed one as much as the table
//! is. Formula: Σ n² over kept groups + N per suppressed record.
//! Citation: R. Bayardo, R. Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005.

use haggle_cube::{Generalized, Kept, Loss, Payload};

use crate::Measure;

pub(super) const MEASURE: Measure = Measure {
    id: "discernibility",
    title: "discernibility",
    definition: "Each record costs as many as its group has, a suppressed one as many as the table has.",
    formula: "sum over kept groups of n^2 + N * suppressed",
    range: "N (all alone) to N^2",
    citation: "R. Bayardo, R. Agrawal: Data privacy through optimal k-anonymization. ICDE 2005",
    example: "Ten records in groups of 3, 3 and 4: 9 + 9 + 16 = 34. With one group of 3 suppressed: 9 + 16 + 3 * 10 = 55.",
    suppressed: "N each",
    watches: false,
    weighted: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    loss: |_| Ok(Box::new(Discernibility)),
};

/// The squared sizes.
#[derive(Debug)]
struct Discernibility;

impl Payload for Discernibility {
    fn id(&self) -> String {
        MEASURE.id.into()
    }

    fn width(&self) -> usize {
        1
    }

    fn of(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        numbers[0] = (group.records * group.records) as f64;
    }
}

impl Loss for Discernibility {
    fn loss(&self, kept: &Kept<'_>) -> f64 {
        let all = (kept.records + kept.suppressed) as f64;
        kept.sums[0] + all * kept.suppressed as f64
    }

    fn is_exact(&self) -> bool {
        true
    }
}
