//! The front of privacy and loss equals the pairs of scheme and threshold that no other pair
//! dominates.

use std::cell::Cell;
use std::collections::BTreeMap;

use haggle_cube::{FullLattice, Lattice, Limits, Loss, Statistic, Weighed};
use haggle_model::Scheme;
use haggle_search::pareto::{FrontInput, Point, front, front_with_suppression};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use proptest::collection::vec;
use proptest::prelude::*;

use super::sides::{Sides, cases, closeness, levels};

/// The statistic and the records of each group of every scheme.
type Judged = BTreeMap<Scheme, Vec<(f64, u64)>>;

/// Part of a lattice, a statistic whose groups are known, and the candidate thresholds.
struct Question<'a> {
    lattice: &'a FullLattice,
    column: usize,
    statistic: &'a dyn Statistic,
    judged: Judged,
    thresholds: fn(&[(f64, u64)]) -> Vec<f64>,
    caps: Scheme,
    limit: u64,
}

/// Every whole number from 2 to the largest.
fn whole(groups: &[(f64, u64)]) -> Vec<f64> {
    let largest = groups.iter().map(|(statistic, _)| *statistic).fold(0.0, f64::max);
    (2..=largest as u32).map(f64::from).collect()
}

/// Every distance that occurs and is below the largest.
fn occurring(groups: &[(f64, u64)]) -> Vec<f64> {
    let mut distances: Vec<f64> = groups.iter().map(|(distance, _)| *distance).collect();
    distances.sort_by(f64::total_cmp);
    distances.dedup();
    distances.retain(|&distance| distance < 1.0);
    distances
}

impl Question<'_> {
    /// Every pair of scheme and threshold within the limit.
    fn pairs(&self, weighed: &Weighed, loss: &dyn Loss) -> Vec<Point> {
        let mut pairs = Vec::new();
        for (scheme, groups) in self.judged.iter().filter(|(s, _)| s.is_under(&self.caps)) {
            let position = self.lattice.space().index(scheme);
            for threshold in (self.thresholds)(groups) {
                let passes = |value| self.statistic.column().comparison.passes(value, threshold);
                let failing = groups.iter().filter(|(value, _)| !passes(*value));
                let suppressed = failing.map(|(_, records)| records).sum::<u64>();
                if suppressed <= self.limit {
                    let table = &self.lattice.tables()[self.column];
                    let failing = table.histogram(position).failing(threshold);
                    let loss = weighed.loss(loss, scheme, position, failing);
                    pairs.push(Point { threshold, loss, suppressed, scheme: scheme.clone() });
                }
            }
        }
        pairs
    }

    /// Both fronts equal the pairs that are not dominated; returns how many points the larger has.
    fn assert_fronts(&self, loss: &dyn Loss) -> usize {
        let (lattice, table) = (self.lattice, self.lattice.tables()[self.column].clone());
        let limits = Limits::default();
        let weighed = Weighed::new(lattice.cube(), table, self.statistic, loss, limits).unwrap();
        let column = self.statistic.column();
        let (against, part) =
            (FrontInput { column, weighed: &weighed, loss }, lattice.space().under(&self.caps));
        let pairs = self.pairs(&weighed, loss);
        let rises = column.comparison.rises();
        let found = front(lattice, &part, against, self.limit);
        assert_eq!(found, unbeaten(&pairs, rises, false), "{} {}", column.id, loss.id());
        let found = front_with_suppression(lattice, &part, against, self.limit);
        assert_eq!(found, unbeaten(&pairs, rises, true), "{} {}", column.id, loss.id());
        found.len()
    }
}

/// The rank of a pair among equally good ones.
fn rank(point: &Point) -> (u32, u64, Vec<u8>) {
    (point.scheme.height(), point.suppressed, levels(&point.scheme))
}

