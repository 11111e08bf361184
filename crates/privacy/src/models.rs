//! One file per model; a new one is a file and a line here.

use std::ops::Bound;

use crate::Model;

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
const CATEGORIES: &str = "{ terminal = [\"cancer\"] }";
