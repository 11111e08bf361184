//! Tables drawn from a network and predicted by it: the model is exact, so only random deviations
//! of known size are left.

use haggle_cube::Overview;
use haggle_instant::{Goal, PredictionOptions, Summary, SummaryInput, find, predict};
use haggle_model::{Hierarchy, QuasiIdentifier, Space};
use rand::{RngExt, SeedableRng, rngs::StdRng};

/// Three dependent attributes: the second depends on the first, the third on the second.
fn basis(records: usize, random: &mut StdRng) -> SummaryInput {
    let attribute = |name: &str, groups: u32| {
        let path = |i: u32| [format!("{i}"), format!("g{}", i / groups), "*".into()];
        let hierarchy = Hierarchy::from_paths(name, (0..12).map(path)).unwrap();
        QuasiIdentifier { name: name.into(), hierarchy }
    };
    let attributes = vec![attribute("a", 3), attribute("b", 4), attribute("c", 2)];
    let code =
        |name: usize, value: u32| attributes[name].hierarchy.code(&value.to_string()).unwrap();
    let mut overview =
        Overview { records: records as u64, counts: vec![vec![0; 12]; 3], sample: Vec::new() };
    for _ in 0..records {
        let skewed = |random: &mut StdRng| (random.random::<f64>().powi(2) * 12.0) as u32;
        let a = skewed(random);
        let b = if random.random_bool(0.7) { a } else { skewed(random) };
        let c = if random.random_bool(0.6) { (b + 2) % 12 } else { skewed(random) };
        for (column, value) in [a, b, c].into_iter().enumerate() {
            let value = code(column, value);
            overview.counts[column][value as usize] += 1;
            overview.sample.push(value);
        }
    }
    SummaryInput { attributes, sensitive: None, overview: Some(overview), statistics: None }
}

fn failing(
    summary: &dyn Summary,
    table: &[Vec<u32>],
    scheme: &haggle_model::Scheme,
    k: usize,
) -> f64 {
    let mut groups = std::collections::HashMap::new();
    for record in table {
        let codes: Vec<u32> = summary
            .attributes()
            .iter()
            .zip(scheme.levels())
            .zip(record)
            .map(|((a, &level), &code)| a.hierarchy.ancestor(code, level))
            .collect();
        *groups.entry(codes).or_insert(0_usize) += 1;
    }
    groups.values().filter(|&&n| n < k).sum::<usize>() as f64
}

/// A failing group has fewer than k records, so the variance of the failing records is at most k
/// times their expectation; six standard deviations are practically never exceeded.
#[test]
fn expectations_hold_for_every_scheme() {
    let mut random = StdRng::seed_from_u64(11);
    let basis = basis(6_000, &mut random);
    for kind in ["histogram", "bayes", "bayes-greedy"] {
        let summary = find(kind).unwrap().build(&basis).unwrap();
        let table: Vec<Vec<u32>> = (0..6_000).map(|_| summary.draw(&mut random)).collect();
        let space = Space::of(summary.attributes().iter().map(|a| &a.hierarchy));
        for index in 0..space.size().unwrap() {
            let scheme = space.scheme(index);
            for k in [5_u64, 20] {
                let predicted =
                    predict(summary.as_ref(), &scheme, Goal::K(k), &PredictionOptions::default())
                        .unwrap();
                let counted = failing(summary.as_ref(), &table, &scheme, k as usize);
                let slack = 6.0 * (k as f64 * predicted.suppressed).sqrt() + k as f64;
                assert!(
                    (counted - predicted.suppressed).abs() <= slack,
                    "{kind} {scheme} k={k}: {counted} {predicted:?} ± {slack}"
                );
            }
        }
    }
}

/// How often schemes hold that are predicted to hold with some probability, over many tables:
/// within four and a half standard errors, and a tenth for the approximation.
#[test]
fn probabilities_are_calibrated() {
    let mut random = StdRng::seed_from_u64(12);
    let basis = basis(3_000, &mut random);
    let summary = find("bayes").unwrap().build(&basis).unwrap();
    let space = Space::of(summary.attributes().iter().map(|a| &a.hierarchy));
    let schemes: Vec<_> = (0..space.size().unwrap()).map(|i| space.scheme(i)).collect();
    let tables = 60;
    let mut held = vec![0.0; schemes.len()];
    for _ in 0..tables {
        let table: Vec<Vec<u32>> = (0..3_000).map(|_| summary.draw(&mut random)).collect();
        for (held, scheme) in held.iter_mut().zip(&schemes) {
            *held += f64::from(u8::from(failing(summary.as_ref(), &table, scheme, 10) == 0.0));
        }
    }
    let mut bins = vec![(0.0, 0.0, 0.0); 5];
    for (held, scheme) in held.iter().zip(&schemes) {
        let p = predict(summary.as_ref(), scheme, Goal::K(10), &PredictionOptions::default())
            .unwrap()
            .probability;
        let bin = &mut bins[((p * 5.0) as usize).min(4)];
        *bin = (bin.0 + p, bin.1 + held / f64::from(tables), bin.2 + 1.0);
    }
    for (predicted, held, schemes) in bins.into_iter().filter(|bin| bin.2 > 0.0) {
        let (predicted, held) = (predicted / schemes, held / schemes);
        let error = (held * (1.0 - held) / f64::from(tables)).sqrt();
        assert!((predicted - held).abs() <= 4.5 * error + 0.1, "{predicted} {held} ± {error}");
    }
}

/// On records that were not learned from, networks are more likely than independence.
#[test]
fn networks_beat_histograms_on_held_out_records() {
    let mut random = StdRng::seed_from_u64(13);
    let (learned, held_out) = (basis(4_000, &mut random), basis(2_000, &mut random));
    let likelihood = |kind: &str| {
        let summary = find(kind).unwrap().build(&learned).unwrap();
        let base = Space::of(summary.attributes().iter().map(|a| &a.hierarchy)).bottom();
        let rows = held_out.overview.as_ref().unwrap().rows();
        rows.map(|row| summary.probability(&base, row, None).ln()).sum::<f64>() / 2_000.0
    };
    let histogram = likelihood("histogram");
    for network in ["bayes", "bayes-greedy"] {
        assert!(likelihood(network) > histogram + 0.1, "{network}");
    }
}
