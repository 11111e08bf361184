//! Random sensitive attributes with everything that can be stated about them, for both sides.

use std::collections::BTreeMap;

use haggle_cube::{Group, Statistic, ValueCount};
use haggle_model::Dictionary;
use haggle_privacy::{
    Arguments, CATALOG, ClassFunction, Facts, Ground, Model, NeverRuleOut, Parameter, Setting,
    Stated, Target,
};
use haggle_testkit::oracle::definitions;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A sensitive attribute of values "0", "10", "20", …: how many records have each, and what is stated.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) values: Vec<String>,
    pub(crate) counts: Vec<u64>,
    pub(crate) order: Vec<usize>,
    /// The parent of each value at level 1; level 2 is the top.
    pub(crate) parents: Vec<usize>,
    /// The categories of each value, as bits; don't-care values have none.
    pub(crate) masks: Vec<u32>,
    pub(crate) never_rule_out: Vec<usize>,
    /// Whether the values that occur in a group should not be ruled out, instead of the named ones.
    pub(crate) occurring: bool,
    pub(crate) classes: Vec<f64>,
    pub(crate) matrix: Vec<Vec<f64>>,
    pub(crate) prior: Option<Vec<f64>>,
}

const CATEGORIES: usize = 4;

/// A sample whose values have these counts.
pub(crate) fn samples(counts: Vec<u64>) -> impl Strategy<Value = Sample> {
    let n = counts.len();
    let prior = proptest::option::of(vec(1_u32..10, n));
    let halves = vec(0_u32..5, n);
    (
        Just((0..n).collect::<Vec<usize>>()).prop_shuffle(),
        vec(0_usize..2, n),
        vec(prop_oneof![1 => Just(0_u32), 4 => 1_u32..1 << CATEGORIES], n),
        any::<Index>(),
        halves,
        vec(vec(1_u32..20, n), n),
        prior,
        any::<bool>(),
    )
        .prop_map(
            move |(order, parents, mut masks, never, halves, distances, prior, occurring)| {
                masks[n - 1] = 0; // so that there is a don't-care set
                let mut class = 0.0;
                let classes = halves.iter().map(|half| {
                    class += f64::from(*half) / 2.0;
                    class
                });
                let distance = |i: usize, j: usize| {
                    if i == j { 0.0 } else { f64::from(distances[i.min(j)][i.max(j)]) / 10.0 }
                };
                let prior = prior.map(|parts| {
                    let sum: u32 = parts.iter().sum();
                    parts.iter().map(|part| f64::from(*part) / f64::from(sum)).collect()
                });
                Sample {
                    values: (0..n).map(|i| (10 * i).to_string()).collect(),
                    counts: counts.clone(),
                    order,
                    parents,
                    masks,
                    never_rule_out: vec![never.index(n)],
                    occurring,
                    classes: classes.collect(),
                    matrix: (0..n).map(|i| (0..n).map(|j| distance(i, j)).collect()).collect(),
                    prior,
                }
            },
        )
}

impl Sample {
    fn members(&self, keep: impl Fn(u32) -> bool) -> Vec<String> {
        let kept = self.values.iter().zip(&self.masks).filter(|(_, mask)| keep(**mask));
        kept.map(|(value, _)| value.clone()).collect()
    }

    fn categories(&self) -> Vec<(String, Vec<String>)> {
        let category = |i: usize| (format!("c{i}"), self.members(|mask| mask >> i & 1 == 1));
        (0..CATEGORIES).map(category).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(value, parent): (&String, &usize)| {
            vec![value.clone(), format!("p{parent}"), "*".to_owned()]
        };
        self.values.iter().zip(&self.parents).map(row).collect()
    }

    fn named(&self, codes: &[usize]) -> Vec<String> {
        codes.iter().map(|&code| self.values[code].clone()).collect()
    }

    /// The input of the product.
    pub(crate) fn facts(&self) -> Facts {
        let number = |value: &String| value.parse::<f64>().unwrap();
        let points = self.values.iter().map(number).zip(self.classes.clone());
        let points = points.chain([(1e6, 1e6)]).collect();
        let stated = Stated {
            order: Some(self.named(&self.order)),
            hierarchy: Some(self.rows()),
            categories: self.categories(),
            dont_care: self.members(|mask| mask == 0).into(),
            never_rule_out: if self.occurring {
                NeverRuleOut::occurring()
            } else {
                self.named(&self.never_rule_out).into()
            },
            class_function: Some(ClassFunction::Points(points)),
            distance: None,
            matrix: Some(Ground { values: self.values.clone(), rows: self.matrix.clone() }),
            prior: self
                .prior
                .as_ref()
                .map(|prior| self.values.iter().cloned().zip(prior.clone()).collect()),
            ..Stated::default()
        };
        let boxed: Vec<Box<str>> = self.values.iter().map(|v| v.as_str().into()).collect();
        let values = Dictionary::from(boxed);
        let target = Target { position: 0, name: "s".into() };
        Facts::new(target, values, self.counts.clone(), &stated).unwrap()
    }

    /// The input of the definitions.
    pub(crate) fn stated(&self) -> definitions::Stated {
        let pairs = |i: usize| (0..self.values.len()).map(move |j| (i, j));
        let pairs = (0..self.values.len()).flat_map(pairs);
        definitions::Stated {
            order: self.named(&self.order),
            hierarchy: self.rows(),
            categories: self.categories(),
            dont_care: self.members(|mask| mask == 0),
            never_rule_out: self.named(&self.never_rule_out),
            occurring: self.occurring,
            class_function: self.values.iter().cloned().zip(self.classes.clone()).collect(),
            matrix: pairs
                .map(|(i, j)| ((self.values[i].clone(), self.values[j].clone()), self.matrix[i][j]))
                .collect(),
            prior: self
                .prior
                .as_ref()
                .map(|prior| self.values.iter().cloned().zip(prior.clone()).collect()),
        }
    }

