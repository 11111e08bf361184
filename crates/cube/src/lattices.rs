//! Annotated lattices: full, partial and on demand, and what they keep of every scheme.

mod annotate;
pub(crate) mod consistency;
mod estimate;
mod full;
mod histogram;
pub(crate) mod joined;
mod lattice;
mod on_demand;
mod partial;
mod table;
mod tally;
mod weighed;

pub use annotate::Limits;
pub use estimate::Estimate;
pub use full::{AnnotationCost, FullLattice};
pub use histogram::{Bin, Histogram, Histograms};
pub use joined::JoinedTables;
pub use lattice::{Annotated, Lattice};
pub use on_demand::OnDemand;
pub use partial::PartialLattice;
pub use table::{Costs, GroupSizes, Order, Rows, StatisticTable};
pub use weighed::Weighed;
