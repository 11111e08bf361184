//! Why a cube or a lattice could not be had.

/// Every way in which counting, annotating or loading can fail.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The stored lattice is not one, or not whole.
    #[error("{0}")]
    BadInput(String),
    /// More than this build of the lattice can do.
    #[error("{0}")]
    Unsupported(String),
    /// Whoever watched the work asked it to stop.
    #[error("the work was cancelled")]
    Cancelled,
    /// The memory limit would be exceeded.
    #[error(
        "annotating {schemes} schemes needs more than the {limit} MB allowed (reached at height \
         {height}); raise the limit with --memory, or choose fewer quasi-identifiers with --qi, or \
         shorten their hierarchies"
    )]
    Memory {
        /// The schemes of the lattice.
        schemes: usize,
        /// The limit in megabytes.
        limit: usize,
        /// The height at which it was reached.
        height: u32,
    },
}
