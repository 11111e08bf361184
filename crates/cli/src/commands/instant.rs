//! `haggle instant`: predicted from a summary, then counted until a promise is kept.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use haggle::catalog::{SummaryKind, find_summary};
use haggle::reports::{By, CountedScheme, InstantAnswer};
use haggle::search::{Instant, InstantAsk, InstantOptions, Optimizations, Predictor, Pruning};
use haggle::{
    Ask, CancelAt, Engine, MeasureSpec, Options, Project, RelaxHeight, Scheme, Way, WithDeadline,
};

use crate::Output;
use crate::args::{ProjectArgs, RequestArgs, parse_judge, parse_seconds};
use crate::progress::WorkBar;
use crate::text::{account, counted, percent, table, thousands};
use crate::time_limit::is_cancelled;

/// Anonymize from a summary of the data, with one scan or few
#[derive(Debug, Args)]
#[allow(clippy::doc_markdown)] // the help's own words
pub(crate) struct InstantArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    request: RequestArgs,
    /// The loss that is expected to be least, such as lm or discernibility, or with weights lm:age=2 (default: lm)
    #[arg(long, value_name = "MEASURE", value_parser = parse_judge)]
    optimize: Option<MeasureSpec>,
    /// Count until this many schemes keep their promise, and report them by counted loss (default: 1)
    #[arg(long, value_name = "N")]
    top: Option<NonZeroUsize>,
    /// If nothing within the maximum levels keeps its promise, count schemes beyond them: lowest, closest or published
    #[arg(long, value_name = "HOW")]
    relax_height: Option<RelaxHeight>,
    /// What is known beforehand: histogram, bayes, bayes-greedy, sample, or pg for a database's own statistics
    #[arg(long, value_name = "SUMMARY", default_value = "histogram")]
    summary: String,
    /// Records of a sample (default: 10000)
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The seed of the sample (default: 1)
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// What a scheme must promise: a probability, or that few records are expected in failing groups (default: the latter where records may be suppressed)
    #[arg(long, value_name = "RULE")]
    by: Option<PruningRule>,
    /// The least probability (0.8), or the most records expected (default: as many as may be suppressed)
    #[arg(long, value_name = "X")]
    threshold: Option<f64>,
    /// How probabilities are computed: normal, bonferroni or hybrid
    #[arg(long, value_name = "HOW", default_value = "normal")]
    predictor: Predictor,
    /// Shortcuts not to take: hybrid, expo, sd-cut, limit, max
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    without: Vec<Shortcut>,
    /// Stop after this many scans
    #[arg(long, value_name = "N")]
    max_scans: Option<usize>,
    /// Report the best found within this many seconds from the start; no scan begins after them
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,
    /// Count every scheme as well, and report the exact optimum
    #[arg(long)]
    compare: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum PruningRule {
    Probability,
    Expectation,
}

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum Shortcut {
    Hybrid,
    Expo,
    SdCut,
    Limit,
    Max,
}

