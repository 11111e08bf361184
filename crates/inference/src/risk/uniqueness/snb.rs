//! SNB: group sizes in the population less one follow a negative binomial distribution, the slide
//! negative binomial.
//!
//! With K groups in the population, P(F = j) = C(α+j−2, j−1)·β^α·(1−β)^(j−1) and each record in the
//! sample with chance π, the expected numbers of groups of size 1 and 2 in the sample are
//! K·π·G′(1−π) and K·π²/2·G″(1−π) with G(z) = z·(β/(1−(1−β)z))^α. The parameters are those that
//! give the observed numbers; K is estimated as Haas and Stokes modify Shlosser's estimator.

use super::super::Sizes;
use super::{PopulationSample, UniquenessEstimator};

pub(super) const ESTIMATOR: UniquenessEstimator = UniquenessEstimator {
    id: "snb",
    title: "slide negative binomial (SNB)",
    citation: "G. Chen and S. Keller-McNulty, Estimation of Identification Disclosure Risk in \
               Microdata, Journal of Official Statistics 14 (1998), 79–95",
    valid: "if groups of size 1 and 2 occur and their expected numbers have a solution with α > 0 \
            and 0 < β < 1",
    estimate,
};

fn estimate(sample: &PopulationSample<'_>) -> Result<f64, &'static str> {
    let fraction = sample.fraction();
    if sample.sizes.groups_of(2) == 0 {
        return Err("there are no groups of size 2");
    }
    if fraction >= 1.0 {
        return Ok(sample.sizes.unique() as f64);
    }
    let groups = shlosser(sample.sizes, fraction);
    let observed = [1, 2].map(|size| sample.sizes.groups_of(size) as f64);
    let equations = Equations { groups, fraction, observed };
    let population = |&(alpha, beta): &(f64, f64)| groups * (1.0 + alpha * (1.0 - beta) / beta);
    let off = |solution: &(f64, f64)| (population(solution) - sample.population as f64).abs();
    let best = equations.solutions().into_iter().min_by(|a, b| off(a).total_cmp(&off(b)));
    let (alpha, beta) = best.ok_or("the expected numbers have no solution")?;
    Ok(groups * beta.powf(alpha))
}

/// The number of groups in the population, as Haas and Stokes modify Shlosser's estimator.
fn shlosser(sizes: &Sizes, pi: f64) -> f64 {
    let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
        sizes.iter().map(|(size, groups)| groups as f64 * term(size as f64)).sum()
    };
    let squared = sum(&|i| i * pi * pi * (1.0 - pi * pi).powf(i - 1.0));
    let differences = sum(&|i| (1.0 - pi * pi).powf(i) - (1.0 - pi).powf(i));
    let unseen = sum(&|i| (1.0 - pi).powf(i));
    let once = sum(&|i| i * pi * (1.0 - pi).powf(i - 1.0));
    sizes.groups() as f64
        + sizes.unique() as f64 * (squared / differences) * (unseen / once) * (unseen / once)
}

struct Equations {
    groups: f64,
    fraction: f64,
    observed: [f64; 2],
}

impl Equations {
    /// The relative differences between expected and observed numbers.
    fn residuals(&self, alpha: f64, beta: f64) -> [f64; 2] {
        let Self { groups, fraction, observed } = self;
        let fails = 1.0 - beta;
        let rest = 1.0 - fails * (1.0 - fraction);
        let power = (alpha * (beta / rest).ln()).exp();
        let once = groups * fraction * power * (1.0 + alpha * fails * (1.0 - fraction) / rest);
        let twice = groups * fraction * fraction / 2.0 * power * alpha * fails / (rest * rest)
            * (2.0 - (1.0 - alpha) * fails * (1.0 - fraction));
        [once / observed[0] - 1.0, twice / observed[1] - 1.0]
    }

    /// The solutions that Newton's method finds from a grid of starts.
    fn solutions(&self) -> Vec<(f64, f64)> {
        let mut found: Vec<(f64, f64)> = Vec::new();
        for start_alpha in [-6.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0] {
            for start_beta in [-8.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0] {
                let Some(solution) = self.newton([start_alpha, start_beta]) else { continue };
                let same = |known: &(f64, f64)| (known.0 / solution.0 - 1.0).abs() < 1e-6;
                if !found.iter().any(same) {
                    found.push(solution);
                }
            }
        }
        found
    }

    /// Newton's method in ln α and the log odds of β, with steps of at most 1.
    fn newton(&self, mut at: [f64; 2]) -> Option<(f64, f64)> {
        let parameters = |at: [f64; 2]| (at[0].exp(), 1.0 / (1.0 + (-at[1]).exp()));
        let of = |at: [f64; 2]| {
            let (alpha, beta) = parameters(at);
            self.residuals(alpha, beta)
        };
        for _ in 0..200 {
            let value = of(at);
            if value.iter().all(|residual| residual.abs() < 1e-11) {
                return Some(parameters(at)).filter(|(a, b)| *a > 1e-9 && *b > 1e-9 && *b < 1.0);
            }
            let step = 1e-6;
            let by = |i: usize| {
                let (mut up, mut down) = (at, at);
                (up[i], down[i]) = (at[i] + step, at[i] - step);
                let (up, down) = (of(up), of(down));
                [(up[0] - down[0]) / (2.0 * step), (up[1] - down[1]) / (2.0 * step)]
            };
            let (a, b) = (by(0), by(1));
            let determinant = a[0] * b[1] - b[0] * a[1];
            let move_a = (b[0] * value[1] - b[1] * value[0]) / determinant;
            let move_b = (a[1] * value[0] - a[0] * value[1]) / determinant;
            let longest = move_a.abs().max(move_b.abs());
            if !longest.is_finite() || at.iter().any(|x| x.abs() > 60.0) {
                return None;
            }
            let scale = 1.0_f64.min(1.0 / longest);
            at = [at[0] + scale * move_a, at[1] + scale * move_b];
        }
        None
    }
}
