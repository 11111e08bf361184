//! `haggle utility`: what an analyst can still do with a scheme.

use anyhow::bail;
use clap::Args;
use haggle::Scheme;
use haggle::utility::{BeforeAfter, ModelsUtility, RulesUtility, UtilityAsk, UtilityReport};

use crate::Output;
use crate::args::{Opening, OptimizeArgs, ProjectArgs, RequestArgs};
use crate::text::{counted, percent, table, thousands};

/// What an analyst can still do with a scheme: summaries, associations, models on held-out records, rules
#[derive(Debug, Args)]
pub(crate) struct UtilityArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    request: RequestArgs,
    #[command(flatten)]
    optimize: OptimizeArgs,
    /// The scheme, such as 1,0,1 (default: the answer to the request)
    #[arg(long, value_name = "SCHEME")]
    scheme: Option<Scheme>,
    /// The strategy whose recoding is examined, such as mondrian, instead of a scheme
    #[arg(long, value_name = "NAME", conflicts_with = "scheme")]
    strategy: Option<String>,
    #[command(flatten)]
    mining: MiningArgs,
}

/// What is predicted, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct MiningArgs {
    /// The column that models predict and rules imply (default: the first sensitive attribute)
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// The share of records that are held out before the scheme is chosen
    #[arg(long, value_name = "SHARE", default_value_t = UtilityAsk::default().held_out)]
    held_out: f64,
    /// Another seed holds out other records
    #[arg(long, value_name = "SEED", default_value_t = UtilityAsk::default().seed)]
    seed: u64,
    /// The least share of all records that a rule holds for
    #[arg(long, value_name = "SHARE", default_value_t = UtilityAsk::default().support)]
    support: f64,
    /// The least share of the class among the records that a rule is about
    #[arg(long, value_name = "SHARE", default_value_t = UtilityAsk::default().confidence)]
    confidence: f64,
    /// At most this many values imply a class
    #[arg(long, value_name = "N", default_value_t = UtilityAsk::default().rule_length)]
    rule_length: usize,
}

impl MiningArgs {
    pub(crate) fn ask(&self, scheme: Option<Scheme>) -> UtilityAsk {
        let Self { target, held_out, seed, support, confidence, rule_length } = self.clone();
        UtilityAsk {
            scheme,
            strategy: None,
            target,
            held_out,
            seed,
            support,
            confidence,
            rule_length,
        }
    }
}

impl UtilityArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        self.check()?;
        let engine = self.project.engine_by(&Opening::default())?;
        let ask = haggle::Ask { optimize: self.optimize.optimize.clone(), ..self.request.ask()? };
        let ask = engine.with_other_thresholds(&ask);
        let asked = self.mining.ask(self.scheme.clone());
        let asked = UtilityAsk { strategy: self.strategy.clone(), ..asked };
        let report = ProjectArgs::answer(&engine, &ask, asked)?;
        self.check_limit(&report)?;
        Ok(if self.project.json { super::json(&report)? } else { words(&report) }.into())
    }
}

impl UtilityArgs {
    /// Refuses what would have no effect.
    fn check(&self) -> anyhow::Result<()> {
        let given = [
            ("--levels", self.request.levels.is_some()),
            ("--optimize", self.optimize.optimize.is_some()),
        ];
        let idle = given.iter().find(|(_, given)| *given && self.scheme.is_some());
        if let Some((option, _)) = idle {
            bail!(
                "{option} has no effect on a scheme that is named\n    fix: leave out one of the two"
            );
        }
        Ok(())
    }