impl InstantArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let limit = self.time_limit;
        let end = limit.and_then(|limit| std::time::Instant::now().checked_add(limit));
        let bar = WorkBar::default();
        let timed = CancelAt::new(&bar, end);
        match self.find(&bar, &timed, &WithDeadline::at(&bar, end)) {
            Err(error) if timed.has_ended() && is_cancelled(&error) => self.out_of_time(),
            found => found,
        }
    }

    /// Summarizes the data in time, or not at all; then reports what is found in time.
    fn find(
        &self,
        bar: &WorkBar,
        timed: &CancelAt<'_>,
        finding: &WithDeadline<'_>,
    ) -> anyhow::Result<Output> {
        let project = Project::open(&self.project.project)?;
        let common = self.project.options(bar);
        let options = InstantOptions {
            qi: common.qi.clone(),
            summary: self.summary.clone(),
            sample: self.sample.unwrap_or(10_000),
            seed: self.seed.unwrap_or(1),
            hold_out: 0,
            memory: common.memory,
            progress: timed,
        };
        self.check()?;
        let ask = self.ask(&project)?;
        let mut instant = Instant::open(&project, &ask, &options)?;
        let mut answer = instant.find(&ask, finding)?;
        if self.compare {
            let full = Options { way: Way::Full, ..common };
            answer.optimum = Engine::open(&project, &full)?.optimum(&ask)?;
        }
        let text = if self.project.json { super::json(&answer)? } else { self.words(&answer) };
        let relaxed = answer.relaxations.as_ref().is_some_and(|offers| offers.height.is_some());
        Ok(Output::new(text, answer.scheme.is_none() && !relaxed))
    }

    /// What is reported where the time was over before the summary was complete.
    fn out_of_time(&self) -> anyhow::Result<Output> {
        let text = if self.project.json {
            super::json(&serde_json::json!({ "scheme": null, "stopped": true }))?
        } else {
            "The time was over before the data was summarized.\nRaise --time-limit.\n".to_owned()
        };
        Ok(Output::new(text, true))
    }

    /// Refuses what only matters where a sample is drawn.
    fn check(&self) -> anyhow::Result<()> {
        let draws = find_summary(&self.summary).is_none_or(SummaryKind::draws);
        for (flag, given) in [("--sample", self.sample.is_some()), ("--seed", self.seed.is_some())]
        {
            ensure!(
                draws || !given,
                "{flag} has no effect: {} draws no sample\n    fix: leave it out, or choose another --summary",
                self.summary
            );
        }
        Ok(())
    }

    fn ask(&self, project: &Project) -> anyhow::Result<InstantAsk> {
        let used = |shortcut: Shortcut| !self.without.contains(&shortcut);
        let by = match (self.by, self.threshold) {
            (None, None) => By::Limit,
            (None, Some(x)) if x <= 1.0 => By::Probability(x),
            (Some(PruningRule::Probability), x) => By::Probability(x.unwrap_or(0.8)),
            (_, x) => By::Expectation(x),
        };
        Ok(InstantAsk {
            ask: Ask {
                optimize: self.optimize.clone(),
                top: self.top.map(NonZeroUsize::get),
                relax_height: self.relax_height,
                ..project.with_other_thresholds(&self.request.ask()?)
            },
            by,
            predictor: self.predictor,
            optimizations: Optimizations {
                hybrid: used(Shortcut::Hybrid),
                expo: used(Shortcut::Expo),
                sd_cut: used(Shortcut::SdCut),
                limit: used(Shortcut::Limit),
                max: used(Shortcut::Max),
            },
            max_scans: self.max_scans.unwrap_or(usize::MAX),
        })
    }

    fn words(&self, answer: &InstantAnswer) -> String {
        let plan = &answer.plan;
        let mut text = format!(
            "Summary ({}, {} over the data): about {} records.\n\
             Predicted: {} of {} schemes looked at, {} promise enough{}.\n",
            answer.summary.id,
            counted(answer.summary.scans, "pass").replace("passs", "passes"),
            thousands(answer.summary.records),
            thousands(plan.predicted as u64),
            thousands(plan.schemes as u64),
            thousands(plan.candidates as u64),
            match plan.pruning {
                Pruning::Sound => "",
                Pruning::Heuristic => " (a better one may lie below one that was left out)",
            }
        );
        text += &format!("Counted: {}.\n", counted(answer.scans, "scan"));
        text += &answer.account.as_ref().map_or(String::new(), account);
        if answer.stopped {
            text += "The time was over before all schemes were predicted and enough of them counted: \
                     others may be better. Raise --time-limit.\n";
        }
        let (Some(predicted), Some(attained)) = (&answer.predicted, &answer.attained) else {
            return text + &self.beyond(answer);
        };
        let loss = loss_of(&predicted.loss);
        let mut rows = vec![header(&loss.0)];
        rows.push(vec![
            "predicted".into(),
            attained.scheme.to_string(),
            format!("about {:.1}", predicted.suppressed),
            format!("about {}", loss.1),
            format!("all groups with probability {:.3}", predicted.probability),
        ]);
        rows.push(counted_row("counted", attained));
        rows.extend(answer.runners_up.iter().map(|scheme| counted_row("next", scheme)));
        if let Some(optimum) = &answer.optimum {
            rows.push(vec![
                "optimum".into(),
                optimum.scheme.to_string(),
                suppressed(optimum.suppressed, attained.records),
                loss_of(&optimum.loss).1,
                "by counting every scheme".into(),
            ]);
        }
        format!("{text}\n{}\n{}", table(&rows), self.next_step(&attained.scheme))
    }

    /// What is reported where no candidate within the maximum levels keeps its promise.
    fn beyond(&self, answer: &InstantAnswer) -> String {
        const NO: &str = "No candidate keeps its promise.";
        let Some(offers) = &answer.relaxations else {
            if answer.stopped {
                return String::new();
            }
            return format!(
                "{NO} Allow more suppression, a lower --threshold, or ask the counted lattice: haggle ask.\n"
            );
        };
        let Some(scheme) = &offers.height else {
            let reason = offers.height_reason.as_deref().unwrap_or_default();
            return format!("{NO} Beyond the maximum levels: {reason}.\n");
        };
        let rows = [header(&loss_of(&scheme.loss).0), counted_row("counted", scheme)];
        let next = self.next_step(&scheme.scheme);
        format!("{NO} Beyond the maximum levels:\n\n{}\n{next}", table(&rows))
    }

    fn next_step(&self, scheme: &Scheme) -> String {
        let levels: Vec<String> = scheme.levels().iter().map(ToString::to_string).collect();
        let (command, levels) = (self.project.command("publish"), levels.join(","));
        // Then no group below the scheme is counted, as none was until here.
        let from = (scheme.height() > 0).then(|| format!(" --from-level {levels}"));
        let from = from.unwrap_or_default();
        format!("Nothing is published yet: {command} --scheme {levels}{from} …\n")
    }
}

fn header(measure: &str) -> Vec<String> {
    ["", "scheme", "suppressed", measure, "privacy"].map(String::from).to_vec()
}

fn counted_row(name: &str, scheme: &CountedScheme) -> Vec<String> {
    let (model, value) = scheme.privacy.iter().next().map_or(("", 0.0), |(m, v)| (*m, *v));
    vec![
        name.into(),
        scheme.scheme.to_string(),
        suppressed(scheme.suppressed, scheme.records),
        loss_of(&scheme.loss).1,
        format!("{model} {value}"),
    ]
}

fn suppressed(suppressed: u64, records: u64) -> String {
    format!("{} ({})", thousands(suppressed), percent(suppressed, records))
}

/// The measure and its value.
fn loss_of(loss: &BTreeMap<String, f64>) -> (String, String) {
    let (measure, value) = loss.iter().next().map_or(("", 0.0), |(m, v)| (m.as_str(), *v));
    (measure.to_owned(), if value < 1e6 { format!("{value:.6}") } else { format!("{value:.0}") })
}
