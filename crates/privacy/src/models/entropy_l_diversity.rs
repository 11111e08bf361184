//! Entropy l-diversity: the sensitive values of a group are as hard to guess as l equally frequent
//! ones.
//!
//! Definition: the entropy of a group's sensitive values is at least that of l equally frequent ones.
//! Formula: exp(−Σ p(g,s) ln p(g,s)) ≥ l; l even values pass l. The exponential is taken so that the
//! number negotiated is l itself.
//! Citation: A. Machanavajjhala, J. Gehrke, D. Kifer, "l-diversity: privacy beyond k-anonymity",
//! ICDE 2006.
//!
//! Entropy is concave, so two passing groups pass together; a skewed one may make an even one fail.
//! Closed.

use std::ops::Bound;

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::{MACHANAVAJJHALA, beyond};
use crate::exact::perplexity;
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "entropy-l-diversity",
    title: "entropy l-diversity",
    definition: "In every group the sensitive values have at least the entropy of l equally frequent ones.",
    formula: "exp(- sum over s of p(g,s) ln p(g,s)) >= l",
    citation: MACHANAVAJJHALA,
    example: "Values with shares 1/2, 1/4 and 1/4 have the entropy 1.04 and pass l = 2.8, as hard to guess as 2.83 even ones; three even values pass l = 3.",
    parameters: &[Parameter::number(
        "l",
        "as many even values would be as hard to guess",
        beyond(1.0),
        Bound::Unbounded,
        Some(Passing::AtLeast),
    ).usually(3.0)],
    choices: &[],
    sensitive: true,
    states: &[],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(EntropyLDiversity::of_setting(setting)?)),
};

/// e to the entropy of a group's sensitive values.
#[derive(Debug, Clone)]
pub struct EntropyLDiversity {
    column: Column,
}

impl EntropyLDiversity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let most = setting.facts()?.occurring() as f64;
        let column = setting.column(&[]);
        Ok(Self { column: Column { strongest: most, ..column } })
    }
}

impl Statistic for EntropyLDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        perplexity(group.values.iter().map(|value| value.count))
    }
}
