//! `haggle measures`: the loss measures by which schemes can be judged.

use anyhow::bail;
use clap::Args;
use haggle::catalog::{ExpectedFrom, MEASURES, Measure, find_measure};

use crate::Output;

/// List the loss measures, or explain one
#[derive(Debug, Args)]
pub(crate) struct MeasuresArgs {
    /// The measure to explain
    name: Option<String>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
    /// Print the manual page
    #[arg(long, requires = "name", conflicts_with = "json")]
    markdown: bool,
}

impl MeasuresArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let Some(name) = &self.name else {
            return Ok(if self.json { super::json(&MEASURES)? } else { list() }.into());
        };
        let Some(measure) = find_measure(name) else {
            bail!("there is no loss measure '{name}'\n    fix: `haggle measures` lists them");
        };
        Ok(match (self.json, self.markdown) {
            (true, _) => super::json(measure)?,
            (_, true) => manual_page(measure),
            _ => explain(measure),
        }
        .into())
    }
}

fn list() -> String {
    let width = MEASURES.iter().map(|measure| measure.id.len()).max().unwrap_or(0);
    MEASURES.iter().map(|m| format!("{:<width$}  {}\n", m.id, m.definition)).collect()
}

/// What it is, in lines of a name and a sentence.
fn facts(measure: &Measure) -> Vec<(&'static str, String)> {
    let monotone = match (measure.monotone, measure.suppressing_costs) {
        (true, true) => "more general schemes never lose less",
        (true, false) => "more general schemes never lose less, but suppressing records may",
        (false, _) => "no",
    };
    let watches = if measure.watches { "a sensitive attribute (on=NAME)" } else { "nothing else" };
    let additive = if measure.additive {
        "each group costs the same whatever happens to the others"
    } else {
        "no, but made of sums over groups"
    };
    let estimate = if measure.estimate { "yes, with a standard error" } else { "no" };
    let expected = match measure.expected_from {
        ExpectedFrom::AnySummary => "from any summary of the data (haggle instant)",
        ExpectedFrom::CountedValues => {
            "from a summary that counts every value (haggle instant --summary histogram)"
        }
        ExpectedFrom::Nothing => "no",
    };
    let options = measure.options.iter().map(|option| {
        let words = option.options.join(", ");
        let words = if words.is_empty() { words } else { format!("; one of {words}") };
        ("Option", format!("{}: {}{words}", option.name, option.meaning))
    });
    let facts = [
        ("Range", measure.range.into()),
        ("Suppressed records", measure.suppressed.into()),
        ("Monotone", monotone.into()),
        ("Additive", additive.into()),
        ("Estimate", estimate.into()),
        ("Expected before counting", expected.into()),
        ("Needs", watches.into()),
    ];
    facts.into_iter().chain(options).collect()
}

fn explain(measure: &Measure) -> String {
    let facts: String =
        facts(measure).iter().map(|(name, fact)| format!("  {name}: {fact}\n")).collect();
    format!(
        "{} ({})\n\n{}\n\n  {}\n\n{facts}\nExample\n  {}\n\nAsk for it\n  --optimize {}\n\nSource\n  {}\n",
        measure.title,
        measure.id,
        measure.definition,
        measure.formula,
        measure.example,
        measure.id,
        measure.citation
    )
}

fn manual_page(measure: &Measure) -> String {
    let facts: String =
        facts(measure).iter().map(|(name, fact)| format!("- {name}: {fact}\n")).collect();
    format!(
        "# {}\n\n`{}`\n\n{}\n\n    {}\n\n{facts}\n**Example.** {}\n\n**Ask for it.** `--optimize {}`\n\n**Source.** {}\n",
        measure.title,
        measure.id,
        measure.definition,
        measure.formula,
        measure.example,
        measure.id,
        measure.citation
    )
}
