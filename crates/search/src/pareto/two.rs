//! The front of two models under a bound of the loss: how strong one can be for each strength of
//! the other.
//!
//! Groups that fail either model are suppressed. In one scheme, every statistic that occurs is a
//! candidate threshold; for each of the first model, the strongest of the second within the limit
//! and the bound is found by adding groups, the strongest first.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::order::loss_order;
use haggle_cube::{Column, KeptGroups, Loss};
use haggle_model::{Scheme, Sublattice};

/// A scheme at a threshold of each model.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The thresholds.
    pub thresholds: [f64; 2],
    /// The loss.
    pub loss: f64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The scheme.
    pub scheme: Scheme,
}

/// The groups of a scheme.
#[derive(Debug, Clone, Default)]
pub struct GroupStatistics {
    /// Each group's statistics.
    pub statistics: Vec<[f64; 2]>,
    /// Its records.
    pub records: Vec<u64>,
    /// The numbers that the measure needs, concatenated.
    pub numbers: Vec<f64>,
}

/// The models, and the limits of suppression and loss.
pub struct TwoModels<'a> {
    /// The models' columns.
    pub columns: [&'a Column; 2],
    /// The measure.
    pub loss: &'a dyn Loss,
    /// The records that may be suppressed.
    pub limit: u64,
    /// The largest loss.
    pub bound: f64,
    /// The groups of a scheme; none if it cannot be within limit and bound.
    pub groups: &'a dyn Fn(&Scheme) -> Option<GroupStatistics>,
}

/// A threshold by its strength: larger is stronger.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Strength(f64);

impl Eq for Strength {}

impl PartialOrd for Strength {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Strength {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The pairs of thresholds that no other beats at both, the strongest of the first model first.
pub fn front_of_two(part: &Sublattice, two: &TwoModels<'_>) -> Vec<Pair> {
    let mut stairs = Stairs::default();
    for height in part.heights() {
        let _ = part.visit_height(height, &mut |scheme| {
            if let Some(groups) = (two.groups)(scheme) {
                two.sweep(scheme, &groups, &mut stairs);
            }
            ControlFlow::<()>::Continue(())
        });
    }
    stairs.0.into_values().rev().map(|(_, pair)| pair).collect()
}

/// The pairs that are not dominated: as the strength of the first rises, that of the second falls.
#[derive(Default)]
struct Stairs(BTreeMap<Strength, (Strength, Pair)>);

impl Stairs {
    /// Returns the strength that the second must exceed for a first of this strength.
    fn to_beat(&self, first: Strength) -> Option<Strength> {
        self.0.range(first..).next().map(|(_, (second, _))| *second)
    }

    fn add(&mut self, [first, second]: [Strength; 2], pair: Pair) {
        if let Some((known, (best, other))) = self.0.range(first..).next() {
            let same = (*known, *best) == (first, second);
            if *best > second || (*best == second && !same) || (same && !before(&pair, other)) {
                return;
            }
        }
        let beaten = self.0.range(..first).rev().take_while(|(_, (weaker, _))| *weaker <= second);
        let beaten: Vec<Strength> = beaten.map(|(key, _)| *key).collect();
        for key in beaten {
            self.0.remove(&key);
        }
        self.0.insert(first, (second, pair));
    }
}

/// Compares in the order of answers by loss.
fn before(one: &Pair, other: &Pair) -> bool {
    let (one, other) =
        ((one.loss, one.suppressed, &one.scheme), (other.loss, other.suppressed, &other.scheme));
    loss_order(one, other).is_lt()
}

impl TwoModels<'_> {
    /// Returns the threshold that groups of this statistic pass, and its strength.
    fn offered(&self, model: usize, statistic: f64) -> Option<(f64, Strength)> {
        let threshold = self.columns[model].offered(statistic)?;
        let rises = self.columns[model].comparison.rises();
        Some((threshold, Strength(if rises { threshold } else { -threshold })))
    }

    /// Evaluates every threshold of the first model in one scheme, with the strongest of the
    /// second.
    fn sweep(&self, scheme: &Scheme, groups: &GroupStatistics, stairs: &mut Stairs) {
        let all: u64 = groups.records.iter().sum();
        let by_second = self.by_second(groups);
        for (statistic, suppressed) in self.firsts(groups) {
            let Some(first) = self.offered(0, statistic) else { continue };
            if suppressed > self.limit {
                continue;
            }
            let passes = |group: &&usize| {
                let here = groups.statistics[**group][0];
                self.columns[0].comparison.by_strength(here, statistic).is_ge()
            };
            let let_in: Vec<usize> = by_second.iter().filter(passes).copied().collect();
            if let Some((second, pair)) = self.strongest(scheme, groups, &let_in, all, |second| {
                stairs.to_beat(first.1).is_some_and(|best| best > second)
            }) {
                let thresholds = [first.0, pair.thresholds[1]];
                stairs.add([first.1, second], Pair { thresholds, ..pair });
            }
        }
    }

    /// Returns the strongest second threshold within limit and bound; none if it is dominated.
    fn strongest(
        &self,
        scheme: &Scheme,
        groups: &GroupStatistics,
        let_in: &[usize],
        all: u64,
        needless: impl Fn(Strength) -> bool,
    ) -> Option<(Strength, Pair)> {
        let width = self.loss.width();
        let mut sums = vec![0.0; width];
        let (mut kept, mut records) = (0, 0);
        let second = |group: &usize| groups.statistics[*group][1];
        for equal in let_in.chunk_by(|a, b| second(a).total_cmp(&second(b)).is_eq()) {
            for &group in equal {
                (kept, records) = (kept + 1, records + groups.records[group]);
                let numbers = &groups.numbers[group * width..][..width];
                sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
            }
            let (threshold, strength) = self.offered(1, second(&equal[0]))?;
            if needless(strength) {
                return None;
            }
            let suppressed = all - records;
            let keeps = KeptGroups {
                levels: scheme.into(),
                sums: &sums,
                groups: kept,
                records,
                suppressed,
            };
            let loss = self.loss.compared(&keeps);
            if suppressed <= self.limit && suppressed < all && loss <= self.bound {
                let thresholds = [f64::NAN, threshold];
                let scheme = scheme.clone();
                return Some((strength, Pair { thresholds, loss, suppressed, scheme }));
            }
        }
        None
    }

    /// Returns the groups, those that are strongest by the second model first.
    fn by_second(&self, groups: &GroupStatistics) -> Vec<usize> {
        let comparison = self.columns[1].comparison;
        let mut order: Vec<usize> = (0..groups.records.len()).collect();
        let second = |group: usize| groups.statistics[group][1];
        order.sort_by(|&a, &b| comparison.by_strength(second(b), second(a)));
        order
    }

    /// Returns the statistics of the first model that occur, the strongest first, and what each
    /// suppresses.
    fn firsts(&self, groups: &GroupStatistics) -> Vec<(f64, u64)> {
        let comparison = self.columns[0].comparison;
        let first = groups.statistics.iter().map(|statistics| statistics[0]);
        let mut firsts: Vec<(f64, u64)> = first.zip(groups.records.iter().copied()).collect();
        firsts.sort_by(|a, b| comparison.by_strength(a.0, b.0));
        let mut weaker = 0;
        let mut found: Vec<(f64, u64)> = Vec::new();
        for equal in firsts.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
            found.push((equal[0].0, weaker));
            weaker += equal.iter().map(|(_, records)| records).sum::<u64>();
        }
        found.reverse();
        found
    }
}