/// Whether a pair is at least as good as another.
fn as_good(one: &Point, other: &Point, rises: bool, suppression: bool) -> bool {
    let (strong, weak) = if rises { (one, other) } else { (other, one) };
    strong.threshold >= weak.threshold
        && one.loss <= other.loss
        && (!suppression || one.suppressed <= other.suppressed)
}

/// The pairs that no other dominates, being better, or equal and before it; the strongest first.
fn unbeaten(pairs: &[Point], rises: bool, suppression: bool) -> Vec<Point> {
    let beats = |one: &Point, other: &Point| {
        as_good(one, other, rises, suppression)
            && (!as_good(other, one, rises, suppression) || rank(one) < rank(other))
    };
    let needed = |point: &&Point| !pairs.iter().any(|other| beats(other, point));
    let mut unbeaten: Vec<Point> = pairs.iter().filter(needed).cloned().collect();
    unbeaten.sort_by(|a, b| {
        let (a, b) = if rises { (b, a) } else { (a, b) };
        a.threshold.total_cmp(&b.threshold)
    });
    // At one threshold more suppression allows less loss.
    for alike in unbeaten.chunk_by_mut(|a, b| a.threshold.total_cmp(&b.threshold).is_eq()) {
        alike.sort_by_key(|point| point.suppressed);
    }
    unbeaten
}

/// Groups by k-anonymity or distinct l-diversity, from their records.
fn by_definition(sides: &Sides<'_>, column: usize) -> Judged {
    let judged = |scheme: Scheme| {
        let groups = sides.oracle.groups(&levels(&scheme));
        let of = &sides.defined[column].of;
        let groups = groups.iter().map(|group| (of(group), group.members.len() as u64)).collect();
        (scheme, groups)
    };
    sides.schemes().into_iter().map(judged).collect()
}

/// Groups by a statistic of the product.
fn by_statistic(sides: &Sides<'_>, statistic: &dyn Statistic) -> Judged {
    let watched = statistic.column().watches.unwrap_or(0);
    let judged = |scheme: Scheme| {
        let mut groups = Vec::new();
        sides.lattice.cube().for_each_group(&scheme, watched, |_, group| {
            groups.push((statistic.of(group), group.records));
        });
        (scheme, groups)
    };
    sides.schemes().into_iter().map(judged).collect()
}

#[test]
fn fronts_are_the_pairs_that_no_other_dominates() {
    let long = Cell::new(0);
    let inputs = (cases(), vec(any::<u8>(), 3), 0..60_u64, any::<bool>());
    check(200, &inputs, |(case, caps, limit, capped)| {
        let sides = Sides::of(&case);
        let cap = |(cap, top): (&u8, u8)| if capped { cap % (top + 1) } else { top };
        let tops = levels(sides.lattice.space().top());
        let caps = Scheme::new(caps.iter().zip(tops).map(cap));
        let distance = closeness(sides.lattice.cube(), 0);
        let (cube, limits) = (sides.lattice.cube().clone(), Limits::default());
        let columns: [&dyn Statistic; 1] = [distance.as_ref()];
        let distances =
            FullLattice::tabulate(cube, &columns, false, limits, &haggle_model::Silent).unwrap();
        let defined = |column: usize| Question {
            lattice: &sides.lattice,
            column,
            statistic: sides.statistics[column].as_ref(),
            judged: by_definition(&sides, column),
            thresholds: whole,
            caps: caps.clone(),
            limit,
        };
        let closeness = Question {
            lattice: &distances,
            column: 0,
            statistic: distance.as_ref(),
            judged: by_statistic(&sides, distance.as_ref()),
            thresholds: occurring,
            caps: caps.clone(),
            limit,
        };
        let questions = (0..sides.statistics.len()).map(defined).chain([closeness]);
        for question in questions {
            for judge in &sides.judges {
                let points = question.assert_fronts(judge.loss.as_ref());
                long.set(long.get() + u32::from(points > 2));
            }
        }
        Ok(())
    });
    assert!(long.get() >= enough(3000), "only {} fronts of more than two points", long.get());
}
