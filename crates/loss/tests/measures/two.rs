//! The front of two models under a bound of loss equals the pairs of thresholds over all schemes
//! that no other pair dominates.

use std::cell::Cell;

use haggle_cube::{Lattice, Loss, Statistic};
use haggle_model::Scheme;
use haggle_search::pareto::{GroupStatistics, Pair, TwoModels, front_of_two};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use proptest::prelude::*;

use super::sides::{CatalogLoss, Sides, cases, closeness, levels};

fn groups(
    sides: &Sides<'_>,
    scheme: &Scheme,
    two: [&dyn Statistic; 2],
    loss: &dyn Loss,
) -> GroupStatistics {
    let mut groups = GroupStatistics::default();
    let cube = sides.lattice.cube();
    let of = |statistic: &dyn Statistic| {
        let mut found = Vec::new();
        cube.for_each_group(scheme, statistic.column().watches.unwrap_or(0), |_, group| {
            found.push((statistic.of(group), group.records));
        });
        found
    };
    for (one, other) in of(two[0]).into_iter().zip(of(two[1])) {
        groups.statistics.push([one.0, other.0]);
        groups.records.push(one.1);
    }
    let mut numbers = vec![0.0; loss.width()];
    cube.for_each_generalized(scheme, loss, |group| {
        loss.measure(group, &mut numbers);
        groups.numbers.extend_from_slice(&numbers);
    });
    groups
}

/// Every scheme at every pair of thresholds that occurs in it, within limit and bound.
fn pairs(
    sides: &Sides<'_>,
    two: [&dyn Statistic; 2],
    judge: &CatalogLoss,
    limit: u64,
    bound: f64,
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for scheme in sides.schemes() {
        let mut codes: Vec<Vec<u32>> = Vec::new();
        sides.lattice.cube().for_each_group(&scheme, 0, |c, _| codes.push(c.to_vec()));
        let groups = groups(sides, &scheme, two, judge.loss.as_ref());
        let offered = |model: usize| -> Vec<f64> {
            let values = groups.statistics.iter().map(|statistics| statistics[model]);
            let mut values: Vec<f64> =
                values.filter_map(|v| two[model].column().offered(v)).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            values
        };
        for first in offered(0) {
            for second in offered(1) {
                let passes = |group: usize| {
                    let [one, other] = groups.statistics[group];
                    two[0].column().comparison.passes(one, first)
                        && two[1].column().comparison.passes(other, second)
                };
                let failing = (0..codes.len()).filter(|&group| !passes(group));
                let suppressed: u64 = failing.map(|group| groups.records[group]).sum();
                let loss = sides.of_groups(judge, &scheme, |code| {
                    passes(codes.iter().position(|known| known == code).unwrap())
                });
                let all = sides.lattice.records();
                if suppressed <= limit && suppressed < all && loss <= bound {
                    let thresholds = [first, second];
                    pairs.push(Pair { thresholds, loss, suppressed, scheme: scheme.clone() });
                }
            }
        }
    }
    pairs
}

/// Pairs of thresholds that no other pair dominates, the strongest first one first.
fn unbeaten(pairs: &[Pair], rises: [bool; 2]) -> Vec<[f64; 2]> {
    let strength = |pair: &Pair| {
        [0, 1].map(|i| if rises[i] { pair.thresholds[i] } else { -pair.thresholds[i] })
    };
    let beats = |one: [f64; 2], other: [f64; 2]| {
        one[0] >= other[0] && one[1] >= other[1] && (one[0] > other[0] || one[1] > other[1])
    };
    let needed = |pair: &&Pair| !pairs.iter().any(|other| beats(strength(other), strength(pair)));
    let mut unbeaten: Vec<&Pair> = pairs.iter().filter(needed).collect();
    unbeaten.sort_by(|a, b| strength(b)[0].total_cmp(&strength(a)[0]));
    let mut thresholds: Vec<[f64; 2]> = unbeaten.iter().map(|pair| pair.thresholds).collect();
    thresholds.dedup();
    thresholds
}

fn same(one: &[f64; 2], other: &[f64; 2]) -> bool {
    one.map(f64::to_bits) == other.map(f64::to_bits)
}

#[test]
fn fronts_of_two_models_are_the_pairs_that_no_other_dominates() {
    let long = Cell::new(0);
    let inputs = (cases(), 0..30_u64, 0.3..1.2_f64, 0..3_usize, any::<prop::sample::Index>());
    check(800, &inputs, |(case, limit, bound, model, measure)| {
        let sides = Sides::of(&case);
        let distance = closeness(sides.lattice.cube(), 0);
        let statistic: &dyn Statistic = distance.as_ref();
        let two = match model {
            0 => [sides.statistics[0].as_ref(), statistic],
            1 => [statistic, sides.statistics[2].as_ref()],
            _ => [sides.statistics[0].as_ref(), sides.statistics[1].as_ref()],
        };
        let judge = measure.get(&sides.judges);
        // A share of the loss of the most general scheme.
        let top = sides.lattice.space().top().clone();
        let bound = bound * sides.of_groups(judge, &top, |_| true).abs();
        let all = pairs(&sides, two, judge, limit, bound + 1e-9);
        let columns = two.map(Statistic::column);
        let groups = |scheme: &Scheme| Some(groups(&sides, scheme, two, judge.loss.as_ref()));
        let loss = judge.loss.as_ref();
        let question = TwoModels { columns, loss, limit, bound: bound + 1e-9, groups: &groups };
        let found = front_of_two(&sides.lattice.space().all(), &question);
        let rises = columns.map(|column| column.comparison.rises());
        let thresholds: Vec<[f64; 2]> = found.iter().map(|pair| pair.thresholds).collect();
        prop_assert_eq!(&thresholds, &unbeaten(&all, rises), "{}", judge.entry.id);
        for pair in &found {
            let alike = all.iter().filter(|other| same(&other.thresholds, &pair.thresholds));
            let rank = |p: &Pair| (p.scheme.height(), p.suppressed, levels(&p.scheme));
            let order = |a: &&Pair, b: &&Pair| {
                let close = (a.loss - b.loss).abs() <= 1e-9 * a.loss.abs().max(1.0);
                let loss =
                    if close { std::cmp::Ordering::Equal } else { a.loss.total_cmp(&b.loss) };
                loss.then(rank(a).cmp(&rank(b)))
            };
            let best = alike.min_by(order).unwrap();
            prop_assert_eq!((&pair.scheme, pair.suppressed), (&best.scheme, best.suppressed));
        }
        long.set(long.get() + u32::from(found.len() > 1));
        Ok(())
    });
    assert!(long.get() >= enough(20), "only {} fronts of more than one point", long.get());
}
