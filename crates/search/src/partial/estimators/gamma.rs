//! Γ: the size of groups only. Schemes that generalize an attribute with many values dominate.

use super::Estimator;

pub(super) const ESTIMATOR: Estimator = Estimator {
    id: "gamma",
    title: "Γ, the average group size",
    definition: "The sum over the levels of the average group size that each alone leads to.",
    formula: "Γ(v) = Σ γᵢ",
    level: |power| power.average,
};
