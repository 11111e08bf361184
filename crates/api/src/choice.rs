//! What is published: one of the ways in which a recoding is chosen.

use haggle_model::{Recoding, Scheme};

/// What is published.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub enum Choice {
    /// The exact answer to the request.
    #[default]
    Answer,
    /// This scheme.
    Scheme(Scheme),
    /// This scheme, or the exact answer, with suppressed records grouped again at higher levels.
    Refined(Option<Scheme>),
    /// What this strategy finds, such as `mondrian` or `m-instant:summary=bayes`.
    Strategy(String),
    /// The result of a comparison. The strategy must find exactly that.
    Result {
        /// The strategy that found it.
        strategy: String,
        /// The result's name in the comparison.
        result: String,
    },
    /// Two tables that are joined by group: the quasi-identifiers as recorded, and how often each
    /// sensitive value occurs in each group.
    Anatomy,
    /// A recoding as it was applied before, from a private manifest.
    Repeat(Recoding),
}

impl Choice {
    /// Returns the strategy that is to find the recoding.
    pub fn strategy(&self) -> Option<&str> {
        match self {
            Self::Strategy(strategy) | Self::Result { strategy, .. } => Some(strategy),
            _ => None,
        }
    }

    /// Returns the result that the strategy must find.
    pub fn result(&self) -> Option<&str> {
        match self {
            Self::Result { result, .. } => Some(result),
            _ => None,
        }
    }

    /// Returns the scheme that is named.
    pub fn scheme(&self) -> Option<&Scheme> {
        match self {
            Self::Scheme(scheme)
            | Self::Refined(Some(scheme))
            | Self::Repeat(Recoding::Levels { scheme }) => Some(scheme),
            _ => None,
        }
    }

    /// Whether the recoding is given, not searched for.
    pub fn is_named(&self) -> bool {
        self.scheme().is_some() || matches!(self, Self::Repeat(_))
    }
}
