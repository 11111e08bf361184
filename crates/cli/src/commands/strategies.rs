//! `haggle strategies`: the algorithms that find recodings.

use anyhow::bail;
use clap::Args;
use haggle::catalog::{LossUse, StrategyEntry, strategies};

use crate::Output;

/// List the strategies, or explain one
#[derive(Debug, Args)]
pub(crate) struct StrategiesArgs {
    /// The strategy to explain
    name: Option<String>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
    /// Print the manual page
    #[arg(long, requires = "name", conflicts_with = "json")]
    markdown: bool,
}

impl StrategiesArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let all = strategies();
        let Some(name) = &self.name else {
            return Ok(if self.json { super::json(&all)? } else { list(&all) }.into());
        };
        let Some(strategy) = all.iter().find(|strategy| strategy.id == name) else {
            bail!("there is no strategy '{name}'\n    fix: `haggle strategies` lists them");
        };
        Ok(match (self.json, self.markdown) {
            (true, _) => super::json(strategy)?,
            (_, true) => manual_page(strategy),
            _ => explain(strategy),
        }
        .into())
    }
}

fn list(all: &[StrategyEntry]) -> String {
    let width = all.iter().map(|strategy| strategy.id.len()).max().unwrap_or(0);
    all.iter().map(|s| format!("{:<width$}  {:<6}  {}\n", s.id, s.recoding, s.definition)).collect()
}

fn explain(strategy: &StrategyEntry) -> String {
    format!(
        "{} ({})\n\n{}\n\n  Recoding: {}\n  Finds: {}\n  Needs: {}\n  Loss: {}\n\nAsk for it\n  haggle publish PROJECT --strategy {} …\n  haggle compare PROJECT --strategies {} …\n\nSource\n  {}\n",
        strategy.title,
        strategy.id,
        strategy.definition,
        strategy.recoding,
        strategy.finds,
        strategy.needs,
        use_of_loss(strategy),
        strategy.id,
        strategy.id,
        strategy.citation
    )
}

fn use_of_loss(strategy: &StrategyEntry) -> &'static str {
    match strategy.loss {
        LossUse::Measure => "looks for little of the measure that is asked for",
        LossUse::Weights => "uses only the weights of attributes, such as `lm:age=2`",
        LossUse::Nothing => "does not look at a measure; naming one is refused",
    }
}

fn manual_page(strategy: &StrategyEntry) -> String {
    format!(
        "# {}\n\n`{}`\n\n{}\n\n- Recoding: {}\n- Finds: {}\n- Needs: {}\n- Loss: {}\n\n**Ask for it.** `--strategy {}`\n\n**Source.** {}\n",
        strategy.title,
        strategy.id,
        strategy.definition,
        strategy.recoding,
        strategy.finds,
        strategy.needs,
        use_of_loss(strategy),
        strategy.id,
        strategy.citation
    )
}
