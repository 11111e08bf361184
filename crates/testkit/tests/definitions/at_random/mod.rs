//! Definitions against other ways of saying the same, on random groups.

use std::collections::BTreeSet;

use haggle_testkit::generate::check;
use haggle_testkit::oracle::definitions::{Stated, earth_movers_distance};
use proptest::array::uniform4;
use proptest::collection::vec;

use crate::verdicts::Verdicts;

/// Counts as shares of their sum.
fn shares(counts: &[u32]) -> Vec<f64> {
    let sum: u32 = counts.iter().sum();
    counts.iter().map(|&count| f64::from(count) / f64::from(sum)).collect()
}

#[test]
fn transport_agrees_with_the_closed_forms() {
    check(1000, &vec((0..20_u32, 0..20_u32), 1..12), |counts| {
        let (from, to): (Vec<u32>, Vec<u32>) = counts.into_iter().unzip();
        if from.iter().sum::<u32>() == 0 || to.iter().sum::<u32>() == 0 {
            return Ok(());
        }
        let (from, to) = (shares(&from), shares(&to));
        let moved = || from.iter().zip(&to).map(|(from, to)| from - to);
        let equal: f64 = moved().map(f64::abs).sum::<f64>() / 2.0;
        let carried = moved().scan(0.0, |carried, more| {
            *carried += more;
            Some(f64::abs(*carried))
        });
        let ordered: f64 = carried.sum();
        let by = |distance: fn(usize, usize) -> f64| earth_movers_distance(distance, &from, &to);
        assert!((by(|i, j| f64::from(u8::from(i != j))) - equal).abs() < 1e-9);
        assert!((by(|i, j| i.abs_diff(j) as f64) - ordered).abs() < 1e-9);
        Ok(())
    });
}

/// Units are moved one to one at least cost, so that all ways of pairing them can be tried.
#[test]
fn transport_agrees_with_the_best_pairing_of_units() {
    let distances = uniform4(uniform4(0..100_u8));
    check(1000, &(uniform4(0..4_usize), uniform4(0..4_usize), distances), |(from, to, matrix)| {
        let mass = |places: [usize; 4]| {
            let mut mass = [0.0; 4];
            for place in places {
                mass[place] += 1.0;
            }
            mass
        };
        let distance = |i: usize, j: usize| f64::from(matrix[i][j]) / 10.0;
        let pairings = (0..256_usize).map(|code| [0, 2, 4, 6].map(|bits| code >> bits & 3));
        let cost = |pairing: [usize; 4]| {
            let different = pairing.iter().collect::<BTreeSet<_>>().len() == 4;
            different.then(|| (0..4).map(|unit| distance(from[unit], to[pairing[unit]])).sum())
        };
        let least = pairings.filter_map(cost).fold(f64::INFINITY, f64::min);
        assert!((earth_movers_distance(distance, &mass(from), &mass(to)) - least).abs() < 1e-9);
        Ok(())
    });
}

/// An attacker who can rule out any l − 2 values still has to doubt the most frequent sensitive
/// one.
#[test]
fn pd_recursive_diversity_withstands_the_elimination_of_values() {
    check(
        2000,
        &(vec((0..9_usize, 0..2_u8), 1..7), 2..6_usize, 1..30_u8),
        |(values, l, tenths)| {
            let values: Vec<_> = values.into_iter().filter(|(count, _)| *count > 0).collect();
            let worst =
                (0..values.len()).filter(|&i| values[i].1 == 1).max_by_key(|&i| values[i].0);
            let (Some(worst), Some(_)) = (worst, values.first()) else { return Ok(()) };
            let doubt = |eliminated: u32| {
                let left = |i: &usize| *i != worst && eliminated >> i & 1 == 0;
                (0..values.len()).filter(left).map(|i| values[i].0).sum::<usize>()
            };
            let within_reach = |eliminated: &u32| eliminated.count_ones() as usize <= l - 2;
            let least = (0..1 << values.len()).filter(within_reach).map(doubt).min().unwrap_or(0);
            let expected = 10 * values[worst].0 < usize::from(tenths) * least;

            let group: Vec<String> =
                values.iter().enumerate().map(|(i, (count, _))| format!("v{i} {count}")).collect();
            let harmless = (0..values.len()).filter(|&i| values[i].1 == 0).map(|i| format!("v{i}"));
            let stated = Stated { dont_care: harmless.collect(), ..Stated::default() };
            let parameters = format!("l={l},c={}", f64::from(tenths) / 10.0);
            let verdict = Verdicts { stated, ..Verdicts::default() }.of(
                "pd-recursive-l-diversity",
                &parameters,
                &group.join(", "),
            );
            assert_eq!(verdict, expected);
            Ok(())
        },
    );
}

/// Where categories are disjoint and cover all values, both recursive forms say the same.
#[test]
fn recursive_forms_agree_on_disjoint_categories() {
    check(500, &(vec(1..9_u8, 1..6), 1..6_u8, 1..40_u8), |(counts, l, tenths)| {
        let names: Vec<String> = (0..counts.len()).map(|i| format!("v{i}")).collect();
        let categories = names.iter().map(|name| (name.clone(), vec![name.clone()])).collect();
        let group: Vec<String> =
            names.iter().zip(&counts).map(|(name, count)| format!("{name} {count}")).collect();
        let stated = Stated { categories, ..Stated::default() };
        let all = Verdicts { stated, ..Verdicts::default() };
        let parameters = format!("l={l},c={}", f64::from(tenths) / 10.0);
        let verdict = |model| all.of(model, &parameters, &group.join(", "));
        assert_eq!(
            verdict("recursive-categorical-diversity"),
            verdict("recursive-density-control")
        );
        Ok(())
    });
}
