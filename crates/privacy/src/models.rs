//! One file per model; a new one is a file and a line here.

use std::ops::Bound;

use crate::{Model, ParameterOption};

/// Declares the models' files, their types and the catalog.
macro_rules! catalog {
    ($($file:ident :: $model:ident),* $(,)?) => {
        $(mod $file; pub use $file::$model;)*

        /// Every privacy model, in the order in which they are listed.
        pub const CATALOG: &[&Model] = &[$(&$file::MODEL),*];
    };
}

catalog! {
    k_anonymity::KAnonymity,
    extended_k_anonymity::ExtendedKAnonymity,
    distinct_l_diversity::DistinctLDiversity,
    frequency_l_diversity::FrequencyLDiversity,
    entropy_l_diversity::EntropyLDiversity,
    recursive_l_diversity::RecursiveLDiversity,
    pd_recursive_l_diversity::PdRecursiveLDiversity,
    npd_recursive_l_diversity::NpdRecursiveLDiversity,
    t_closeness::TCloseness,
    basic_beta_likeness::BasicBetaLikeness,
    enhanced_beta_likeness::EnhancedBetaLikeness,
    delta_disclosure::DeltaDisclosure,
    alpha_k_anonymity::AlphaKAnonymity,
    categorical_diversity::CategoricalDiversity,
    density_control::DensityControl,
    dilution::Dilution,
    recursive_categorical_diversity::RecursiveCategoricalDiversity,
    recursive_density_control::RecursiveDensityControl,
    range_control::RangeControl,
    linear_diversity::LinearDiversity,
    psi_security::PsiSecurity,
    positive_disclosure::PositiveDisclosure,
    negative_disclosure::NegativeDisclosure,
    rho_privacy::RhoPrivacy,
}

mod recursion;

/// A bound that is included.
const fn from(value: f64) -> Bound<f64> {
    Bound::Included(value)
}

/// A bound that is not included.
const fn beyond(value: f64) -> Bound<f64> {
    Bound::Excluded(value)
}

const HSU: &str = "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. MSc thesis, Lakehead University, 2008";
const MACHANAVAJJHALA: &str =
    "A. Machanavajjhala, J. Gehrke, D. Kifer: l-diversity: privacy beyond k-anonymity. ICDE 2006";
/// Recursive diversity is defined with a strict comparison; table 3.5-1 of Hsu's thesis counts a
/// group with 6 of 10 records as (1.5,2)-diverse, which it is only if 6 ≤ 1.5 · 4 passes.
const BOUND: ParameterOption = ParameterOption {
    name: "bound",
    meaning: "whether a quotient of exactly c fails (below, the default, as defined) or passes (at-most, as table 3.5-1 of Hsu 2008 counts)",
    options: &["below", "at-most"],
};
/// Categories are covered exactly unless there are too many that overlap.
const COVER: ParameterOption = ParameterOption {
    name: "cover",
    meaning: "whether covers are computed exactly (the default with up to 20 categories, or if none overlap) or bounded by greedy ones, so that a group passes only on the safe side",
    options: &["exact", "bounds"],
};
const CATEGORIES: &str = "{ terminal = [\"cancer\"] }";
