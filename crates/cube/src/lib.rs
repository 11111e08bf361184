//! Counted groups, their roll-up, and lattices that annotate every scheme with histograms.
//!
//! A *cell* is a group together with one value of a watched attribute, and how many records have
//! both. Cells are kept sorted, so a group is a run of cells and every statistic of a group is
//! computed in one pass over its run. If nothing is watched, each group is a single cell.
//!
//! ```
//! use haggle_cube::{Counter, Cube, FullLattice, Lattice, Limits, CountedPart};
//! use haggle_model::{Hierarchy, QuasiIdentifier, Scheme, Silent};
//! # use haggle_cube::{Column, Passing, Group, Merging, Statistic};
//! # #[derive(Debug)] struct Size(Column);
//! # impl Statistic for Size {
//! #     fn column(&self) -> &Column { &self.0 }
//! #     fn of(&self, group: &Group<'_>) -> f64 { group.records as f64 }
//! # }
//! # let size = Size(Column {
//! #     id: "k-anonymity".into(),
//! #     watches: None,
//! #     comparison: Passing::AtLeast,
//! #     kind: Merging::UnionMonotone,
//! #     weakest: 2.0,
//! #     strongest: f64::INFINITY,
//! # });
//!
//! let age = QuasiIdentifier {
//!     name: "age".into(),
//!     hierarchy: Hierarchy::from_paths("age", [["37", "30-39"], ["38", "30-39"], ["41", "40-49"]])?,
//! };
//! let mut counter = Counter::new(1, 0);
//! for code in [0, 0, 1, 2] {
//!     counter.add(&[code]);
//! }
//! let cube = Cube::from_parts(vec![age], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1, 2]] }]);
//! let lattice = FullLattice::build(cube.into(), &[Box::new(size)], Limits::default(), &Silent)?;
//! let decades = lattice.annotate(&Scheme::new([1]))?;
//! assert_eq!(decades.histogram(0).suppressed(2.0), 1, "the one record of the forties");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod annotate;
mod applied;
mod base;
mod boxes;
mod cells;
mod change;
mod climb;
mod consistency;
mod count;
mod cube;
mod estimate;
mod frequency_set;
mod full;
mod histogram;
mod joined;
mod key;
mod lattice;
mod merged;
mod on_demand;
mod partial;
mod payload;
pub mod query;
mod roll_up;
mod select;
mod source;
mod statistic;
pub mod store;
mod table;
mod tally;
mod weighed;

pub use annotate::Limits;
pub use applied::{Applied, Weighing, weigh};
pub use base::{Base, BasePart, Merger};
pub use boxes::{
    BoxCount, BoxEnds, BoxIndex, BoxSource, BoxTally, CountedBox, Counting, FoundBox, GroupBoxes,
    Proposed, published_boxes,
};
pub use change::{Changed, NotThere, Recode};
pub use count::{CountedPart, Counter};
pub use cube::Cube;
pub use estimate::Estimate;
pub use frequency_set::FrequencySet;
pub use full::{AnnotationCost, FullLattice};
pub use haggle_model::Error;
pub use histogram::{Bin, Histogram, Histograms};
pub use joined::JoinedTables;
pub use lattice::{Annotated, Lattice};
pub use merged::Merged;
pub use on_demand::OnDemand;
pub use partial::PartialLattice;
pub use payload::{
    CodeMeaning, ExpectedGroups, Generalized, KeptGroups, Loss, MeanLevels, Payload,
    PublishedLevels, rounded,
};
pub use source::{
    ColumnStatistics, Counted, DatabaseStatistics, Dependency, JointStatistics, Overview, Source,
};
pub use statistic::{Column, Distance, Group, Merging, Passing, Statistic, ValueCount};
pub use table::{Costs, GroupSizes, Order, Rows, StatisticTable};
pub use weighed::Weighed;
