//! The risk of a record of a sample, when only the sampling fraction is known.
//!
//! Given f records of a group in the sample, its size F in the population follows a negative
//! binomial distribution with success probability p, the sampling fraction. The risk is the
//! expectation of 1/F. Benedetti and Franconi, *Statistical and technological solutions for
//! controlled data dissemination* (1998); it is the individual risk of sdcMicro, which approximates
//! it for f > 2. Here it is exact: E(1) = p/(1−p)·ln(1/p), E(f) = p/(1−p)·(1/(f−1) − E(f−1)).

/// Returns the expectation of one over the size of a group in the population, given its size in a
/// sample that holds this fraction of the population.
///
/// ```
/// use haggle_inference::risk::expected_risk;
///
/// assert_eq!(expected_risk(4, 1.0), 0.25);
/// assert!((expected_risk(1, 1.0 / 17.0) - 0.17707583).abs() < 1e-8);
/// ```
pub fn expected_risk(size: u64, fraction: f64) -> f64 {
    if fraction >= 1.0 {
        return 1.0 / size.max(1) as f64;
    }
    if fraction <= 0.4 { by_recurrence(size, fraction) } else { by_series(size, fraction) }
}

/// An error is multiplied by p/(1−p) at each step, at most 2/3.
fn by_recurrence(size: u64, p: f64) -> f64 {
    let odds = p / (1.0 - p);
    let first = odds * (1.0 / p).ln();
    // The last two hundred steps forget where they started.
    let start = size.saturating_sub(200).max(1);
    let begin = if start == 1 { first } else { p / (start as f64 - (1.0 - p)) };
    (start + 1..=size).fold(begin, |risk, f| odds * (1.0 / (f - 1) as f64 - risk))
}

/// Sums over the sizes that the group may have; the terms fall geometrically from the mean on.
fn by_series(size: u64, p: f64) -> f64 {
    let (f, q) = (size as f64, 1.0 - p);
    let mean = f * q / p;
    let most = mean + 40.0 * mean.sqrt() + 200.0;
    let (mut ln_chance, mut sum, mut more) = (f * p.ln(), 0.0, 0.0);
    while more <= most {
        sum += ln_chance.exp() / (f + more);
        ln_chance += (q * (f + more) / (more + 1.0)).ln();
        more += 1.0;
    }
    sum
}
