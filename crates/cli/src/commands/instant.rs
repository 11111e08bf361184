//! `haggle instant`: predicted from a summary, then counted until a promise is kept.

use anyhow::ensure;
use clap::{Args, ValueEnum};
use haggle::catalog::{SummaryKind, find_summary};
use haggle::reports::{By, Firm, InstantAnswer};
use haggle::search::{Instant, InstantAsk, InstantOptions, Optimizations, Predictor, Pruning};
use haggle::{Engine, Project};

use crate::Output;
use crate::args::{ProjectArgs, RequestArgs};
use crate::progress::Bar;
use crate::text::{account, counted, percent, table, thousands};

/// Anonymize from a summary of the data, with one scan or few
#[derive(Debug, Args)]
#[allow(clippy::doc_markdown)] // the help's own words
pub(crate) struct InstantArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    request: RequestArgs,
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
    by: Option<Rule>,
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
    /// Count every scheme as well, and report the exact optimum
    #[arg(long)]
    compare: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum Rule {
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
        let project = Project::open(&self.project.project)?;
        let bar = Bar::default();
        let common = self.project.options(&bar);
        let options = InstantOptions {
            qi: common.qi.clone(),
            summary: self.summary.clone(),
            sample: self.sample.unwrap_or(10_000),
            seed: self.seed.unwrap_or(1),
            hold_out: 0,
            memory: common.memory,
            progress: &bar,
        };
        self.check()?;
        let ask = self.ask(&project)?;
        let mut instant = Instant::open(&project, &ask, &options)?;
        let mut answer = instant.find(&ask)?;
        if self.compare {
            answer.optimum = Engine::open(&project, &common)?.optimum(&ask)?;
        }
        let text = if self.project.json { super::json(&answer)? } else { self.words(&answer) };
        Ok(Output::of(text, answer.scheme.is_none()))
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
            (Some(Rule::Probability), x) => By::Probability(x.unwrap_or(0.8)),
            (_, x) => By::Expectation(x),
        };
        Ok(InstantAsk {
            ask: project.with_other_thresholds(&self.request.ask()?),
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
        let (Some(predicted), Some(attained)) = (&answer.predicted, &answer.attained) else {
            text += "No candidate keeps its promise. Allow more suppression, a lower --threshold, or ask the counted lattice: haggle ask.\n";
            return text;
        };
        let firm = |firm: &Firm| {
            let (model, value) = firm.privacy.iter().next().map_or(("", 0.0), |(m, v)| (*m, *v));
            vec![
                format!(
                    "{} ({})",
                    thousands(firm.suppressed),
                    percent(firm.suppressed, firm.records)
                ),
                format!("{:.6}", firm.loss["lm"]),
                format!("{model} {value}"),
            ]
        };
        let mut rows =
            vec![["", "scheme", "suppressed", "lm", "privacy"].map(String::from).to_vec()];
        rows.push(vec![
            "predicted".into(),
            attained.scheme.to_string(),
            format!("about {:.1}", predicted.suppressed),
            format!("about {:.6}", predicted.loss["lm"]),
            format!("all groups with probability {:.3}", predicted.probability),
        ]);
        rows.push([vec!["counted".into(), attained.scheme.to_string()], firm(attained)].concat());
        if let Some(optimum) = &answer.optimum {
            rows.push(vec![
                "optimum".into(),
                optimum.scheme.to_string(),
                format!(
                    "{} ({})",
                    thousands(optimum.suppressed),
                    percent(optimum.suppressed, attained.records)
                ),
                format!("{:.6}", optimum.loss["lm"]),
                "by counting every scheme".into(),
            ]);
        }
        let scheme: Vec<String> =
            attained.scheme.levels().iter().map(ToString::to_string).collect();
        format!(
            "{text}\n{}\nNothing is published yet: {} --scheme {} …\n",
            table(&rows),
            self.project.command("publish"),
            scheme.join(",")
        )
    }
}
