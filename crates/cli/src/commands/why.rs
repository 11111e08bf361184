//! `haggle why`: what a scheme suppresses, which kinds of records, and which level would help.

use std::fmt::Write;

use clap::Args;
use haggle::questions::WhyQuestion;
use haggle::reports::Why;
use haggle::{MeasureSpec, Scheme};

use crate::Output;
use crate::args::{ProjectArgs, ThresholdArgs, parse_judge};
use crate::text::{account, counted, percent, table, thousands};

/// How many changes are printed; all are in the JSON.
const SHOWN: usize = 6;

/// What a scheme suppresses: which kinds of records, and which single level would save most
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    thresholds: ThresholdArgs,
    /// The scheme, such as 1,0,1
    #[arg(long, value_name = "SCHEME")]
    scheme: Scheme,
    /// The loss measure that attributes are judged by
    #[arg(long, value_name = "MEASURE", default_value = "lm", value_parser = parse_judge)]
    loss: MeasureSpec,
    /// Print the tables as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl WhyArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let engine = self.project.engine()?;
        let ask = engine.with_other_thresholds(&self.thresholds.ask()?);
        let question = WhyQuestion { scheme: Some(self.scheme.clone()), loss: self.loss.clone() };
        let why = ProjectArgs::answer(&engine, &ask, question)?;
        if self.project.json {
            return Ok(super::json(&why)?.into());
        }
        if self.csv {
            return Ok(why.csv().into());
        }
        let asked = ask.or(engine.defaults()).privacy_words();
        Ok(words(&why, &asked)?.into())
    }
}

fn words(why: &Why, asked: &str) -> anyhow::Result<String> {
    let mut text = format!(
        "Under {} {asked} suppresses {} of {} ({}), in {}.\n",
        why.scheme,
        counted(why.suppressed, "record"),
        thousands(why.records),
        percent(why.suppressed, why.records),
        counted(why.failing_groups, "group"),
    );
    text += &account(&why.account);
    if why.suppressed > 0 {
        text += "\nHit hardest, by published value:\n\n";
        let mut rows =
            vec![["attribute", "value", "suppressed", "of", ""].map(String::from).to_vec()];
        rows.extend(why.kinds.iter().map(|kind| {
            vec![
                kind.attribute.clone(),
                kind.value.clone(),
                thousands(kind.suppressed),
                thousands(kind.records),
                percent(kind.suppressed, kind.records),
            ]
        }));
        text += &table(&rows);
    }
    text += "\nOne level away:\n\n";
    let mut rows =
        vec![["attribute", "level", "scheme", "suppressed", "change"].map(String::from).to_vec()];
    rows.extend(why.changes.iter().take(SHOWN).map(|change| {
        let by = i128::from(change.suppressed) - i128::from(why.suppressed);
        vec![
            change.attribute.clone(),
            change.level.to_string(),
            change.scheme.to_string(),
            thousands(change.suppressed),
            format!("{by:+}"),
        ]
    }));
    write!(text, "{}", table(&rows))?;
    write!(text, "\n{}", attributes(why))?;
    Ok(text)
}

/// What each attribute costs, and which costs most.
fn attributes(why: &Why) -> String {
    let head = ["attribute", "level", &why.measure, "suppressed without it"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(why.attributes.iter().map(|cost| {
        vec![
            cost.attribute.clone(),
            cost.level.to_string(),
            format!("{:.6}", cost.loss),
            thousands(cost.suppressed_without),
        ]
    }));
    let most = why.attributes.first().filter(|cost| cost.suppressed_without < why.suppressed);
    let most = most.map_or(String::new(), |cost| {
        let saved = counted(why.suppressed - cost.suppressed_without, "record");
        format!("\n{} costs most: leaving it out would save {saved}.\n", cost.attribute)
    });
    let error = why.loss_error.map_or(String::new(), |error| format!(" ± {error:.6}"));
    format!(
        "What each attribute costs ({} {:.6}{error} in all), the costliest first:\n\n{}{most}",
        why.measure,
        why.loss,
        table(&rows)
    )
}
