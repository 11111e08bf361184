//! What the product is checked against: brute force on records, generators of tables to try it
//! on, and tiny published tables whose figures are known.
//!
//! The oracle works on the strings of records and shares no statistic, histogram, roll-up or walk
//! with the product; where both agree on thousands of random tables, both are right or both are
//! wrong in the same way.
//!
//! ```
//! use haggle_testkit::oracle::{Answer, Measure, Oracle, Request};
//! use haggle_testkit::published;
//!
//! let table = published::philosophers();
//! let sizes = Oracle::of(&table).judge(&Measure::size());
//! let request = Request { threshold: 3.0, caps: vec![1, 1, 3], limit: 0 };
//! let Answer::Exact(best) = sizes.negotiate(&request) else { panic!("it has an exact answer") };
//! assert_eq!((best.levels, best.suppressed), (vec![1, 1, 3], 0));
//! ```

pub mod effort;
pub mod generate;
pub mod mutate;
pub mod oracle;
pub mod people;
#[cfg(unix)]
pub mod postgres;
pub mod process;
pub mod published;
mod redact;
#[cfg(unix)]
pub mod sail;
pub mod spark;
mod table;

pub use redact::{redacted, timeless, titled, without_lengths};
pub use table::{Attribute, Table};
