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

mod groups;

mod counts;
mod lattices;
pub mod query;
mod recoded;
pub mod store;

pub use counts::*;
pub use groups::*;
pub use haggle_model::Error;
pub use lattices::*;
pub use recoded::*;