    /// The values of records with these counts.
    pub(crate) fn records(&self, counts: &[u64]) -> Vec<&str> {
        let repeated = self.values.iter().zip(counts);
        repeated.flat_map(|(v, &n)| std::iter::repeat_n(v.as_str(), n as usize)).collect()
    }
}

/// The records of a group as the product sees them.
pub(crate) fn with_group<T>(counts: &[u64], look: impl FnOnce(&Group<'_>) -> T) -> T {
    let values: Vec<ValueCount> = (0..)
        .zip(counts)
        .filter(|(_, count)| **count > 0)
        .map(|(code, &count)| ValueCount { code, count })
        .collect();
    look(&Group { records: counts.iter().sum(), values: &values })
}

/// The arguments of a model.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) model: &'static Model,
    pub(crate) arguments: Arguments,
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.model.id, self.arguments)
    }
}

/// Numbers worth testing: some are met exactly by small groups.
fn numbers(parameter: &'static Parameter) -> Vec<f64> {
    match parameter.name {
        // There are four categories and at most five values.
        "l" if parameter.whole => vec![2.0, 3.0, 4.0, 6.0],
        "l" => vec![1.5, 2.0, 2.5, 3.0],
        "k" => vec![2.0, 3.0, 5.0],
        "level" => vec![0.0, 1.0, 2.0],
        "c" | "c1" => vec![0.5, 1.0, 1.5, 2.0, 3.0, 7.0],
        "c2" | "epsilon" => vec![0.05, 0.1, 0.2, 0.25],
        "t" => vec![0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7],
        "beta" => vec![0.2, 0.5, 1.0, 2.0],
        "delta" => vec![0.1, 0.3, 0.5, 0.7, 0.9],
        "alpha" | "d" => vec![0.3, 0.4, 0.5, 0.6, 0.75],
        "mu" => vec![0.1, 0.2, 0.25, 0.4],
        "r" => vec![0.0, 0.5, 1.0, 1.5, 2.5],
        "rho1" => vec![0.1, 0.2, 0.3],
        "rho2" => vec![0.4, 0.5, 0.75],
        "least" => vec![0.05, 0.2, 0.4, 0.7],
        "most" => vec![0.75, 1.0, 2.0],
        "width" => vec![0.3, 0.5, 1.0, 2.0],
        other => panic!("which numbers of {other} are worth asking for?"),
    }
}

pub(crate) fn asked_of(model: &'static Model) -> impl Strategy<Value = Asked> {
    let given = |p: &'static Parameter| {
        let some = select(numbers(p)).prop_map(Some);
        if p.optional { prop_oneof![some, Just(None)].boxed() } else { some.boxed() }
    };
    let numbers: Vec<_> = model.parameters.iter().map(given).collect();
    let exact = |option: &&&str| **option != "bounds"; // bounds are tested on their own
    let choices = model.choices.iter();
    let choices = choices.map(|c| c.options.iter().filter(exact).copied().collect::<Vec<_>>());
    let choices: Vec<_> = choices.map(select).collect();
    (numbers, choices).prop_map(move |(numbers, choices)| {
        let numbers = model.parameters.iter().zip(numbers);
        Asked {
            model,
            arguments: Arguments {
                numbers: numbers.filter_map(|(p, n)| Some((p.name, n?))).collect(),
                choices: model.choices.iter().map(|c| c.name).zip(choices).collect(),
            },
        }
    })
}

/// Any model, with random arguments.
pub(crate) fn asked() -> impl Strategy<Value = Asked> {
    (0..CATALOG.len()).prop_flat_map(|i| asked_of(CATALOG[i]))
}

impl Asked {
    /// Returns the numbers that can be negotiated, with their arguments.
    pub(crate) fn negotiated(&self) -> Vec<(&'static Parameter, f64)> {
        let given = self.model.negotiated();
        given.filter_map(|p| Some((p, *self.arguments.numbers.get(p.name)?))).collect()
    }

    /// Returns the product's statistic of one of the numbers; none if others are out of reach.
    pub(crate) fn any_statistic(
        &self,
        facts: &Facts,
        negotiated: &'static Parameter,
    ) -> Option<Box<dyn Statistic>> {
        let (model, arguments) = (self.model, &self.arguments);
        let facts = model.sensitive.then_some(facts);
        let setting = Setting { model, negotiated, arguments, facts, unit: None };
        setting.statistic().ok()
    }

    /// Returns the product's statistic of one of the numbers; none if the arguments are out of
    /// reach.
    pub(crate) fn statistic(
        &self,
        facts: &Facts,
        negotiated: &'static Parameter,
    ) -> Option<Box<dyn Statistic>> {
        let statistic = self.any_statistic(facts, negotiated)?;
        let (column, value) = (statistic.column(), self.arguments.numbers[negotiated.name]);
        let reached = column.comparison.by_strength(value, column.strongest).is_le();
        reached.then_some(statistic)
    }

    /// Returns the parameters for the definitions, with one number replaced.
    pub(crate) fn parameters(&self, replaced: Option<(&str, f64)>) -> definitions::Parameters {
        let mut numbers: BTreeMap<String, f64> =
            self.arguments.numbers.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
        numbers.extend(replaced.map(|(name, number)| (name.to_owned(), number)));
        let choices = self.arguments.choices.iter();
        let choices = choices.map(|(name, word)| ((*name).to_owned(), (*word).to_owned()));
        definitions::Parameters { numbers, choices: choices.collect() }
    }
}
