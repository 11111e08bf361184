//! A project, its table, its hierarchies and its lattice.

mod built;
mod changes;
mod check;
mod example;
mod hierarchy;
mod overview;
mod table;

pub use built::{BuildEstimate, Built};
pub use changes::{Changes, UpdateRevealed, Updated};
pub use check::{AttributeReport, Report};
pub use example::Example;
pub use hierarchy::{Branch, HierarchyView, MergedValues, RepairedHierarchy};
pub use overview::{
    AttributeOverview, LatticeOverview, LevelOverview, LevelsOverview, ProjectOverview,
};
pub use table::{ColumnView, Columns, ValueRecords};
