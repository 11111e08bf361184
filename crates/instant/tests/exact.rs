//! Predictions against exact multinomial computation by convolution, and against simulation.
//!
//! Expectations of k are exact under the multinomial and compared as such. Probabilities
//! approximate the distribution of a sum by the normal one; the next terms of Edgeworth's series,
//! computed here from the variables' own cumulants, give the expected error.

use haggle_cube::Overview;
use haggle_instant::{
    Goal, Optimizations, PredictionOptions, Predictor, Summary, SummaryInput, find, predict,
};
use haggle_model::{Dictionary, Hierarchy, QuasiIdentifier, Scheme, Watched};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A table of one quasi-identifier, whose cells have these weights, and a sensitive attribute.
fn summary(records: u64, cells: &[u64], sensitive: &[u64]) -> Box<dyn Summary> {
    let labels = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
    let hierarchy = Hierarchy::flat(labels(cells.len()));
    let values: Vec<Box<str>> = labels(sensitive.len()).into_iter().map(Into::into).collect();
    let basis = SummaryInput {
        attributes: vec![QuasiIdentifier { name: "cell".into(), hierarchy }],
        sensitive: Some(Watched { name: "value".into(), values: Dictionary::from(values) }),
        overview: Some(Overview {
            records,
            counts: vec![cells.to_vec(), sensitive.to_vec()],
            sample: Vec::new(),
        }),
        statistics: None,
    };
    find("histogram").unwrap().build(&basis).unwrap()
}

fn shares(weights: &[u64]) -> Vec<f64> {
    let all: u64 = weights.iter().sum();
    weights.iter().map(|&w| w as f64 / all as f64).collect()
}

/// n! times the coefficient of zⁿ in Π Σ w(i, x) pᵢˣ zˣ / x!: the probability that a multinomial
/// of n passes, where cell i passes at size x with probability w(i, x).
fn exact(n: usize, chances: &[f64], weight: impl Fn(usize, usize) -> f64) -> f64 {
    let mut left = 1.0; // the chance that is left for the cells to come
    let mut sizes = vec![0.0; n + 1];
    // Cell by cell as binomials of what is left: all numbers stay probabilities.
    sizes[0] = 1.0;
    for (i, &p) in chances.iter().enumerate() {
        let share = if i + 1 == chances.len() { 1.0 } else { (p / left).min(1.0) };
        let mut next = vec![0.0; n + 1];
        for (used, &mass) in sizes.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            for (x, pmf) in binomial(n - used, share).into_iter().enumerate() {
                next[used + x] += mass * pmf * weight(i, x);
            }
        }
        sizes = next;
        left -= p;
    }
    sizes[n]
}

fn binomial(n: usize, p: f64) -> Vec<f64> {
    let mut masses = vec![0.0; n + 1];
    masses[0] = 1.0;
    for trial in 1..=n {
        for x in (0..=trial).rev() {
            let below = if x > 0 { masses[x - 1] } else { 0.0 };
            masses[x] = masses[x] * (1.0 - p) + below * p;
        }
    }
    masses
}

/// Returns the correction of Edgeworth's next terms to the distribution of a sum at `n`, relative
/// to the normal one, for variables with these (unnormalised) masses.
fn edgeworth(n: f64, variables: &[Vec<f64>]) -> f64 {
    let (mut mean, mut second, mut third, mut fourth) = (0.0, 0.0, 0.0, 0.0);
    for masses in variables {
        let all: f64 = masses.iter().sum();
        let moment = |power: i32, about: f64| {
            masses.iter().zip(0..).map(|(m, x)| m * (f64::from(x) - about).powi(power)).sum::<f64>()
                / all
        };
        let own = moment(1, 0.0);
        let variance = moment(2, own);
        mean += own;
        second += variance;
        third += moment(3, own);
        fourth += moment(4, own) - 3.0 * variance * variance;
    }
    if second <= 0.0 {
        return 1.0;
    }
    let z = (n - mean) / second.sqrt();
    let (skew, excess) = (third / second.powf(1.5), fourth / (second * second));
    let he3 = z.powi(3) - 3.0 * z;
    let he4 = z.powi(4) - 6.0 * z * z + 3.0;
    let he6 = z.powi(6) - 15.0 * z.powi(4) + 45.0 * z * z - 15.0;
    (skew * he3 / 6.0).abs() + (excess * he4 / 24.0).abs() + (skew * skew * he6 / 72.0).abs()
}

