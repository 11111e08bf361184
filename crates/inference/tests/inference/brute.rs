//! Queries by enumeration: every combination of every published record, as strings.

use std::collections::{BTreeMap, BTreeSet};

use haggle_testkit::Table;
use haggle_testkit::oracle::full_paths;

/// The recorded values that a published value may stand for.
pub(crate) type Values = BTreeSet<String>;

/// A condition that evaluates itself on the values of a record.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    Named(usize, String),
    In(usize, Vec<String>),
    Below(usize, f64, bool),
    Above(usize, f64, bool),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

impl Test {
    pub(crate) fn text(&self, names: &[String]) -> String {
        let name = |column: &usize| format!("\"{}\"", names[*column]);
        match self {
            Self::Named(column, value) => format!("{} = '{value}'", name(column)),
            Self::In(column, values) => format!("{} in ({})", name(column), values.join(", ")),
            Self::Below(column, end, with) => {
                format!("{} {} {end}", name(column), if *with { "<=" } else { "<" })
            }
            Self::Above(column, end, with) => {
                format!("{} {} {end}", name(column), if *with { ">=" } else { ">" })
            }
            Self::Not(one) => format!("not ({})", one.text(names)),
            Self::And(a, b) => format!("({}) and ({})", a.text(names), b.text(names)),
            Self::Or(a, b) => format!("({}) or ({})", a.text(names), b.text(names)),
        }
    }

    fn holds(&self, brute: &Brute<'_>, record: &[&str]) -> bool {
        let number = |column: usize| record[column].parse::<f64>();
        match self {
            Self::Named(column, value) => brute.is_below(*column, record[*column], value),
            Self::In(column, values) => {
                values.iter().any(|value| brute.is_below(*column, record[*column], value))
            }
            Self::Below(column, end, with) => {
                number(*column).is_ok_and(|n| if *with { n <= *end } else { n < *end })
            }
            Self::Above(column, end, with) => {
                number(*column).is_ok_and(|n| if *with { n >= *end } else { n > *end })
            }
            Self::Not(one) => !one.holds(brute, record),
            Self::And(a, b) => a.holds(brute, record) && b.holds(brute, record),
            Self::Or(a, b) => a.holds(brute, record) || b.holds(brute, record),
        }
    }
}

/// A published record: its value sets, or none if it is starred, and its sensitive value.
#[derive(Debug, Clone)]
pub(crate) struct Published {
    pub(crate) sides: Option<Vec<Values>>,
    pub(crate) sensitive: String,
}

/// Records by the value of the target.
pub(crate) type Answer = (f64, BTreeMap<String, f64>);

/// All four answers, and the groups that satisfy the condition fully and partially.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) truth: Answer,
    pub(crate) non_corrected: Answer,
    pub(crate) corrected: Answer,
    pub(crate) independent: Answer,
    pub(crate) groups: (u64, u64),
}

/// A table of one sensitive attribute.
pub(crate) struct Brute<'a> {
    table: &'a Table,
    paths: Vec<BTreeMap<String, Vec<String>>>,
    /// By attribute, how many records have each value.
    marginals: Vec<BTreeMap<&'a str, f64>>,
}

impl<'a> Brute<'a> {
    pub(crate) fn of(table: &'a Table) -> Self {
        let paths = table.attributes.iter().map(|a| full_paths(&a.rows).unwrap()).collect();
        let marginal = |i: usize| {
            let mut counts = BTreeMap::new();
            for record in &table.records {
                *counts.entry(record[i].as_str()).or_default() += 1.0;
            }
            counts
        };
        let marginals = (0..table.attributes.len()).map(marginal).collect();
        Self { table, paths, marginals }
    }

    /// The prior of an attacker who knows nothing of the table: all values of the hierarchies are
    /// equally likely.
    pub(crate) fn uniform(table: &'a Table, values: &'a [Vec<String>]) -> Self {
        let marginals = values.iter().map(|all| all.iter().map(|v| (v.as_str(), 1.0)).collect());
        Self { marginals: marginals.collect(), ..Self::of(table) }
    }

    /// Whether a recorded value is the one named; if no value is recorded by that name, whether it
    /// lies below the lowest general value of that name.
    fn is_below(&self, column: usize, recorded: &str, name: &str) -> bool {
        let Some(paths) = self.paths.get(column) else { return recorded == name };
        if paths.contains_key(name) {
            return recorded == name;
        }
        let lowest = paths.values().filter_map(|path| path.iter().position(|l| l == name)).min();
        lowest.is_some_and(|level| paths[recorded][level] == name)
    }

