//! Every column of a publication is accounted for: generalized, unchanged or dropped, with how many
//! records its values single out.
//!
//! A promise holds over the columns that a request negotiates. Another column can undo it: alone,
//! together with others and with the published quasi-identifiers, or because it repeats what was
//! generalized. Such columns are dropped unless they are named. The counts come from one scan of the
//! records that are published (`Profiler`); `decide` turns them into a column plan.

mod crowds;
mod decide;
mod others;
mod profiler;
mod subject;
mod tally;
pub(crate) use decide::{Decision, decide};
pub(crate) use others::{Meanings, count_others, notes_on_columns};
pub use others::{OtherColumn, OtherColumns};
pub(crate) use profiler::{ProfileLayout, Profiler, TallyLimits};
pub(crate) use subject::{Standing, Statements, TableColumn};
pub(crate) use tally::ColumnTally;

/// Values that fewer records share single people out, where a request has no k.
pub(crate) const DEFAULT_K: u64 = 5;