    /// Refuses a named scheme that suppresses more than may be.
    fn check_limit(&self, report: &UtilityReport) -> anyhow::Result<()> {
        let limit = self.request.max_suppressed.filter(|_| self.scheme.is_some());
        let limit = limit.map(|limit| limit.of(report.records));
        if let Some(limit) = limit.filter(|limit| report.suppressed > *limit) {
            let suppressed = counted(report.suppressed, "record");
            bail!(
                "the scheme suppresses {suppressed}, and at most {limit} may be\n    fix: allow \
                 more, or name another scheme"
            );
        }
        Ok(())
    }
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn words(report: &UtilityReport) -> String {
    let mut text = format!(
        "{} under {}, {} suppressed ({}).\n\nAttributes, before and after:\n\n",
        counted(report.records, "record"),
        recoding(report),
        thousands(report.suppressed),
        percent(report.suppressed, report.records),
    );
    let mut rows = vec![row(&["attribute", "values", "", "entropy (bits)", ""])];
    rows.extend(report.attributes.iter().map(|one| {
        let [v, w] = both(one.values, 0);
        let [e, f] = both(one.entropy, 3);
        row(&[&one.attribute, &v, &w, &e, &f])
    }));
    text += &table(&rows);
    text += "\nAssociation of pairs, before and after:\n\n";
    let mut rows = vec![row(&["pair", "Cramér's V", "", "mutual information (bits)", ""])];
    rows.extend(report.pairs.iter().map(|pair| {
        let [v, w] = both(pair.cramers_v, 3);
        let [m, n] = both(pair.mutual_information, 3);
        row(&[&pair.attributes.join(", "), &v, &w, &m, &n])
    }));
    text += &table(&rows);
    text += &match (&report.models, &report.models_reason) {
        (Some(models), _) => models_words(models, &report.target),
        (None, reason) => {
            format!("\nNo models: {}.\n", reason.as_deref().unwrap_or("there are none"))
        }
    };
    text += &match (&report.rules, &report.rules_reason) {
        (Some(rules), _) => rules_words(rules, &report.target),
        (None, reason) => {
            format!("\nRules are not compared: {}.\n", reason.as_deref().unwrap_or_default())
        }
    };
    text
}

/// What is examined: a scheme, or what a strategy found.
fn recoding(report: &UtilityReport) -> String {
    match (&report.scheme, &report.strategy) {
        (Some(scheme), None) => scheme.to_string(),
        (Some(scheme), Some(strategy)) => format!("{scheme} (by {strategy})"),
        (None, strategy) => format!("the recoding of {}", strategy.as_deref().unwrap_or_default()),
    }
}

fn both(pair: BeforeAfter, digits: usize) -> [String; 2] {
    [pair.before, pair.after].map(|number| format!("{number:.digits$}"))
}

fn models_words(models: &ModelsUtility, target: &str) -> String {
    let chosen = if models.chosen_without_held_out {
        "chosen without the held-out records"
    } else {
        "as named"
    };
    let mut text = format!(
        "\nModels of {target} ({}), trained with {}{} ({chosen}; {} suppressed) and tested with \
         {} held-out original ones:\n\n",
        counted(models.classes.len() as u64, "class").replace("classs", "classes"),
        counted(models.training, "record"),
        models.scheme.as_ref().map_or_else(String::new, |scheme| format!(" under {scheme}")),
        thousands(models.training_suppressed),
        thousands(models.held_out),
    );
    let head = ["model", "accuracy: recorded", "published", "balanced: recorded", "published"];
    let mut rows = vec![row(&head)];
    rows.extend(models.scores.iter().map(|score| {
        let cells = |pair: Option<BeforeAfter>| {
            pair.map_or([String::new(), String::new()], |pair| both(pair, 4))
        };
        let ([a, b], [c, d]) = (cells(score.accuracy), cells(score.balanced_accuracy));
        let a = score.reason.as_ref().map_or(a, |reason| format!("none: {reason}"));
        row(&[score.model, &a, &b, &c, &d])
    }));
    text += &table(&rows);
    if let Some(how) = &models.classes_are {
        text += &format!("\nClasses: {how}.\n");
    }
    text + &format!("\n{}\n", models.encoding)
}

fn rules_words(rules: &RulesUtility, target: &str) -> String {
    let mut text = format!(
        "\nRules that imply {target} (support {}, confidence {}, at most {} values): {} in the table; \
         {} kept, {} kept with more general values, {} lost, {} new.\n",
        rules.support,
        rules.confidence,
        rules.rule_length,
        thousands(rules.before),
        thousands(rules.kept),
        thousands(rules.generalized),
        thousands(rules.lost),
        thousands(rules.new),
    );
    let examples = rules.examples.iter().map(|one| {
        let becomes = one.published.as_deref().unwrap_or("says nothing");
        let outcome = format!("{:?}", one.outcome).to_lowercase();
        row(&[&one.rule, &outcome, becomes])
    });
    let examples: Vec<Vec<String>> = examples.collect();
    if !examples.is_empty() {
        text += &format!("\n{}", table(&examples));
    }
    text
}
