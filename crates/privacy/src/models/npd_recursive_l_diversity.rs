//! Negative/positive-disclosure recursive (c₁,c₂,l)-diversity: no value dominates a group, and none
//! is ruled out.
//!
//! Definition: a group passes if it is positive-disclosure recursive (c₁,l)-diverse and every value
//! of a named set W (`never_rule_out` in the project) has a share of at least c₂ in it. Formula:
//! that of the former, and n(g,w) ≥ c₂ · n(g) for each w of W. Citation: A. Machanavajjhala, J.
//! Gehrke, D. Kifer, "l-diversity: privacy beyond k-anonymity", ICDE 2006; S.-Y. Hsu, 2008,
//! definition 3.3.5, requires a share of the least frequent value that occurs in the group, which an
//! absent value evades: that is `never_rule_out = "occurring"`.
//!
//! With a named set both conditions are closed, and so is the model. Over the values that occur,
//! two passing groups may fail together, when a value of one becomes rare in both: free.

use std::ops::Bound;

use haggle_cube::{Column, Group, Merging, Passing, Statistic};

use super::pd_recursive_l_diversity::{dont_care, quotient};
use super::recursion::{Reach, Recursion, hopeless};
use super::{BOUND, MACHANAVAJJHALA, beyond, from};
use crate::exact::share;
use crate::{Error, Model, Parameter, Possible, Setting};

pub(super) const MODEL: Model = Model {
    id: "npd-recursive-l-diversity",
    title: "negative/positive-disclosure recursive (c1,c2,l)-diversity",
    definition: "Every group is positive-disclosure recursive (c1,l)-diverse, and each value that should never be ruled out (named by the project, or each that occurs in the group) has a share of at least c2.",
    formula: "r_y < c1 * (n - r_y - the l - 2 largest other counts), and n(g,w) >= c2 * n for every w of never_rule_out, or for every w that occurs",
    citation: MACHANAVAJJHALA,
    example: "Six colds (in the don't-care set), two cancers and two flus pass (0.3, c2, 2) for c2 up to 0.2 if neither cancer nor flu should ever be ruled out; so they do with never_rule_out = \"occurring\", as would a group without flu.",
    parameters: &[
        Parameter::count(
            "l",
            "how many values must be ruled out before one that matters becomes likely",
        ),
        Parameter::number(
            "c1",
            "the most frequent value that matters has fewer records than c1 times the rest",
            beyond(0.0),
            Bound::Unbounded,
            Some(Passing::Below),
        )
        .usually(2.0),
        Parameter::number(
            "c2",
            "the least share of each value that should never be ruled out",
            beyond(0.0),
            from(1.0),
            Some(Passing::AtLeast),
        )
        .usually(0.01),
    ],
    choices: &[BOUND],
    sensitive: true,
    states: &["dont_care", "never_rule_out"],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(NpdRecursiveLDiversity::of_setting(setting)?)),
};

/// The quotient or the l of the positive side if the negative side passes; or the least share.
#[derive(Debug, Clone)]
pub struct NpdRecursiveLDiversity {
    column: Column,
    recursion: Recursion,
    dont_care: Vec<bool>,
    possible: Possible,
    side_of_c: Passing,
    negotiates: Side,
}

/// Which side the statistic is of; the other is a condition.
#[derive(Debug, Clone, Copy)]
enum Side {
    Positive { c2: f64 },
    Negative { c1: f64 },
}

impl NpdRecursiveLDiversity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let reach = Reach { most: facts.occurring(), unlimited: true };
        let possible = Some(&facts.never_rule_out).filter(|p| **p != Possible::Codes(Vec::new()));
        let possible = setting.stated(possible, "never_rule_out", "[\"cancer\"]")?.clone();
        let negotiates = if setting.negotiates("c2") {
            Side::Negative { c1: setting.number("c1")? }
        } else {
            Side::Positive { c2: setting.number("c2")? }
        };
        let column = reach.column(setting, &setting.unusual(&[("bound", "below")]));
        let kind = if possible == Possible::Occurring { Merging::Free } else { column.kind };
        Ok(Self {
            column: Column { kind, ..column },
            recursion: Recursion::new(setting, "c1", setting.side_of_c(), reach)?,
            dont_care: dont_care(setting, facts)?,
            possible,
            side_of_c: setting.side_of_c(),
            negotiates,
        })
    }

    /// The least share of a value that should never be ruled out.
    fn least(&self, group: &Group<'_>) -> f64 {
        let count = |code: u32| {
            let found = group.values.binary_search_by_key(&code, |value| value.code);
            found.map_or(0, |at| group.values[at].count)
        };
        let least = match &self.possible {
            Possible::Codes(codes) => codes.iter().map(|&code| count(code)).min(),
            Possible::Occurring => group.values.iter().map(|value| value.count).min(),
        };
        share(least.unwrap_or(0), group.known())
    }
}

impl Statistic for NpdRecursiveLDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let statistic = quotient(group, &self.dont_care, self.recursion);
        let passing = match (self.negotiates, statistic) {
            (Side::Positive { c2 }, statistic) => statistic.filter(|_| self.least(group) >= c2),
            (Side::Negative { c1 }, Some(quotient)) => {
                self.side_of_c.passes(quotient, c1).then(|| self.least(group))
            }
            (Side::Negative { .. }, None) => None,
        };
        passing.unwrap_or(hopeless(&self.column))
    }
}