/// Returns the tolerance of a predicted probability: three times the terms left out, of the part
/// and the whole, and the remainder of the local limit theorem, which falls with the root of the
/// number of variables.
fn tolerance(n: usize, chances: &[f64], truth: f64, weight: impl Fn(usize, usize) -> f64) -> f64 {
    let whole: Vec<Vec<f64>> = chances.iter().map(|&p| binomial(n, p)).collect();
    let weighted = |(i, masses): (usize, &Vec<f64>)| {
        masses.iter().enumerate().map(|(x, m)| m * weight(i, x)).collect::<Vec<f64>>()
    };
    let good: Vec<Vec<f64>> = whole.iter().enumerate().map(weighted).collect();
    let terms = edgeworth(n as f64, &whole) + edgeworth(n as f64, &good);
    (3.0 * terms * truth + 0.2 / (chances.len() as f64).sqrt()).min(1.0)
}

fn plain() -> PredictionOptions<'static> {
    PredictionOptions { optimizations: Optimizations::NONE, ..PredictionOptions::default() }
}

/// The exact probability that x records of these shares are l-diverse.
fn diverse(x: usize, values: &[f64], l: f64) -> f64 {
    if x == 0 {
        return 1.0;
    }
    exact(x, values, |_, u| if u as f64 <= x as f64 / l { 1.0 } else { 0.0 })
}

proptest! {
    // The same inputs every time, so that a failure can be reproduced.
    #![proptest_config(ProptestConfig {
        cases: haggle_testkit::effort::cases(2000),
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn k_is_predicted_as_convolution_has_it(
        n in 5_usize..90,
        cells in prop::collection::vec(1_u64..40, 2..9),
        k in 2_u64..12,
    ) {
        let found = predict(summary(n as u64, &cells, &[1]).as_ref(), &Scheme::new([0]), Goal::K(k), &plain()).unwrap();
        let chances = shares(&cells);
        let passes = |_: usize, x: usize| if x == 0 || x as u64 >= k { 1.0 } else { 0.0 };
        let truth = exact(n, &chances, passes);
        let tolerated = tolerance(n, &chances, truth, passes);
        prop_assert!((found.probability - truth).abs() <= tolerated, "{} {truth} ± {tolerated}", found.probability);
        prop_assert!(found.at_least <= truth + 1e-9 && truth <= found.at_most + 1e-9);
        prop_assert!(found.at_least <= found.probability && found.probability <= found.at_most);
        let outliers: f64 = chances
            .iter()
            .map(|&p| binomial(n, p).iter().enumerate().filter(|(x, _)| *x > 0 && (*x as u64) < k).map(|(x, m)| x as f64 * m).sum::<f64>())
            .sum();
        prop_assert!((found.suppressed - outliers).abs() < 1e-8, "{} {outliers}", found.suppressed);
    }

    #[test]
    fn l_is_predicted_as_convolution_has_it(
        n in 5_usize..40,
        cells in prop::collection::vec(1_u64..20, 1..4),
        values in prop::collection::vec(1_u64..20, 2..6),
        l in prop::sample::select(vec![1.33, 1.5, 2.0, 3.0]),
    ) {
        let found = predict(summary(n as u64, &cells, &values).as_ref(), &Scheme::new([0]), Goal::L(l), &plain()).unwrap();
        let (chances, values) = (shares(&cells), shares(&values));
        let conditional: Vec<f64> = (0..=n).map(|x| diverse(x, &values, l)).collect();
        // How much the conditional probabilities themselves may deviate.
        let off: Vec<f64> = (0..=n)
            .map(|x| {
                let capped = |_: usize, u: usize| if u as f64 <= x as f64 / l { 1.0 } else { 0.0 };
                if x == 0 { 0.0 } else { tolerance(x, &values, conditional[x], capped) }
            })
            .collect();
        let truth = exact(n, &chances, |_, x| conditional[x]);
        let outer = tolerance(n, &chances, truth, |_, x| conditional[x]);
        let inner: f64 = chances.iter().map(|&p| binomial(n, p).iter().zip(&off).map(|(m, o)| m * o).sum::<f64>()).sum();
        prop_assert!((found.probability - truth).abs() <= outer + inner, "{} {truth} ± {outer} + {inner}", found.probability);
        let expected = |weight: &dyn Fn(usize) -> f64| -> f64 {
            chances.iter().map(|&p| binomial(n, p).iter().enumerate().map(|(x, m)| x as f64 * m * weight(x)).sum::<f64>()).sum()
        };
        let (outliers, slack) = (expected(&|x| 1.0 - conditional[x]), expected(&|x| off[x]));
        prop_assert!((found.suppressed - outliers).abs() <= slack + 1e-9, "{} {outliers} ± {slack}", found.suppressed);
    }
}

