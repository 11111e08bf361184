//! What happens to the columns, in words: a table before writing, a summary afterwards.

use haggle::PublicationReport;
use haggle::reports::{ColumnAccount, ColumnPlan, KeptBy, OtherColumns, Treatment, WholeRecords};

use crate::text::{counted, table, thousands};

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

/// The columns by treatment, why some were dropped and what would keep them, and warnings.
pub(crate) fn summary(report: &PublicationReport) -> String {
    let plan = &report.columns;
    let mut text = String::new();
    if !report.unchanged.is_empty() {
        text += &format!("Unchanged: {}.\n", report.unchanged.join(", "));
    }
    for column in plan.columns.iter().filter(|c| c.treatment == Treatment::Dropped) {
        let why = column.explanation.as_deref().unwrap_or_default();
        text += &format!("Dropped: {}, because {why}.{}\n", column.name, to_keep(column));
    }
    plan.notes.iter().for_each(|note| text += &format!("Warning: {note}\n"));
    text
}

/// What would keep a dropped column.
fn to_keep(column: &ColumnAccount) -> String {
    let name = &column.name;
    match column.kept_by {
        None => String::new(),
        Some(KeptBy::AsRecorded) => format!(" To publish it anyway: --as-recorded {name}"),
        Some(KeptBy::Role) => " To keep it, list it in the project with a role.".into(),
        Some(KeptBy::Keep) => {
            format!(
                " To keep it before others, put it first in keep under [publish]; to publish it \
                 anyway: --as-recorded {name}"
            )
        }
    }
}

/// How many records are unique over whole records, as a sentence, or as a warning if they are many.
pub(crate) fn unique(whole: &WholeRecords) -> String {
    if let Some(warning) = whole.warning() {
        return format!("Warning: {warning}\n");
    }
    let words = whole.words();
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(".\n".chars()).collect()
}

/// How many records the columns of a file identify beyond its quasi-identifiers.
pub(crate) fn other_columns(others: &OtherColumns, records: u64) -> String {
    let whole = others.whole(records);
    let mut text = unique(&whole);
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
