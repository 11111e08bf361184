//! `haggle publish --sql`: statements for an engine that somebody else runs.

use std::path::Path;

use clap::Args;
use haggle::publishing::{SqlForm, SqlReport, SqlScript, sql_dialects};

use crate::Output;
use crate::text::counted;

/// Which statements are written instead of records.
#[derive(Debug, Args)]
pub(super) struct StatementArgs {
    /// Write no records, but SQL that recodes, suppresses and proves: bigquery, clickhouse, databricks,
    /// duckdb, postgresql, redshift, snowflake, spark or trino
    #[arg(long, value_name = "DIALECT", requires = "output", conflicts_with_all = ["table", "anatomy", "private", "spreadsheet_safe", "seed"])]
    sql: Option<String>,
    /// Write that SQL as a dbt model and its test; the output is a folder
    #[arg(long, requires = "sql")]
    dbt: bool,
    /// The table that the SQL reads (default: the project's table, or its file's name)
    #[arg(long, value_name = "TABLE", requires = "sql")]
    sql_from: Option<String>,
    /// The table that the SQL makes (default: the name of the other with _published)
    #[arg(long, value_name = "TABLE", requires = "sql")]
    sql_to: Option<String>,
}

impl StatementArgs {
    /// What to write, if statements were asked for.
    pub(super) fn script(&self, output: &Path) -> anyhow::Result<Option<SqlScript>> {
        let Some(dialect) = &self.sql else { return Ok(None) };
        Ok(Some(SqlScript {
            output: output.to_owned(),
            dialect: sql_dialects::named(dialect)?,
            form: if self.dbt { SqlForm::Dbt } else { SqlForm::Script },
            source: self.sql_from.clone(),
            target: self.sql_to.clone(),
        }))
    }

    pub(super) fn tell(&self, report: &SqlReport, json: bool) -> anyhow::Result<Output> {
        Ok(if json { super::super::json(report)? } else { self.words(report) }.into())
    }

    fn words(&self, report: &SqlReport) -> String {
        let mut text = String::new();
        for file in &report.files {
            text += &format!("Wrote {} (keep it secret).\n", file.display());
        }
        let dropped = match &report.dropped[..] {
            [] => String::new(),
            names => format!("Columns dropped: {}.\n", names.join(", ")),
        };
        let when = if self.dbt { "dbt test" } else { "Its last statements" };
        text + &format!(
            "Nothing is published yet. Run in the database, it publishes {} and suppresses {}.\n{dropped}\
             {when} will prove {}.\n\
             haggle keeps no record of this publication and writes no manifest for it.\n",
            counted(report.records, "record"),
            counted(report.suppressed, "record"),
            report.promised,
        )
    }
}
