//! What happens to the columns, in words: a table before writing, a summary afterwards.

use haggle::PublicationReport;
use haggle::reports::{ColumnAccount, ColumnPlan, DropReason, OtherColumns, Treatment};

use crate::text::{counted, percent, table, thousands};

/// Every column with its treatment and how many records its values identify.
pub(crate) fn column_table(plan: &ColumnPlan) -> String {
    let header = ["column", "unique", &format!("fewer than {}", plan.k), "published"];
    let mut rows = vec![header.map(String::from).to_vec()];
    rows.extend(plan.columns.iter().map(row));
    let lines = table(&rows);
    format!(
        "Columns, with the records whose value is unique or is shared by fewer than {} records:\n{lines}",
        plan.k
    )
}

fn row(column: &ColumnAccount) -> Vec<String> {
    let about = if column.estimated { "about " } else { "" };
    let number = |n: u64| format!("{about}{}", thousands(n));
    let treatment = match column.treatment {
        Treatment::Unchanged if column.as_recorded => "unchanged (named)",
        treatment => treatment.name(),
    };
    vec![column.name.clone(), number(column.unique), number(column.below_k), treatment.into()]
}

/// The columns by treatment, why some were dropped, and warnings.
pub(crate) fn summary(report: &PublicationReport) -> String {
    let plan = &report.columns;
    let mut text = String::new();
    if !report.unchanged.is_empty() {
        text += &format!("Unchanged: {}.\n", report.unchanged.join(", "));
    }
    let dropped = plan.columns.iter().filter(|c| c.treatment == Treatment::Dropped);
    let dropped: Vec<&ColumnAccount> = dropped.collect();
    for column in &dropped {
        let why = column.explanation.as_deref().unwrap_or_default();
        text += &format!("Dropped: {}, because {why}.\n", column.name);
    }
    if dropped.iter().any(|column| column.reason != Some(DropReason::Separate)) {
        text += "To publish a dropped column anyway, name it with --as-recorded.\n";
    }
    text += &unique(report.unique_over_all_columns, report.records);
    plan.notes.iter().for_each(|note| text += &format!("Warning: {note}\n"));
    text
}

fn unique(records: u64, all: u64) -> String {
    format!(
        "Unique over all published columns that are not sensitive: {} ({}).\n",
        counted(records, "record"),
        percent(records, all)
    )
}

/// How many records the columns of a file identify beyond its quasi-identifiers.
pub(crate) fn other_columns(others: &OtherColumns, records: u64) -> String {
    let mut text = unique(others.unique_over_all_columns, records);
    for column in others.other_columns.iter().filter(|column| column.nearly_unique) {
        let kind = if column.sensitive { "sensitive values" } else { "values" };
        text += &format!(
            "Warning: the {kind} of {} single people out: {} of {} have one that fewer than {} \
             share.\n",
            column.name,
            thousands(column.below_k),
            counted(records, "record"),
            others.k
        );
    }
    text
}
