//! `haggle compare`: every strategy on one request, side by side.

use std::time::Duration;

use clap::Args;
use haggle::questions::CompareQuestion;
use haggle::reports::{ComparedStrategy, Comparison};
use haggle::{Ask, MeasureSpec};

use crate::args::{Opening, OptimizeArgs, ProjectArgs, RequestArgs, parse_judge, parse_seconds};
use crate::commands::ask::AnswerWording;
use crate::plot::PlotArgs;
use crate::text::{account, counted, loss, percent, table, thousands, time};
use crate::{ExitStatus, Output, say};

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
    measures: Vec<MeasureSpec>,
    /// Only these strategies, such as mondrian,m-instant:summary=bayes,threshold=0.95 (default: all)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    strategies: Vec<String>,
    /// How long each strategy may search, in seconds (default: until it is done)
    #[arg(long, alias = "patience", value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,
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
        let question = CompareQuestion {
            measures: self.measures.clone(),
            strategies: with_options(&self.strategies),
            time_limit: self.time_limit.map(|limit| limit.as_secs_f64()),
        };
        let optimize = self.optimize.optimize.clone();
        let ask = engine.with_other_thresholds(&Ask { optimize, ..self.request.ask()? });
        let comparison = ProjectArgs::answer(&engine, &ask, question)?;
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
        let failed: Vec<&str> = comparison.failed().map(|one| one.strategy.as_str()).collect();
        if !failed.is_empty() {
            let failed = failed.join(", ");
            let what = format!("error: strategies failed: {failed}; the others are compared");
            say(&format!("{what}\n    fix: see the reason of each"));
            return Ok(Output { text, code: ExitStatus::BadInput });
        }
        Ok(Output::new(text, comparison.strategies.iter().all(|one| one.found.is_none())))
    }
}

fn words(comparison: &Comparison) -> String {
    let mut head: Vec<String> = ["strategy", "recoding"].map(String::from).to_vec();
    head.extend(comparison.measures.iter().cloned());
    head.extend(["suppressed", "groups", "time", "looked at", "verified"].map(String::from));
    let in_table = |one: &&ComparedStrategy| one.found.is_some() || one.error.is_some();
    let rows = comparison.strategies.iter().filter(in_table);
    let rows: Vec<Vec<String>> =
        [head].into_iter().chain(rows.map(|one| row(one, comparison))).collect();
    let mut text =
        if rows.len() > 1 { table(&rows) } else { "No strategy finds anything.\n".into() };
    let remarks: String = comparison.strategies.iter().flat_map(remarks).collect();
    if !remarks.is_empty() {
        text += &format!("{remarks}\n");
    }
    text
}

/// What must be known of a strategy besides its numbers, each on a line.
fn remarks(one: &ComparedStrategy) -> Vec<String> {
    let stopped = "stopped by the time limit: there may be something better";
    let stopped = (one.stopped && one.found.is_some()).then_some(stopped);
    let said = [one.reason.as_deref(), one.error.as_deref(), stopped, one.note.as_deref()];
    said.into_iter().flatten().map(|said| format!("\n{}: {said}", one.strategy)).collect()
}

fn row(one: &ComparedStrategy, comparison: &Comparison) -> Vec<String> {
    let found = one.found.clone().unwrap_or_else(|| "failed".into());
    let mut row = vec![one.strategy.clone(), found];
    row.extend(
        comparison
            .measures
            .iter()
            .map(|measure| one.loss.get(measure).map_or(String::new(), |lost| loss(*lost))),
    );
    row.push(one.suppressed.map_or(String::new(), |suppressed| {
        format!("{} ({})", thousands(suppressed), percent(suppressed, comparison.records))
    }));
    row.push(one.groups.map_or(String::new(), thousands));
    row.push(time(one.micros));
    let ended = match (one.proven, one.stopped) {
        (true, _) => ", proven",
        (_, true) => ", stopped",
        _ => "",
    };
    let looked_at = one.scans.map_or_else(|| thousands(one.evaluated), |n| counted(n, "scan"));
    row.push(format!("{looked_at}{ended}"));
    row.push(match (&one.error, one.verified) {
        (Some(_), _) => String::new(),
        (None, true) => "yes".into(),
        (None, false) => "NO".into(),
    });
    row
}
