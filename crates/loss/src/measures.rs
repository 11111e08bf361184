//! One file per measure; a new one is a file and a line here.

use crate::Measure;

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
}

mod cells;
