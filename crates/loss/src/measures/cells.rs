//! Measures that add up over cells: each published value of each record has a cost.

use haggle_cube::{ExpectedGroups, Generalized, KeptGroups, Loss, Payload};
use haggle_model::Scheme;

use crate::Basis;
use crate::basis::{ByValue, WHOLE};

/// A cost for each published value, and what the sum is divided by.
#[derive(Debug)]
pub(super) struct CellCosts {
    id: &'static str,
    costs: ByValue,
    /// What a suppressed record costs.
    suppressed: f64,
    divisor: f64,
    /// Whether costs and their sums are whole numbers.
    exact: bool,
}

impl CellCosts {
    /// Builds the measure; a suppressed record has the most general value in every attribute.
    pub(super) fn new(id: &'static str, costs: ByValue, divisor: f64) -> Self {
        let suppressed = costs.most_general().sum();
        Self { id, costs, suppressed, divisor, exact: false }
    }

    /// Builds the same if every cost is a whole number.
    pub(super) fn whole(id: &'static str, costs: ByValue, divisor: f64) -> Self {
        Self { exact: true, ..Self::new(id, costs, divisor) }
    }

    /// Returns a number by which fractions with these denominators all become whole, if sums over
    /// this many records, each times its attribute's weight, stay exact.
    pub(super) fn common(basis: &Basis, denominators: &[u64]) -> Option<f64> {
        let common = denominators.iter().try_fold(1, |a: u64, &b| a.checked_mul(b / divisor(a, b)));
        let common = common? as f64;
        let whole = basis.weights.iter().all(|weight| weight.fract() == 0.0);
        (whole && common * Self::share(basis) < WHOLE).then_some(common)
    }

    /// Returns the divisor with which a fully generalized publication has the loss 1.
    pub(super) fn share(basis: &Basis) -> f64 {
        (basis.records as f64 * basis.weight()).max(f64::MIN_POSITIVE)
    }
}

impl Payload for CellCosts {
    fn id(&self) -> String {
        self.id.into()
    }

    fn width(&self) -> usize {
        1
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let cost: f64 = self.costs.of(group).sum();
        numbers[0] = cost * group.records as f64;
    }
}

impl Loss for CellCosts {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        (kept.sums[0] + self.suppressed * kept.suppressed as f64) / self.divisor
    }

    fn is_exact(&self) -> bool {
        self.exact
    }

    fn of_all(&self, scheme: &Scheme, records: u64) -> Option<f64> {
        let sum = self.costs.of_all(scheme).sum();
        Some(self.loss(&KeptGroups::all(scheme, &[sum], records)))
    }

    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        let sum: f64 = self.costs.expected(kept).sum();
        Some((sum + self.suppressed * kept.suppressed) / self.divisor)
    }
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Implements an empty payload, for measures that depend only on the scheme and what is suppressed.
macro_rules! without_payload {
    ($measure:ty, $id:expr) => {
        impl haggle_cube::Payload for $measure {
            fn id(&self) -> String {
                $id.into()
            }

            fn width(&self) -> usize {
                0
            }

            fn measure(&self, _: &haggle_cube::Generalized<'_>, _: &mut [f64]) {}
        }
    };
}

pub(super) use without_payload;
