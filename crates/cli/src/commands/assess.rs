//! `haggle assess`: is this data already anonymous?

use clap::Args;
use haggle::publishing::Assessment;

use crate::Output;
use crate::columns::other_columns;
use crate::commands::verify::FileArgs;
use crate::text::{counted, percent, table, thousands, thresholds};

/// Every statistic of a file: is this data already anonymous?
#[derive(Debug, Args)]
pub(crate) struct AssessArgs {
    #[command(flatten)]
    file: FileArgs,
}

impl AssessArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let assessment = self.file.open()?.assess()?;
        Ok(if self.file.json { super::json(&assessment)? } else { words(&assessment) }.into())
    }
}

fn words(found: &Assessment) -> String {
    let grouped = found.records - found.starred;
    let verdict = match found.unique {
        0 => "No record is alone in its group.".to_owned(),
        n => format!(
            "{} of {} alone in their groups: this is not anonymous.",
            counted(n, "record"),
            thousands(found.records)
        ),
    };
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let share = |n: u64| format!("{} ({})", thousands(n), percent(n, found.records));
    let mut rows = vec![
        row("records", thousands(grouped)),
        row(
            "suppressed (* in every quasi-identifier), a group of their own",
            thousands(found.starred),
        ),
        row("groups", thousands(found.groups)),
        row("mean records in a group", format!("{:.2}", found.mean_group)),
        row("records alone in their group", share(found.unique)),
        row("records in groups of fewer than 5", share(found.under_five)),
        row("records in groups of fewer than 10", share(found.under_ten)),
        row("highest risk of being picked out", format!("{:.2} %", 100.0 * found.highest_risk)),
        row("mean risk of being picked out", format!("{:.2} %", 100.0 * found.mean_risk)),
        row("records with a risk above 20 %", share(found.risk.prosecutor.above)),
    ];
    rows.extend(found.attained.iter().map(|(model, value)| {
        let attained = thresholds(&[(model.clone(), value.clone())]);
        row(model, attained.replace("= inf", "none").replace("= -inf", "none"))
    }));
    let most = found.risk.contributions.first().map_or(String::new(), |one| {
        let (name, adds) = (&one.attribute, 100.0 * one.adds);
        format!("{name} adds most to the mean risk: {adds:.2} %. haggle risk says more.\n")
    });
    let others = other_columns(&found.others, found.records);
    format!(
        "{verdict}\n\nQuasi-identifiers, {}: {}\n\n{}\n\
         {most}Models that compare groups with the whole compare with this file itself.\n{others}",
        found.chosen_by,
        found.quasi_identifiers.join(", "),
        table(&rows)
    )
}
