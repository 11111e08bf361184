//! M: what each level adds to the one below it, regardless of the groups' size.

use super::Estimator;

pub(super) const ESTIMATOR: Estimator = Estimator {
    id: "mu",
    title: "M, the relative importance",
    definition: "The sum over the levels of the growth in average group size against the level below.",
    formula: "M(v) = Σ µᵢ",
    level: |power| power.importance,
};
