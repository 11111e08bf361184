//! Association rules, by Apriori: values of attributes that imply a class.
//!
//! Agrawal and Srikant: *Fast algorithms for mining association rules* (1994), with the class as the
//! only consequence.

use std::collections::{BTreeMap, BTreeSet};

use super::Cases;

/// Which rules are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleLimits {
    /// The least share of all records that have the values and the class.
    pub support: f64,
    /// The least share of the class among the records with the values.
    pub confidence: f64,
    /// At most this many values imply a class.
    pub longest: usize,
}

/// A value of an attribute.
type Item = (u32, u32);

/// A rule: records with these values have this class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AssociationRule {
    /// Attributes and values, in ascending order.
    pub items: Vec<Item>,
    /// The class.
    pub class: u32,
}

/// The rules of some records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSet {
    /// The rules.
    pub rules: BTreeSet<AssociationRule>,
}

impl RuleSet {
    /// Finds all rules. Values that every record has, and `trivial` ones, are left out.
    ///
    /// ```
    /// use haggle_inference::utility::{Cases, RuleLimits, RuleSet};
    ///
    /// let rows = [([0_u32], 0, 4), ([1], 0, 1), ([1], 1, 5)];
    /// let limits = RuleLimits { support: 0.3, confidence: 0.8, longest: 2 };
    /// let found = RuleSet::mine(&Cases::new(vec![2], 2, rows), &limits, |_| false);
    /// assert_eq!(found.rules.len(), 2);
    /// ```
    pub fn mine(cases: &Cases, limits: &RuleLimits, trivial: impl Fn(Item) -> bool) -> Self {
        let all = cases.records() as f64;
        let enough = |records: u64| records as f64 >= limits.support * all && records > 0;
        let mut frequent: BTreeSet<Vec<Item>> = BTreeSet::new();
        let mut found = Self::default();
        for length in 1..=limits.longest {
            let mut counts: BTreeMap<Vec<Item>, Vec<u64>> = BTreeMap::new();
            for case in cases.iter() {
                let items = (0..).zip(case.values.iter().copied()).filter(|&item| !trivial(item));
                let items: Vec<Item> = items.collect();
                for chosen in combinations(&items, length) {
                    if is_candidate(&chosen, &frequent) {
                        let counts = counts.entry(chosen).or_insert_with(|| vec![0; cases.classes]);
                        counts[case.class as usize] += case.records;
                    }
                }
            }
            counts.retain(|_, counts| counts.iter().any(|&records| enough(records)));
            for (items, counts) in &counts {
                let with: u64 = counts.iter().sum();
                let holds = |records: u64| {
                    enough(records) && records as f64 >= limits.confidence * with as f64
                };
                let classes = (0..).zip(counts).filter(|&(_, &records)| holds(records));
                let rule = |(class, _)| AssociationRule { items: items.clone(), class };
                found.rules.extend(classes.map(rule));
            }
            frequent = counts.into_keys().collect();
        }
        found
    }
}

/// Whether all parts of a combination were frequent enough; single values always are.
fn is_candidate(items: &[Item], frequent: &BTreeSet<Vec<Item>>) -> bool {
    items.len() == 1
        || (0..items.len()).all(|left_out| {
            let mut part = items.to_vec();
            part.remove(left_out);
            frequent.contains(&part)
        })
}

/// All selections of this many items, in order.
fn combinations(items: &[Item], length: usize) -> Vec<Vec<Item>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (position, &first) in items.iter().enumerate() {
        for mut rest in combinations(&items[position + 1..], length - 1) {
            rest.insert(0, first);
            found.push(rest);
        }
    }
    found
}