/// A million cells, each rare: the probability is neither 0 nor 1 by rounding.
#[test]
fn a_million_cells_do_not_underflow() {
    let cells = vec![1_u64; 1_000_000];
    let rare = predict(
        summary(10, &cells, &[1]).as_ref(),
        &Scheme::new([0]),
        Goal::K(2),
        &PredictionOptions::default(),
    )
    .unwrap();
    assert!(rare.probability < 1e-9 && (rare.suppressed - 10.0).abs() < 1e-3, "{rare:?}");
    // Two hundred records each: all cells pass k = 100 with near certainty, k = 200 never.
    let many = summary(200_000_000, &cells, &[1]);
    let sure =
        predict(many.as_ref(), &Scheme::new([0]), Goal::K(100), &PredictionOptions::default())
            .unwrap();
    assert!(sure.probability > 0.99 && sure.suppressed < 1.0, "{sure:?}");
    let never =
        predict(many.as_ref(), &Scheme::new([0]), Goal::K(200), &PredictionOptions::default())
            .unwrap();
    assert!(never.probability < 1e-300 && never.suppressed > 9e7, "{never:?}");
    // In between, Poisson's law: each fails with its own probability, nearly independently.
    let k = 134;
    let between = predict(many.as_ref(), &Scheme::new([0]), Goal::K(k), &plain()).unwrap();
    let poisson = poisson_below(200.0, k);
    let expected = (-poisson * 1e6).exp();
    assert!((between.probability - expected).abs() < 0.02, "{between:?} {expected}");
    let bounded = PredictionOptions { predictor: Predictor::Bonferroni, ..plain() };
    let bounded = predict(many.as_ref(), &Scheme::new([0]), Goal::K(k), &bounded).unwrap();
    assert!(bounded.probability <= between.probability);
}

/// P(1 ≤ X < k) of Poisson's law.
fn poisson_below(mean: f64, k: u64) -> f64 {
    let mut term = (-mean).exp();
    let mut sum = 0.0;
    for x in 1..k {
        term *= mean / x as f64;
        sum += term;
    }
    sum
}

/// The approximations change little: at most the two hundredths that LIMIT may cost by design on
/// either side of its settled value.
#[test]
fn optimizations_change_little() {
    let cells: Vec<u64> = (1..30).map(|i| i * i).collect();
    let values = [30, 22, 14, 12, 9, 7, 6];
    for records in [500, 3_000] {
        let summary = summary(records, &cells, &values);
        for goal in [Goal::K(5), Goal::K(40), Goal::L(2.0), Goal::L(3.0)] {
            let exact = predict(summary.as_ref(), &Scheme::new([0]), goal, &plain()).unwrap();
            let fast =
                predict(summary.as_ref(), &Scheme::new([0]), goal, &PredictionOptions::default())
                    .unwrap();
            let slack = 0.02 * records as f64;
            assert!(
                (exact.suppressed - fast.suppressed).abs() <= slack,
                "{goal:?} {exact:?} {fast:?}"
            );
            assert!(
                (exact.probability - fast.probability).abs() <= 0.1,
                "{goal:?} {exact:?} {fast:?}"
            );
        }
    }
}

/// 4,000 tables drawn at random: predicted within four and a half standard errors, and the
/// approximation's own tolerance for probabilities.
#[test]
fn simulation_agrees() {
    use rand::{RngExt, SeedableRng};
    let cells: Vec<u64> = (3..23).map(|i| i * i).collect();
    let (n, k, runs) = (1_200_usize, 4_u64, 4_000);
    let chances = shares(&cells);
    let mut random = rand::rngs::StdRng::seed_from_u64(7);
    let (mut passed, mut lost, mut squares) = (0.0, 0.0, 0.0);
    for _ in 0..runs {
        let mut counts = vec![0_u64; cells.len()];
        for _ in 0..n {
            let mut rest: f64 = random.random();
            let at = chances
                .iter()
                .position(|p| {
                    rest -= p;
                    rest < 0.0
                })
                .unwrap_or(cells.len() - 1);
            counts[at] += 1;
        }
        let failing: u64 = counts.iter().filter(|&&c| c < k).sum();
        passed += f64::from(u8::from(failing == 0));
        lost += failing as f64;
        squares += (failing * failing) as f64;
    }
    let runs = f64::from(runs);
    let (share, mean) = (passed / runs, lost / runs);
    let found =
        predict(summary(n as u64, &cells, &[1]).as_ref(), &Scheme::new([0]), Goal::K(k), &plain())
            .unwrap();
    let error = (share * (1.0 - share) / runs).sqrt();
    assert!((found.probability - share).abs() < 4.5 * error + 0.01, "{found:?} {share} ± {error}");
    let error = ((squares / runs - mean * mean) / runs).sqrt();
    assert!((found.suppressed - mean).abs() < 4.5 * error, "{found:?} {mean} ± {error}");
}

/// Likelihoods .4, .35, .25 and l = 2: not monotone for small groups, so LIMIT must not stop early.
#[test]
fn the_conditional_probability_is_not_monotone() {
    let shares = [0.4, 0.35, 0.25];
    let found: Vec<f64> =
        (1..=4).map(|x| (diverse(x, &shares, 2.0) * 1000.0).round() / 1000.0).collect();
    assert_eq!(found, [0.0, 0.655, 0.21, 0.644]);
}
