//! What building a lattice took, or would take.

use serde::Serialize;

use crate::PartialKnown;

/// What building a lattice took.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Built {
    /// The schemes annotated.
    pub schemes: usize,
    /// The records counted.
    pub records: u64,
    /// The groups of the base scheme.
    pub base_groups: usize,
    /// The cells that roll-ups read.
    pub touches: u64,
    /// Reading and counting the data.
    pub scan_millis: u64,
    /// Annotating every scheme.
    pub annotate_millis: u64,
    /// All of it.
    pub millis: u64,
    /// Which schemes were annotated, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialKnown>,
}

/// What `haggle build` is expected to take.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BuildEstimate {
    /// The schemes; exact up to 2^53.
    pub schemes: u64,
    /// The records, as counted.
    pub records: u64,
    /// The groups of the base scheme, as counted.
    pub base_groups: usize,
    /// The cells that roll-ups will read.
    pub touches: u64,
    /// Reading and counting the data, as measured: it was done for the estimate.
    pub scan_seconds: f64,
    /// Annotating every scheme, by the time that a touch takes on this machine now.
    pub annotate_seconds: f64,
    /// Both.
    pub seconds: f64,
    /// The time of a touch that the estimate uses, in nanoseconds.
    pub nanoseconds_per_touch: f64,
    /// The bytes that the histograms will take in memory.
    pub bytes: u64,
    /// The bytes of the lattice file.
    pub file_bytes: u64,
    /// Whether a question would annotate every scheme beforehand, by default.
    pub full_by_default: bool,
    /// How many schemes were annotated for the estimate.
    pub looked_at: usize,
}
