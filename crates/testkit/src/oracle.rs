//! Brute force on records: every group of every scheme from the records' strings, every answer by
//! full enumeration and sorting.

use std::collections::{BTreeMap, BTreeSet};

use crate::Table;

mod answer;
pub mod definitions;
mod judged;
pub mod losses;
mod paths;
pub mod poka;

pub use answer::{Answer, Offer, Relaxed, Request};
pub use judged::{Bin, Cost, Judged};
pub use paths::full_paths;

/// The records that look alike under a scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'a> {
    /// What they look like.
    pub labels: Vec<&'a str>,
    /// The sensitive values of each record.
    pub members: Vec<&'a [String]>,
}

impl Group<'_> {
    /// How many records have each value of a sensitive attribute.
    pub fn counts(&self, sensitive: usize) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        for member in &self.members {
            *counts.entry(member[sensitive].as_str()).or_default() += 1;
        }
        counts
    }
}

/// Which statistics protect better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stronger {
    /// A group passes if its statistic is at least the threshold.
    Larger,
    /// A group passes if its statistic is at most the threshold.
    Smaller,
}

/// Which thresholds a privacy relaxation may offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thresholds {
    /// Whole numbers up to the number of records.
    Whole,
    /// Any statistic that a group has under the maximum levels.
    Occurring,
}

/// A privacy model, computed from a group's records.
pub struct Measure {
    /// The statistic of a group.
    pub of: Box<dyn Fn(&Group<'_>) -> f64 + Sync>,
    /// Which statistics protect better.
    pub stronger: Stronger,
    /// The weakest threshold that protects any record.
    pub weakest: f64,
    /// Which thresholds a privacy relaxation may offer.
    pub thresholds: Thresholds,
}

impl Measure {
    /// k-anonymity: how many records there are.
    pub fn size() -> Self {
        Self::whole(|group| group.members.len() as f64)
    }

    /// Distinct l-diversity: how many different values of a sensitive attribute there are.
    pub fn distinct(sensitive: usize) -> Self {
        Self::whole(move |group| {
            let values: BTreeSet<_> =
                group.members.iter().map(|member| &member[sensitive]).collect();
            values.len() as f64
        })
    }

    fn whole(of: impl Fn(&Group<'_>) -> f64 + Sync + 'static) -> Self {
        Self {
            of: Box::new(of),
            stronger: Stronger::Larger,
            weakest: 2.0,
            thresholds: Thresholds::Whole,
        }
    }
}

/// A table whose records can be grouped by any scheme.
///
/// ```
/// use haggle_testkit::oracle::Oracle;
/// use haggle_testkit::published;
///
/// let table = published::philosophers();
/// let oracle = Oracle::of(&table);
/// assert_eq!(oracle.schemes().len(), 5 * 4 * 5);
/// let sizes: Vec<usize> = oracle.groups(&[1, 1, 3]).iter().map(|g| g.members.len()).collect();
/// assert_eq!(sizes, [3, 3, 4]);
/// ```
#[derive(Debug)]
pub struct Oracle<'a> {
    tops: Vec<u8>,
    /// For each record, the full path of each quasi-identifier's value, and the sensitive values.
    records: Vec<(Vec<Vec<String>>, &'a [String])>,
}

impl<'a> Oracle<'a> {
    /// The oracle of a table whose hierarchies are sound and cover its records.
    pub fn of(table: &'a Table) -> Self {
        let hierarchies: Vec<BTreeMap<String, Vec<String>>> = table
            .attributes
            .iter()
            .map(|attribute| full_paths(&attribute.rows).expect("the hierarchy is sound"))
            .collect();
        let top = |paths: &BTreeMap<_, Vec<String>>| {
            paths.values().next().map_or(0, |path| path.len() as u8 - 1)
        };
        let split = |record: &'a Vec<String>| {
            let (values, sensitive) = record.split_at(hierarchies.len());
            let paths = values.iter().zip(&hierarchies).map(|(value, paths)| paths[value].clone());
            (paths.collect(), sensitive)
        };
        Self {
            tops: hierarchies.iter().map(top).collect(),
            records: table.records.iter().map(split).collect(),
        }
    }

    /// The top level of each quasi-identifier.
    pub fn tops(&self) -> &[u8] {
        &self.tops
    }

    /// Every scheme, by counting with one digit for each quasi-identifier.
    pub fn schemes(&self) -> Vec<Vec<u8>> {
        let mut schemes = vec![Vec::new()];
        for &top in &self.tops {
            schemes = schemes
                .into_iter()
                .flat_map(|scheme: Vec<u8>| {
                    (0..=top).map(move |level| [&scheme[..], &[level]].concat())
                })
                .collect();
        }
        schemes
    }

    /// The groups of a scheme, in the order of their labels.
    pub fn groups(&self, levels: &[u8]) -> Vec<Group<'_>> {
        let mut groups: BTreeMap<Vec<&str>, Vec<&[String]>> = BTreeMap::new();
        for (paths, sensitive) in &self.records {
            let look = paths.iter().zip(levels).map(|(path, &level)| path[level as usize].as_str());
            groups.entry(look.collect()).or_default().push(sensitive);
        }
        groups.into_iter().map(|(labels, members)| Group { labels, members }).collect()
    }

    /// Every scheme's groups through a measure.
    pub fn judge(&self, measure: &Measure) -> Judged {
        self.judge_all([measure]).remove(0)
    }

    /// Every scheme's groups through several measures, grouping the records once.
    pub fn judge_all<'m>(&self, measures: impl IntoIterator<Item = &'m Measure>) -> Vec<Judged> {
        let measures: Vec<&Measure> = measures.into_iter().collect();
        let mut judged: Vec<Judged> = measures
            .iter()
            .map(|measure| Judged::new(measure, &self.tops, self.records.len()))
            .collect();
        for levels in self.schemes() {
            let groups = self.groups(&levels);
            for (measure, judged) in measures.iter().zip(&mut judged) {
                let judgement = |group| ((measure.of)(group), group.members.len() as u64);
                judged.add(levels.clone(), groups.iter().map(judgement).collect());
            }
        }
        judged
    }
}
