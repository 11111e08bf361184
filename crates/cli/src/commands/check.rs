//! `haggle check`: everything that is wrong with a project and its data, at once.

use clap::Args;
use haggle::Project;
use haggle::reports::Report;

use crate::Output;
use crate::args::parse_size;
use crate::progress::Quiet;
use crate::text::{counted, table, thousands};

/// Read the whole project and report every problem at once
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A haggle.toml, its folder, or demo:adult
    project: String,
    /// Memory for the values that occur
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = parse_size)]
    memory: usize,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

impl CheckArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let report =
            haggle::setup::check_within(&Project::open(&self.project)?, self.memory, &Quiet)?;
        Ok(if self.json { crate::commands::json(&report)? } else { words(&report) }.into())
    }
}

fn words(report: &Report) -> String {
    let left_out = match report.dropped {
        0 => String::new(),
        n => format!(", {} left out because a value is missing", thousands(n)),
    };
    let files = match report.files {
        1 => String::new(),
        n => format!(" from {n} files"),
    };
    let header = if report.header { "named by the first record" } else { "named in the project" };
    let format = report.separator.map_or("The table is in Parquet.".into(), |separator| {
        format!("Fields are separated by {separator:?}, columns {header}.")
    });
    let mut rows =
        vec![["attribute", "role", "values", "levels", "hierarchy"].map(String::from).to_vec()];
    rows.extend(report.attributes.iter().map(|attribute| {
        vec![
            attribute.name.clone(),
            serde_json::to_value(attribute.role)
                .map_or(String::new(), |v| v.as_str().unwrap_or("").into()),
            attribute.values.to_string(),
            if attribute.levels > 0 { format!("0 to {}", attribute.levels) } else { "-".into() },
            attribute.hierarchy.clone().unwrap_or_else(|| "-".into()),
        ]
    }));
    let notes: String = report.notes.iter().map(|note| format!("\nNote: {note}\n")).collect();
    format!(
        "The project is valid: {}{files}{left_out}.\n{format}\n\n{}{notes}",
        counted(report.records, "record"),
        table(&rows)
    )
}
