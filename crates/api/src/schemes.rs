//! What is known of schemes: their costs, their groups, and why records are suppressed.

mod costs;
mod cross_table;
mod pinned;
mod security;
mod study;
mod why;

pub use costs::{SchemeCost, SchemesReport};
pub use cross_table::{CrossTable, PublishedRun, TableAxis};
pub use pinned::{ExampleRow, Pinned, PinnedExample};
pub use security::{GroupSecurity, Security, SecurityOptions, ValueSecurity};
pub use study::{GroupSize, GroupingPower, GroupingStudy, HeightStudy, SchemeHistogram, Study};
pub use why::{AttributeCost, Change, SuppressedValue, Why};
