//! Tables in SQL engines: what differs between their dialects, the statements that count, recode and
//! prove, and connections.
//!
//! ```
//! use haggle_sql::{Sql, dialects};
//!
//! let sql = Sql::of(dialects::named("postgresql")?);
//! assert_eq!(sql.identifier("hours\"per week"), "\"hours\"\"per week\"");
//! assert_eq!(sql.text("Women's"), "'Women''s'");
//! # Ok::<(), haggle_model::Error>(())
//! ```

// What serves only connections is not needed without them.
#![cfg_attr(not(all(feature = "postgres", feature = "adbc")), allow(dead_code, unused_imports))]

#[cfg(feature = "adbc")]
mod adbc;
mod connect;
mod counting;
mod database;
mod dialect;
pub mod dialects;
mod engine;
mod files;
mod location;
mod names;
#[cfg(feature = "postgres")]
mod postgres;
mod promise;
mod recode;
mod relation;
mod running;
mod script;

pub use counting::{CodedColumn, CountQuery};
pub use database::{Access, Connector, Database};
pub use dialect::{Dialect, Sql};
pub use engine::{SqlColumn, SqlEngine, SqlRow, StagedTable, VisitRow, number};
pub use files::EngineFiles;
pub use location::{EngineData, OptionText, TableLocation};
pub use names::{SqlTarget, TableName};
pub use promise::{ExpectedGroups, Promise};
pub use recode::{Gaps, Recode, RecodedColumn, shown};
pub use relation::{Relation, RelationColumn};
pub use script::{DbtModel, Script};
