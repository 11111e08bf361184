//! Counted groups: how they are packed, rolled up, changed and selected, and what counts them.

pub(crate) mod cells;
mod change;
pub(crate) mod climb;
mod count;
pub(crate) mod cube;
mod frequency_set;
pub(crate) mod key;
pub(crate) mod roll_up;
mod select;
mod source;

pub use change::{Changed, NotThere, Recode};
pub use count::{CountedPart, Counter};
pub use cube::Cube;
pub use frequency_set::FrequencySet;
pub use source::{
    ColumnStatistics, Counted, DatabaseStatistics, Dependency, JointStatistics, Overview, Source,
};
