//! What is computed of a group: statistics of privacy models, and payloads of loss measures.

mod merged;
pub(crate) mod payload;
pub(crate) mod statistic;

pub use merged::Merged;
pub use payload::{
    CodeMeaning, ExpectedGroups, Generalized, KeptGroups, Loss, MeanLevels, Payload,
    PublishedLevels, rounded,
};
pub use statistic::{Column, Distance, Group, Merging, Passing, Statistic, ValueCount};
