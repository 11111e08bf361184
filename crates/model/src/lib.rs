//! What all parts of haggle share: attributes, hierarchies, schemes and the lattice they form.
//!
//! ```
//! use haggle_model::{Hierarchy, Scheme, Space};
//!
//! let age = Hierarchy::from_paths("age", [["37", "30-39", "*"], ["41", "40-49", "*"]])?;
//! let sex = Hierarchy::flat(["female", "male"]);
//! let space = Space::of([&age, &sex]);
//! assert_eq!(space.size(), Some(6));
//! assert_eq!(space.top().to_string(), "[2,1]");
//! assert_eq!(age.label(age.ancestor(age.code("37").unwrap(), 1.into()), 1.into()), "30-39");
//! # Ok::<(), haggle_model::Error>(())
//! ```

mod attribute;
mod axis;
mod cache;
mod dictionary;
mod error;
mod error_kind;
mod hierarchy;
mod interval;
mod list;
pub mod numerals;
mod problem;
mod progress;
mod recoding;
mod region;
mod remedy;
mod scheme;
mod space;
mod unmatched;

pub use attribute::{QuasiIdentifier, Role, Watched};
pub use axis::Axis;
pub use cache::{Building, Cache, Capacity};
pub use dictionary::Dictionary;
pub use error::{Error, ExceededMemory};
pub use error_kind::ErrorKind;
pub use hierarchy::{
    Bounds, Builder, DateFormat, DateUnit, Dates, Decimal, Groups, Hierarchy, Intervals, Node,
    Occurrence, OpenEnds, Pad, ParseDateFormatError, ParseDecimalError, Prefix, Row, Tree,
    ValueGroup,
};
pub use interval::Interval;
pub use list::{list_label, listed_values};
pub use problem::{Place, Problem, Problems};
pub use progress::{CancelAt, CancelOnly, Held, Progress, SearchState, Silent, WithDeadline};
pub use recoding::{Recoder, Recoding, Share, SharesTaken, Span, label_order};
pub use region::{Region, Regions};
pub use remedy::Remedy;
pub use scheme::{Level, ParseSchemeError, Scheme};
pub use space::{SchemesAtHeight, Space, Sublattice};
pub use unmatched::{UNKNOWN, UNMATCHED, is_unmatched, unmatched};

/// The label for every value: the top of each hierarchy that does not name another.
pub const ANY: &str = "*";
