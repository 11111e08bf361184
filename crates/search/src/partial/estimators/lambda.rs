//! Λ: like ΓM, but with the logarithm of the size, so that no attribute dominates. The thesis's
//! choice.

use super::Estimator;

pub(super) const ESTIMATOR: Estimator = Estimator {
    id: "lambda",
    title: "Λ, logarithm of group size times importance",
    definition: "The sum over the levels of the logarithm of the average group size times the relative \
                 importance.",
    formula: "Λ(v) = Σ log₂(γᵢ)·µᵢ",
    level: |power| power.average.log2() * power.importance,
};
