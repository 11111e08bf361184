//! The statements about a sensitive attribute compared with the values that occur.

use haggle_model::{Dictionary, Hierarchy, Problem};

use super::Stated;
use super::class_function::ClassFunction;
use super::conditional::{Conditional, StatedConditional};
use super::distance::Ground;
use super::named_values::{DontCare, NeverRuleOut, Possible};

/// How many values are named in a message.
const NAMED: usize = 5;
/// The valid distances between different values; others could not be added up exactly.
const DISTANCES: std::ops::RangeInclusive<f64> = 1e-9..=1e6;
/// The tolerance of the sum of a prior: its numbers are written with a few decimals.
const PRIOR_SLACK: f64 = 1e-6;
/// As many as there are bits, one of which is for the don't-care set.
const MOST_CATEGORIES: usize = 63;

/// Compares the statements with the values that occur.
pub(super) struct Checks<'a> {
    pub(super) name: String,
    pub(super) values: &'a Dictionary,
    pub(super) problems: Vec<Problem>,
}

impl Checks<'_> {
    fn problem(&mut self, what: impl Into<String>, fix: impl Into<String>) {
        self.problems.push(Problem::new(what).fix(fix.into()));
    }

    /// "'a', 'b' and 3 more"
    fn named<'v>(values: impl Iterator<Item = &'v str>) -> Option<String> {
        let quoted: Vec<String> = values.map(|value| format!("'{value}'")).collect();
        let more = quoted.len().saturating_sub(NAMED);
        let named = quoted.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        match (quoted.is_empty(), more) {
            (true, _) => None,
            (_, 0) => Some(named),
            _ => Some(format!("{named} and {more} more")),
        }
    }

    pub(super) fn ranks(&mut self, order: Option<&[String]>) -> Vec<u32> {
        let Some(order) = order else { return (0..self.values.len() as u32).collect() };
        let rank = |value: &str| order.iter().position(|v| v == value);
        if let Some(named) = Self::named(self.values.values().filter(|v| rank(v).is_none())) {
            let what = format!("the order of '{}' leaves out {named}", self.name);
            self.problem(what, "list every value once, from the lowest to the highest");
        }
        // Positions are those among the values that occur, so that none is skipped.
        let mut present: Vec<(usize, u32)> =
            (0..).zip(self.values.values()).map(|(code, v)| (rank(v).unwrap_or(0), code)).collect();
        present.sort_unstable();
        let mut ranks = vec![0; present.len()];
        for (place, (_, code)) in present.into_iter().enumerate() {
            ranks[code as usize] = place as u32;
        }
        ranks
    }

    pub(super) fn hierarchy(
        &mut self,
        rows: Option<&[Vec<String>]>,
    ) -> Option<(Hierarchy, Vec<u32>)> {
        let hierarchy = match Hierarchy::from_paths(&self.name, rows?) {
            Ok(hierarchy) => hierarchy,
            Err(error) => {
                self.problem(error.to_string(), "correct the attribute's hierarchy");
                return None;
            }
        };
        let codes: Vec<Option<u32>> = self.values.values().map(|v| hierarchy.code(v)).collect();
        let uncovered = self.values.values().zip(&codes).filter(|(_, code)| code.is_none());
        if let Some(named) = Self::named(uncovered.map(|(value, _)| value)) {
            let what = format!("the hierarchy of '{}' leaves out {named}", self.name);
            self.problem(what, "add a row for each");
        }
        let codes = codes.into_iter().collect::<Option<Vec<u32>>>()?;
        Some((hierarchy, codes))
    }

    pub(super) fn dont_care(&mut self, stated: &DontCare, counts: &[u64]) -> Vec<bool> {
        let values: Vec<&str> = self.values.values().collect();
        stated.resolve(&self.name, &values, counts).unwrap_or_else(|problem| {
            self.problems.push(problem);
            vec![false; values.len()]
        })
    }

    pub(super) fn members(&mut self, stated: &Stated, dont_care: &[bool]) -> Vec<u64> {
        let Stated { categories, .. } = stated;
        if categories.len() > MOST_CATEGORIES {
            let what = format!("'{}' has more than {MOST_CATEGORIES} categories", self.name);
            self.problem(what, "join some of them");
            return Vec::new();
        }
        let mask = |value: &str| {
            let holds = |(_, members): &(String, Vec<String>)| members.iter().any(|m| m == value);
            let bits = categories.iter().enumerate().filter(|(_, category)| holds(category));
            bits.fold(0, |mask, (i, _)| mask | 1 << i)
        };
        let known = || self.values.values().zip(dont_care);
        let disclosed = known().filter(|(_, dont_care)| **dont_care).map(|(value, _)| value);
        let named = stated.dont_care.named().iter().map(String::as_str);
        let absent = named.filter(|value| self.values.code(value).is_none());
        let both = disclosed.chain(absent).filter(|value| mask(value) != 0);
        if let Some(named) = Self::named(both) {
            let what = format!("'{}' has {named} in dont_care and in a category", self.name);
            self.problem(what, "keep a value in dont_care or in categories, not in both");
        }
        let nowhere = known().filter(|(v, dont_care)| mask(v) == 0 && !**dont_care).map(|(v, _)| v);
        let nowhere = Self::named(nowhere).filter(|_| !categories.is_empty());
        if let Some(named) = nowhere {
            let what = format!("'{}' has values without a category: {named}", self.name);
            self.problem(what, "put each into a category or into dont_care");
        }
        self.values.values().map(mask).collect()
    }

    pub(super) fn never_rule_out(&mut self, stated: &NeverRuleOut) -> Possible {
        let NeverRuleOut::Values(stated) = stated else { return Possible::Occurring };
        let absent = stated.iter().map(String::as_str).filter(|v| self.values.code(v).is_none());
        if let Some(named) = Self::named(absent) {
            let what =
                format!("never_rule_out of '{}' names {named}, which no record has", self.name);
            self.problem(what, "leave it out, or correct its spelling");
        }
        Possible::Codes(stated.iter().filter_map(|value| self.values.code(value)).collect())
    }

    pub(super) fn classes(
        &mut self,
        function: Option<&ClassFunction>,
        ordered: bool,
        ranks: &[u32],
        counts: &[u64],
    ) -> Option<Vec<f64>> {
        let values: Vec<&str> = self.values.values().collect();
        if function == Some(&ClassFunction::Empirical) && !ordered {
            let what =
                format!("'{}' has values without an order, so classes cannot increase", self.name);
            let fix = "state their order = [\"low\", \"high\"]; or, if a missing value is among \
                       numbers, on_missing = \"drop\" or \"unmatched\"";
            self.problem(what, fix);
            return None;
        }
        match function?.classes(&self.name, &values, ranks, counts) {
            Ok(classes) => Some(classes),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    pub(super) fn matrix(&mut self, ground: Option<&Ground>) -> Option<Vec<f64>> {
        let Ground { values, rows } = ground?;
        let place = |value: &str| values.iter().position(|v| v == value);
        if let Some(named) = Self::named(self.values.values().filter(|v| place(v).is_none())) {
            let what = format!("the distance matrix of '{}' leaves out {named}", self.name);
            self.problem(what, "add a row and a column for each");
            return None;
        }
        let places: Vec<usize> = self.values.values().filter_map(place).collect();
        let distance = |(from, to): (usize, usize)| rows.get(from)?.get(to).copied();
        let pairs = places.iter().flat_map(|&from| places.iter().map(move |&to| (from, to)));
        let sound = |&(from, to): &(usize, usize)| {
            let back = distance((to, from));
            distance((from, to)).is_some_and(|d| {
                Some(d) == back && if from == to { d == 0.0 } else { DISTANCES.contains(&d) }
            })
        };
        let twice = values.iter().enumerate().find(|(i, value)| values[..*i].contains(value));
        if let Some((_, value)) = twice {
            let what = format!("the distance matrix of '{}' names '{value}' twice", self.name);
            self.problem(what, "name each value once");
            return None;
        }
        if !pairs.clone().all(|pair| sound(&pair)) {
            let what = format!("the distance matrix of '{}' has an invalid distance", self.name);
            let fix = "give every two values one distance above 0 and at most 1,000,000, the same \
                       both ways, and 0 from a value to itself";
            self.problem(what, fix);
            return None;
        }
        pairs.map(distance).collect()
    }

    /// Converts numbers that depend on a quasi-identifier, row by row.
    pub(super) fn conditional(
        &mut self,
        stated: Option<&StatedConditional>,
        row: impl Fn(&mut Self, &[(String, f64)]) -> Vec<f64>,
    ) -> Option<Conditional> {
        let StatedConditional { given, rows } = stated?;
        let rows = rows.iter().map(|(label, numbers)| (label.clone(), row(self, numbers)));
        let rows: Vec<_> = rows.collect();
        Some(Conditional { given: given.clone(), rows })
    }

    pub(super) fn prior_row(&mut self, stated: &[(String, f64)]) -> Vec<f64> {
        self.prior(Some(stated)).unwrap_or_default()
    }

    /// The factor of each value; 1 if it is not named.
    pub(super) fn factors(&mut self, stated: &[(String, f64)]) -> Vec<f64> {
        let unknown = stated.iter().filter(|(value, _)| self.values.code(value).is_none());
        if let Some(named) = Self::named(unknown.map(|(value, _)| value.as_str())) {
            let what = format!("alpha of '{}' names {named}, which no record has", self.name);
            self.problem(what, "leave it out, or correct its spelling");
        }
        if !stated.iter().all(|(_, factor)| *factor >= 0.0 && factor.is_finite()) {
            let what = format!("alpha of '{}' has a factor below 0", self.name);
            self.problem(what, "give factors of at least 0; 0 rules a value out");
        }
        let factor = |value: &str| stated.iter().find(|(v, _)| v == value).map_or(1.0, |(_, f)| *f);
        let factors: Vec<f64> = self.values.values().map(factor).collect();
        if !factors.is_empty() && factors.iter().all(|factor| *factor == 0.0) {
            let what = format!("alpha of '{}' rules out every value", self.name);
            self.problem(what, "leave at least one value possible");
        }
        factors
    }

    pub(super) fn prior(&mut self, stated: Option<&[(String, f64)]>) -> Option<Vec<f64>> {
        let stated = stated?;
        let of = |value: &str| stated.iter().find(|(v, _)| v == value).map(|(_, share)| *share);
        if let Some(named) = Self::named(self.values.values().filter(|v| of(v).is_none())) {
            let what = format!("the prior of '{}' leaves out {named}", self.name);
            self.problem(what, "give every value its probability, 0 if need be");
        }
        if stated.iter().any(|(_, share)| !(0.0..=1.0).contains(share)) {
            let what =
                format!("the prior of '{}' has a number that is not a probability", self.name);
            self.problem(what, "give every value a number from 0 to 1");
        }
        let unknown = stated.iter().filter(|(v, s)| *s > 0.0 && self.values.code(v).is_none());
        if let Some(named) = Self::named(unknown.map(|(value, _)| value.as_str())) {
            let what = format!("the prior of '{}' expects {named}, which no record has", self.name);
            self.problem(what, "leave it out or give it 0, and the others the rest");
        }
        let sum: f64 = stated.iter().map(|(_, share)| share).sum();
        if (sum - 1.0).abs() > PRIOR_SLACK {
            let what = format!("the prior of '{}' adds up to {sum}, not to 1", self.name);
            self.problem(what, "give every value its probability; together they make 1");
        }
        self.values.values().map(of).collect()
    }
}