    fn combinations(&self) -> Vec<Vec<&'a str>> {
        let mut all: Vec<Vec<&str>> = vec![Vec::new()];
        for marginal in &self.marginals {
            let with = |prefix: Vec<&'a str>| {
                marginal.keys().map(move |value| [prefix.as_slice(), &[*value]].concat())
            };
            all = all.into_iter().flat_map(with).collect();
        }
        all
    }

    /// Answers by enumeration. `target` is the position of a column.
    pub(crate) fn answers(
        &self,
        test: &Test,
        target: usize,
        published: &[Published],
        disjoint: bool,
    ) -> Answers {
        let mut answers = Answers::default();
        let attributes = self.table.attributes.len();
        let mut groups: BTreeMap<Option<&Vec<Values>>, (bool, bool)> = BTreeMap::new();
        for record in &self.table.records {
            let record: Vec<&str> = record.iter().map(String::as_str).collect();
            if test.holds(self, &record) {
                add(&mut answers.truth, record[target], 1.0);
            }
        }
        let holds = |sides: &[Values], values: &[&str]| {
            sides.iter().zip(values).all(|(side, value)| side.contains(*value))
        };
        let elsewhere = |values: &[&str]| {
            published.iter().any(|p| p.sides.as_ref().is_some_and(|sides| holds(sides, values)))
        };
        let mut known: BTreeMap<(Option<&Vec<Values>>, &str), One> = BTreeMap::new();
        for one in published {
            let found = known.entry((one.sides.as_ref(), &one.sensitive)).or_insert_with(|| {
                let inside = |values: &[&str]| match &one.sides {
                    Some(sides) => holds(sides, values),
                    None => !disjoint || !elsewhere(values),
                };
                self.one(test, target, &one.sensitive, inside)
            });
            let group = groups.entry(one.sides.as_ref()).or_insert((true, true));
            *group = (group.0 && found.all, group.1 && !found.any);
            if found.any {
                if target < attributes {
                    let side = |value: &str| {
                        one.sides.as_ref().is_none_or(|sides| sides[target].contains(value))
                    };
                    let inside = self.marginals[target].iter().filter(|(v, _)| side(v));
                    let all: f64 = inside.clone().map(|(_, n)| n).sum();
                    for (value, n) in inside {
                        add(&mut answers.non_corrected, value, n / all);
                    }
                } else {
                    add(&mut answers.non_corrected, &one.sensitive, 1.0);
                }
            }
            for (value, p) in &found.corrected {
                add(&mut answers.corrected, value, *p);
            }
            for (value, p) in &found.independent {
                add(&mut answers.independent, value, *p);
            }
        }
        for (all, none) in groups.values() {
            answers.groups.0 += u64::from(*all && !none);
            answers.groups.1 += u64::from(!all && !none);
        }
        answers
    }

    fn one(
        &self,
        test: &Test,
        target: usize,
        sensitive: &str,
        inside: impl Fn(&[&str]) -> bool,
    ) -> One {
        let mut one = One { all: true, any: false, ..One::default() };
        let mut weight = 0.0;
        for values in self.combinations().into_iter().filter(|values| inside(values)) {
            let record = [values.as_slice(), &[sensitive]].concat();
            let w: f64 = values.iter().zip(&self.marginals).map(|(v, m)| m[v]).product();
            weight += w;
            let holds = test.holds(self, &record);
            (one.all, one.any) = (one.all && holds, one.any || holds);
            if holds {
                *one.independent.entry(record[target].into()).or_default() += w;
            }
        }
        one.independent.values_mut().for_each(|p| *p /= weight);
        let mut joint = 0.0;
        for record in &self.table.records {
            let mut record: Vec<&str> = record.iter().map(String::as_str).collect();
            let attributes = self.table.attributes.len();
            if inside(&record[..attributes]) {
                joint += 1.0;
                record[attributes] = sensitive;
                if test.holds(self, &record) {
                    *one.corrected.entry(record[target].into()).or_default() += 1.0;
                }
            }
        }
        one.corrected.values_mut().for_each(|p| *p /= joint);
        one
    }
}

/// What one published record contributes.
#[derive(Debug, Default)]
struct One {
    all: bool,
    any: bool,
    corrected: BTreeMap<String, f64>,
    independent: BTreeMap<String, f64>,
}

fn add(answer: &mut Answer, value: &str, records: f64) {
    answer.0 += records;
    *answer.1.entry(value.into()).or_default() += records;
}
