//! Every scheme's groups with their statistics, and the questions a histogram answers, by counting.

use std::collections::BTreeMap;

use super::{Measure, Stronger, Thresholds};

/// One value of a statistic and the groups that have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The value.
    pub value: f64,
    /// The groups that have it.
    pub groups: u64,
    /// The records in those groups.
    pub records: u64,
    /// The records in groups of weaker values.
    pub weaker: u64,
}

/// What a threshold costs at a height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// The height.
    pub height: u32,
    /// How many schemes have it.
    pub schemes: u64,
    /// The fewest records suppressed by one of them.
    pub least: u64,
    /// The mean over them.
    pub mean: f64,
    /// The most records suppressed by one of them.
    pub most: u64,
}

/// A group's statistic and its records.
type Judgement = (f64, u64);

/// Every scheme of a table, its groups judged by one measure.
#[derive(Debug, Clone)]
pub struct Judged {
    pub(super) tops: Vec<u8>,
    pub(super) records: u64,
    pub(super) stronger: Stronger,
    pub(super) weakest: f64,
    pub(super) thresholds: Thresholds,
    pub(super) schemes: BTreeMap<Vec<u8>, Vec<Judgement>>,
}

impl Judged {
    pub(super) fn new(measure: &Measure, tops: &[u8], records: usize) -> Self {
        let Measure { stronger, weakest, thresholds, .. } = *measure;
        let (tops, records) = (tops.to_vec(), records as u64);
        Self { tops, records, stronger, weakest, thresholds, schemes: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, levels: Vec<u8>, groups: Vec<Judgement>) {
        self.schemes.insert(levels, groups);
    }

    /// Restricts the schemes to these.
    pub fn only(mut self, keep: impl Fn(&[u8]) -> bool) -> Self {
        self.schemes.retain(|levels, _| keep(levels));
        self
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The top level of each quasi-identifier.
    pub fn tops(&self) -> &[u8] {
        &self.tops
    }

    /// Every scheme.
    pub fn schemes(&self) -> impl Iterator<Item = &[u8]> {
        self.schemes.keys().map(Vec::as_slice)
    }

    /// Thresholds worth asking for: every statistic that protects, something stronger than each,
    /// and the weakest threshold.
    pub fn thresholds(&self) -> Vec<f64> {
        let past = |value: f64| match (self.stronger, self.thresholds) {
            (_, Thresholds::Whole) => value + 1.0,
            (Stronger::Larger, Thresholds::Occurring) => value + 1e-6,
            (Stronger::Smaller, Thresholds::Occurring) => value - 1e-6,
        };
        let values = self.values(self.schemes.values().flatten());
        let mut thresholds: Vec<f64> = values
            .into_iter()
            .flat_map(|value| [value, past(value)])
            .chain([self.weakest])
            .collect();
        thresholds.retain(|&threshold| self.protects(threshold));
        thresholds
    }

    pub(super) fn protects(&self, threshold: f64) -> bool {
        self.passes(threshold, self.weakest)
    }

    /// The values of the statistic under a scheme, weakest first.
    pub fn bins(&self, levels: &[u8]) -> Vec<Bin> {
        let groups = &self.schemes[levels];
        let bin = |value: f64| {
            let alike = groups.iter().filter(|(statistic, _)| same(*statistic, value));
            let weaker = groups.iter().filter(|(statistic, _)| !self.passes(*statistic, value));
            Bin {
                value,
                groups: alike.clone().count() as u64,
                records: alike.map(|(_, records)| records).sum(),
                weaker: weaker.map(|(_, records)| records).sum(),
            }
        };
        self.values(groups.iter()).into_iter().map(bin).collect()
    }

    /// How many records a scheme suppresses.
    pub fn suppressed(&self, levels: &[u8], threshold: f64) -> u64 {
        let failing = |(statistic, _): &&Judgement| !self.passes(*statistic, threshold);
        self.schemes[levels].iter().filter(failing).map(|(_, records)| records).sum()
    }

    /// The weakest statistic of the groups that a scheme keeps.
    pub fn attained(&self, levels: &[u8], threshold: f64) -> Option<f64> {
        let passing = |(statistic, _): &&Judgement| self.passes(*statistic, threshold);
        self.values(self.schemes[levels].iter().filter(passing)).first().copied()
    }

    /// The strongest threshold under which a scheme suppresses no more than the limit and keeps a
    /// record.
    pub fn strongest(&self, levels: &[u8], limit: u64) -> Option<f64> {
        let affordable = |value: &f64| self.suppressed(levels, *value) <= limit;
        self.values(self.schemes[levels].iter()).into_iter().rfind(affordable)
    }

    /// The cost of a threshold at each height under the caps.
    pub fn study(&self, caps: &[u8], threshold: f64) -> Vec<Cost> {
        let mut heights: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for levels in self.under(caps) {
            heights.entry(height(levels)).or_default().push(self.suppressed(levels, threshold));
        }
        let cost = |(height, mut suppressed): (u32, Vec<u64>)| {
            suppressed.sort_unstable();
            let schemes = suppressed.len();
            let mean = suppressed.iter().sum::<u64>() as f64 / schemes as f64;
            let (least, most) = (suppressed[0], suppressed[schemes - 1]);
            Cost { height, schemes: schemes as u64, least, mean, most }
        };
        heights.into_iter().map(cost).collect()
    }

    pub(super) fn under(&self, caps: &[u8]) -> impl Iterator<Item = &[u8]> {
        self.schemes()
            .filter(move |levels| levels.iter().zip(caps).all(|(level, cap)| level <= cap))
    }

    pub(super) fn passes(&self, statistic: f64, threshold: f64) -> bool {
        match self.stronger {
            Stronger::Larger => statistic >= threshold,
            Stronger::Smaller => statistic <= threshold,
        }
    }

    /// The different statistics of some groups, weakest first.
    pub(super) fn values<'a>(&self, groups: impl Iterator<Item = &'a Judgement>) -> Vec<f64> {
        let mut values: Vec<f64> = groups.map(|(statistic, _)| *statistic).collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|a, b| same(*a, *b));
        if self.stronger == Stronger::Smaller {
            values.reverse();
        }
        values
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

pub(super) fn height(levels: &[u8]) -> u32 {
    levels.iter().map(|&level| u32::from(level)).sum()
}
