//! The dialects, one file each.

mod bigquery;
mod clickhouse;
mod databricks;
mod duckdb;
mod postgresql;
mod redshift;
mod snowflake;
mod spark;
mod trino;

use haggle_model::Error;

use crate::dialect::Dialect;

/// Every dialect, by name.
pub const CATALOG: &[&dyn Dialect] = &[
    &bigquery::BigQuery,
    &clickhouse::ClickHouse,
    &databricks::Databricks,
    &duckdb::DuckDb,
    &postgresql::PostgreSql,
    &redshift::Redshift,
    &snowflake::Snowflake,
    &spark::Spark,
    &trino::Trino,
];

/// PostgreSQL's dialect.
pub const POSTGRESQL: &dyn Dialect = &postgresql::PostgreSql;

/// Spark's dialect, which other servers of its protocol understand as well.
pub const SPARK: &dyn Dialect = &spark::Spark;

/// The dialect of this name.
pub fn named(id: &str) -> Result<&'static dyn Dialect, Error> {
    let found = CATALOG.iter().find(|dialect| dialect.id() == id);
    found.copied().ok_or_else(|| {
        let known: Vec<&str> = CATALOG.iter().map(|dialect| dialect.id()).collect();
        let fix = format!("choose from: {}", known.join(", "));
        Error::new(format!("there is no SQL dialect '{id}'"), fix)
    })
}
