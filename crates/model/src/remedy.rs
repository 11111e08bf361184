//! Remedies: what to do about a problem, as data that each front end words with its own options.

use std::fmt;

/// What to do about a problem. Its words name no command, flag, field or argument: front ends add
/// theirs to the remedies that are not plain [text](Self::Text).
///
/// ```
/// use haggle_model::Remedy;
///
/// assert_eq!(Remedy::from("add a hierarchy").to_string(), "add a hierarchy");
/// assert_eq!(Remedy::BuildAgain.to_string(), "build the lattice again");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Advice about the user's own files and values; empty if there is nothing to do.
    Text(String),
    /// Allow more memory, or do what these words say.
    RaiseMemory(String),
    /// Allow more time for a search.
    RaiseTimeLimit,
    /// Name another file, or allow this one to be replaced.
    AllowReplacing,
    /// Name another output; these are the words.
    NameOutput(&'static str),
    /// State that the thresholds are meant although they are weaker than the project's.
    StateOnly,
    /// Build the stored lattice again.
    BuildAgain,
    /// Annotate every scheme of the lattice.
    AnnotateAll,
    /// Ask the counted lattice instead of a summary.
    AskLattice,
    /// Start again with the data as it is now.
    StartAgain,
    /// Publish again.
    PublishAgain,
    /// Name a privacy threshold.
    NameThreshold,
    /// Name the project behind a published file.
    NameProject,
}

impl Remedy {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text(text) => text,
            Self::NameOutput(words) => words,
            Self::RaiseMemory(or) => return write!(f, "raise the limit for memory, {or}"),
            Self::RaiseTimeLimit => "allow more time, or choose another strategy",
            Self::AllowReplacing => "name another file, or allow this one to be replaced",
            Self::StateOnly => "request what the project requests, or state that less is intended",
            Self::BuildAgain => "build the lattice again",
            Self::AnnotateAll => {
                "choose fewer quasi-identifiers, or have the whole lattice annotated"
            }
            Self::AskLattice => "ask the counted lattice instead",
            Self::StartAgain => "start again",
            Self::PublishAgain => {
                "publish again; if a lattice is stored, rebuild it first; nothing was written"
            }
            Self::NameThreshold => "name one, such as k-anonymity=5",
            Self::NameProject => "name the project behind the file",
        })
    }
}

impl From<String> for Remedy {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Remedy {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
