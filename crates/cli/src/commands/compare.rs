//! `haggle compare`: every strategy on one request, side by side.

use std::time::Duration;

use clap::Args;
use haggle::reports::{ComparedStrategy, Comparison};
use haggle::search::CompareOptions;
use haggle::{Ask, Judge};

use crate::Output;
use crate::args::{Opening, OptimizeArgs, ProjectArgs, RequestArgs, parse_judge, parse_seconds};
use crate::commands::ask::AnswerWording;
use crate::plot::PlotArgs;
use crate::progress::WorkBar;
use crate::text::{account, counted, loss, percent, table, thousands, time};

/// Every strategy on one request: what it finds, loses and takes
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    request: RequestArgs,
    #[command(flatten)]
    optimize: OptimizeArgs,
    /// The measures to report; strategies minimize the first (default: lm and some of other kinds)
    #[arg(long, value_name = "A;B;…", value_delimiter = ';', conflicts_with = "optimize", value_parser = parse_judge)]
    measures: Vec<Judge>,
    /// Only these strategies, such as mondrian,m-instant:summary=bayes,threshold=0.95 (default: all)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    strategies: Vec<String>,
    /// How long each strategy may search, in seconds
    #[arg(long, alias = "patience", value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    time_limit: Duration,
    /// Print the table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    plot: PlotArgs,
}

/// The strategies named: what names an option belongs to the strategy before it.
fn with_options(named: &[String]) -> Vec<String> {
    let mut strategies: Vec<String> = Vec::new();
    for one in named {
        match strategies.last_mut() {
            Some(last) if last.contains(':') && one.contains('=') && !one.contains(':') => {
                *last += &format!(",{one}");
            }
            _ => strategies.push(one.clone()),
        }
    }
    strategies
}

impl CompareArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let data = self.project.json || self.csv;
        self.plot.check(data)?;
        let engine = self.project.engine_by(&Opening::default())?;
        let bar = WorkBar::default();
        let options = CompareOptions {
            measures: self.measures.clone(),
            strategies: with_options(&self.strategies),
            time_limit: self.time_limit,
            progress: &bar,
        };
        let optimize = self.optimize.optimize.clone();
        let ask = engine.with_other_thresholds(&Ask { optimize, ..self.request.ask()? });
        let comparison = engine.compare(&ask, &options)?;
        let drawn =
            self.plot.draw(|| haggle::plot::picture_of_comparison(&engine, &ask, &comparison))?;
        let text = match (self.project.json, self.csv) {
            (true, _) => super::json(&comparison)?,
            (_, true) => comparison.csv(),
            _ => {
                let asked = AnswerWording {
                    args: &self.project,
                    engine: &engine,
                    ask: &ask.or(engine.defaults()),
                };
                let account = account(&comparison.account);
                format!("Asked: {}.\n{account}\n{}{drawn}", asked.asked(), words(&comparison))
            }
        };
        Ok(Output::of(text, comparison.strategies.iter().all(|one| one.found.is_none())))
    }
}

fn words(comparison: &Comparison) -> String {
    let mut head: Vec<String> = ["strategy", "recoding"].map(String::from).to_vec();
    head.extend(comparison.measures.iter().cloned());
    head.extend(["suppressed", "groups", "time", "looked at", "verified"].map(String::from));
    let rows = comparison.strategies.iter().filter(|one| one.found.is_some());
    let rows: Vec<Vec<String>> =
        [head].into_iter().chain(rows.map(|one| row(one, comparison))).collect();
    let mut text =
        if rows.len() > 1 { table(&rows) } else { "No strategy finds anything.\n".into() };
    for one in comparison.strategies.iter().filter(|one| one.found.is_none()) {
        text += &format!("\n{}: {}", one.strategy, one.reason.as_deref().unwrap_or_default());
    }
    for one in &comparison.strategies {
        text +=
            &one.note.as_ref().map_or(String::new(), |note| format!("\n{}: {note}", one.strategy));
    }
    if comparison.strategies.iter().any(|one| one.found.is_none() || one.note.is_some()) {
        text += "\n";
    }
    text
}

fn row(one: &ComparedStrategy, comparison: &Comparison) -> Vec<String> {
    let mut row = vec![one.strategy.clone(), one.found.clone().unwrap_or_default()];
    row.extend(
        comparison
            .measures
            .iter()
            .map(|measure| one.loss.get(measure).map_or(String::new(), |lost| loss(*lost))),
    );
    let suppressed = one.suppressed.unwrap_or(0);
    row.push(format!("{} ({})", thousands(suppressed), percent(suppressed, comparison.records)));
    row.push(one.groups.map_or(String::new(), thousands));
    row.push(time(one.micros));
    let proven = if one.proven { ", proven" } else { "" };
    row.push(match one.scans {
        Some(scans) => counted(scans, "scan"),
        None => format!("{}{proven}", thousands(one.evaluated)),
    });
    row.push(if one.verified { "yes" } else { "NO" }.into());
    row
}
