//! The options of strategies: `s-instant:threshold=0.9,summary=bayes`, `mondrian:tight=true`.

use std::fmt;

use haggle_cube::BoxEnds;
use haggle_instant::SummaryKind;
use haggle_model::Error;

use crate::instant::summary_of;

/// What must be promised of a recoding before it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromiseBy {
    /// The probability that every group passes.
    Probability,
    /// The records expected in groups that fail.
    Expectation,
}

impl PromiseBy {
    fn name(self) -> &'static str {
        match self {
            Self::Probability => "probability",
            Self::Expectation => "expectation",
        }
    }
}

/// The options as they were stated; what is not stated has a default.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StrategyOptions {
    /// The summary of the data.
    pub(crate) summary: Option<&'static SummaryKind>,
    /// The least probability, or the most records expected.
    pub(crate) threshold: Option<f64>,
    /// Which of the two.
    pub(crate) by: Option<PromiseBy>,
    /// Whether the ends of boxes are recorded values.
    tight: Option<bool>,
}

impl StrategyOptions {
    /// Reads options of which these are understood, in any order, each once. The error says what
    /// was wrong with a value; none if an option is not understood.
    pub(super) fn read(text: &str, understood: &[&str]) -> Result<Option<Self>, Error> {
        let mut choice = Self::default();
        for option in text.split(',') {
            let Some((name, value)) = option.trim().split_once('=') else { return Ok(None) };
            if !understood.contains(&name) || !choice.state(name, value)? {
                return Ok(None);
            }
        }
        choice.check(understood.contains(&"by"))?;
        Ok(Some(choice))
    }

    /// Takes one option; false if it is stated twice.
    fn state(&mut self, name: &str, value: &str) -> Result<bool, Error> {
        Ok(match name {
            "summary" => self.summary.replace(summary_of(value)?).is_none(),
            "threshold" => self.threshold.replace(number(value)?).is_none(),
            "tight" => self.tight.replace(yes_or_no(value)?).is_none(),
            _ => self.by.replace(rule(value)?).is_none(),
        })
    }

    /// Returns what the ends of boxes are.
    pub(crate) fn box_ends(&self) -> BoxEnds {
        if self.tight == Some(true) { BoxEnds::Tight } else { BoxEnds::Cuts }
    }

    /// Refuses a probability above 1; where it could also be a number of records, only if it is
    /// stated to be a probability.
    fn check(&self, has_rules: bool) -> Result<(), Error> {
        let is_probability = !has_rules || self.by == Some(PromiseBy::Probability);
        match self.threshold {
            Some(x) if x > 1.0 && is_probability => {
                let what = format!("the threshold {x} is not a probability");
                Err(Error::new(what, "choose a number from 0 to 1, such as 0.95"))
            }
            _ => Ok(()),
        }
    }
}

fn number(text: &str) -> Result<f64, Error> {
    let number = text.parse().ok().filter(|x: &f64| x.is_finite() && *x >= 0.0);
    number.ok_or_else(|| {
        let what = format!("the threshold '{text}' is not a number of at least 0");
        Error::new(what, "write a probability such as 0.95")
    })
}

fn yes_or_no(text: &str) -> Result<bool, Error> {
    match text {
        "true" | "True" => Ok(true),
        "false" | "False" => Ok(false),
        _ => Err(Error::new(format!("tight is true or false, not '{text}'"), "write tight=true")),
    }
}

fn rule(text: &str) -> Result<PromiseBy, Error> {
    let rules = [PromiseBy::Probability, PromiseBy::Expectation];
    rules.into_iter().find(|rule| rule.name() == text).ok_or_else(|| {
        let what = format!("'{text}' is not what a prediction can promise");
        Error::new(what, "choose probability or expectation")
    })
}

impl fmt::Display for StrategyOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary.map(|kind| format!("summary={}", kind.id));
        let threshold = self.threshold.map(|x| format!("threshold={x}"));
        let by = self.by.map(|by| format!("by={}", by.name()));
        let tight = self.tight.filter(|tight| *tight).map(|_| "tight=true".to_owned());
        let stated = summary.into_iter().chain(threshold).chain(by).chain(tight);
        let stated: Vec<String> = stated.collect();
        f.write_str(&stated.join(","))
    }
}
