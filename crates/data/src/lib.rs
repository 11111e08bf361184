//! Data in: files in every format and encoding, values coded and counted while reading, hierarchy
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
//! let scanned = scan(&table, &plan, usize::MAX, &haggle_model::Silent)?;
//! assert_eq!(scanned.kept(), 3);
//! assert_eq!(scanned.values(0).dictionary.values().collect::<Vec<_>>(), ["37", "41"]);
//! # Ok::<(), haggle_data::Error>(())
//! ```

// What serves only one of the features is not needed without it.
#![cfg_attr(
    not(all(feature = "frames", feature = "parquet")),
    allow(dead_code, unreachable_code, unused_imports)
)]

mod coding;
mod counting;
mod delimited;
mod fields;
#[cfg_attr(not(feature = "frames"), path = "absent/frames.rs")]
mod frames;
#[cfg(feature = "frames")]
mod gather;
mod hierarchy_file;
mod in_database;
mod input;
mod overview;
#[cfg_attr(not(feature = "parquet"), path = "absent/parquet.rs")]
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
mod values;

pub use coding::{Missing, OnMissing, Values};
pub use counting::{Look, Marginals, Plan, RecordCount, Scanned};
pub use delimited::{CsvOptions, DelimitedFormat};
pub use frames::Frame;
pub use haggle_model::Error;
pub use haggle_sql::{Database, EngineData, EngineFiles, OptionText, TableLocation};
pub use hierarchy_file::parse_hierarchy;
pub use in_database::{InDatabase, TableDraft, published_groups};
pub use input::{Encoding, Input, InputFile};
pub use overview::overview;
pub use profile::{ColumnProfile, Profile, Sample, Shape, profile};
pub use publish::{PublishedColumns, RecordRecoding, Streamed, Suppress, publish};
pub use scan::{scan, scan_changes, scan_values};
pub use sources::{TableBoxes, TableSource};
pub use table::Table;
