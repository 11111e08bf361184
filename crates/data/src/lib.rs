//! Data in: files in every dialect and encoding, values coded and counted while reading, hierarchy
//! files.
//!
//! ```
//! use haggle_data::{CsvOptions, Input, Missing, Plan, Table, scan};
//!
//! let input = Input::embedded("people.csv", b"age;sex\n37;f\n37;f\n41;m\n");
//! let table = Table::open(input, &CsvOptions::default())?;
//! assert_eq!(table.columns(), ["age", "sex"]);
//!
//! let plan = Plan { counted: vec![0, 1], watched: vec![], checked: vec![0, 1], missing: Missing::default() };
//! let scanned = scan(&table, &plan, usize::MAX, &haggle_cube::unwatched)?;
//! assert_eq!(scanned.kept(), 3);
//! assert_eq!(scanned.values(0).dictionary.values().collect::<Vec<_>>(), ["37", "41"]);
//! # Ok::<(), haggle_data::Error>(())
//! ```

// Some helpers serve Parquet files or databases alone.
#![cfg_attr(not(all(feature = "parquet", feature = "postgres")), allow(dead_code, unused_imports))]

mod coding;
#[cfg(feature = "postgres")]
mod database;
#[cfg(not(feature = "postgres"))]
#[path = "database_absent.rs"]
mod database;
mod delimited;
mod hierarchy_file;
mod input;
pub mod output;
mod overview;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "parquet_absent.rs"]
mod parquet;
mod place;
mod profile;
mod publish;
mod records;
mod scan;
pub mod sinks;
mod sources;
pub mod spreadsheet;
mod table;

pub use coding::{Missing, OnMissing, Values};
pub use database::{Database, Draft, InDatabase};
pub use delimited::{CsvOptions, Dialect};
pub use haggle_model::Error;
pub use hierarchy_file::parse_hierarchy;
pub use input::{Encoding, Input, InputFile};
pub use overview::{Look, Marginals, overview};
pub use profile::{Column, Profile, Sample, Shape, profile};
pub use publish::{PUBLISH_AGAIN, Publication, Published, Streamed, Suppress, publish};
pub use scan::{Plan, RecordCount, Scanned, scan, scan_changes, scan_values};
pub use sources::{TableBoxes, TableSource};
pub use table::Table;
