//! One file per measure; a new one is a file and a line here.

use crate::{Measure, MeasureOption};

/// Declares the measures' files and the catalog.
macro_rules! catalog {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*

        /// Every loss measure, in the order in which they are listed.
        pub const CATALOG: &[&Measure] = &[$(&$file::MEASURE),*];
    };
}

catalog! {
    height,
    precision,
    redaction,
    lm,
    normalised_loss,
    discernibility,
    average_class_size,
    classification,
    entropy,
    monotone_entropy,
    non_uniform_entropy,
    variance,
    volume_inflation,
    entropy_volume_inflation,
    hybrid,
    ambiguity,
    kl_divergence,
    noise_scanning,
    query_error,
}

/// The measures that follow from hierarchies, levels and sizes alone, so that groups counted from
/// higher levels on are enough; all others need to know how often recorded values occur.
pub const FROM_GENERAL_VALUES: &[&str] = &[
    height::MEASURE.id,
    precision::MEASURE.id,
    redaction::MEASURE.id,
    lm::MEASURE.id,
    normalised_loss::MEASURE.id,
    discernibility::MEASURE.id,
    average_class_size::MEASURE.id,
    classification::MEASURE.id,
];

mod cells;
mod volumes;

/// Which attributes identify the blocks of a measure of the sensitive attribute.
const OVER: MeasureOption = MeasureOption {
    name: "over",
    meaning: "the set of quasi-identifiers whose relation to the sensitive attribute is measured, such as over=age,sex; all if left out",
    options: &[],
};
