//! ΓM: group size weighted by what the level adds.

use super::Estimator;

pub(super) const ESTIMATOR: Estimator = Estimator {
    id: "gamma-mu",
    title: "ΓM, group size times importance",
    definition: "The sum over the levels of the average group size times the relative importance.",
    formula: "ΓM(v) = Σ γᵢ·µᵢ",
    level: |power| power.average * power.importance,
};
