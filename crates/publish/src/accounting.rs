//! Every column of a publication is accounted for: generalized, unchanged or dropped, with how many
//! records its values single out.
//!
//! A promise holds over the columns that a request negotiates. Another column can undo it: alone,
//! together with others and with the published quasi-identifiers, or because it repeats what was
//! generalized. Such columns are dropped unless they are named. The counts come from one scan of the
//! records that are published (`Profiler`); `decide` turns them into a column plan.

mod decide;
mod notes;
mod subject;

pub(crate) use decide::{Decision, decide};
pub(crate) use haggle_assess::column_counts::{
    ColumnTally, DEFAULT_K, Meanings, ProfileLayout, Profiler, TallyLimits, count_others,
};
pub(crate) use notes::notes_on_columns;
pub(crate) use subject::{Standing, Statements, TableColumn};
