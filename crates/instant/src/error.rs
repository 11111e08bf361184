//! Why nothing could be predicted.

/// Every way in which predicting can fail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// What was given does not suffice.
    #[error("{what}; {fix}")]
    BadInput {
        /// What is wrong.
        what: String,
        /// What to do.
        fix: String,
    },
    /// More cells than can be looked at one by one.
    #[error(
        "{cells} cells are more than can be looked at one by one; choose fewer quasi-identifiers"
    )]
    TooManyCells {
        /// How many there are.
        cells: u128,
    },
    /// Whoever watched the work asked it to stop.
    #[error("the work was cancelled")]
    Cancelled,
}

impl Error {
    pub(crate) fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::BadInput { what: what.into(), fix: fix.into() }
    }
}
