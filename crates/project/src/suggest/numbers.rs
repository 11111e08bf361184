//! Numbers: intervals of round widths, or bounds by quantiles where most numbers are close
//! together.

use haggle_data::ColumnProfile;
use haggle_model::{Bounds, Decimal, Intervals, OpenEnds};

use super::Proposal;

/// The first level has at most this many intervals.
const INTERVALS: f64 = 20.0;
/// If one interval holds more than this share of the records, widths should differ.
const DENSE_SHARE: f64 = 0.5;
/// The number of parts of equal share at the first level of bounds.
const PARTS: usize = 8;

pub(super) fn propose(column: &ColumnProfile) -> Option<Proposal> {
    let (least, most) = column.shape.range()?;
    let (least, most) = (float(least), float(most));
    let widths = widths(most - least, column.shape.is_whole())?;
    let narrow = float(widths[0].parse().ok()?);
    let values = values(column);
    if crowd(&values, narrow) > DENSE_SHARE
        && let Some(proposal) = quantiles(&values, least)
    {
        return Some(proposal);
    }
    let decimals = widths.iter().map(|width| width.parse()).collect::<Result<Vec<Decimal>, _>>();
    let rule = Intervals::new(decimals.ok()?, Decimal::ZERO, OpenEnds::default()).ok()?;
    let states_decimals = !column.shape.is_whole() && rule.widths().iter().all(|w| w.is_whole());
    let rule = if states_decimals { rule.with_decimals() } else { rule };
    let why = format!("numbers from {least} to {most}, so intervals of round widths");
    Some(Proposal::new(rule, why))
}

fn float(number: Decimal) -> f64 {
    number.to_string().parse().unwrap_or(0.0)
}

/// The values that are kept as numbers, smallest first, with how often each occurs.
fn values(column: &ColumnProfile) -> Vec<(f64, u64)> {
    let number = |&(value, count): &(&str, u64)| Some((float(value.parse().ok()?), count));
    let mut values: Vec<(f64, u64)> = column.sample.values().iter().filter_map(number).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    values
}

/// Up to three widths such as 5, 10, 20, the last still narrower than the range.
fn widths(range: f64, whole: bool) -> Option<Vec<String>> {
    let least = if whole { 2.0 } else { 0.0 };
    let power = (range / INTERVALS).log10().floor();
    if range <= least || !power.is_finite() {
        return None;
    }
    let powers = [power, power + 1.0];
    let nice = powers.iter().flat_map(|p| [1, 2, 5].map(|digit| (digit, *p as i32)));
    let fits = |&(digit, power): &(i32, i32)| {
        let width = f64::from(digit) * 10_f64.powi(power);
        width >= least && range / width <= INTERVALS
    };
    let (digit, power) = nice.into_iter().find(fits)?;
    let steps = match digit {
        2 if range < 20.0 * 10_f64.powi(power) => [2, 4, 8],
        2 => [2, 10, 20],
        5 => [5, 10, 20],
        _ => [1, 5, 10],
    };
    let narrow_enough = |step: &&i32| f64::from(**step) * 10_f64.powi(power) < range;
    let widths = steps.iter().filter(narrow_enough).map(|step| format!("{step}e{power}"));
    Some(widths.collect())
}

/// The largest share of the records within one interval.
fn crowd(values: &[(f64, u64)], width: f64) -> f64 {
    let all: u64 = values.iter().map(|(_, count)| count).sum();
    let cell = |value: f64| (value / width).floor() as i64;
    let cells = values.chunk_by(|a, b| cell(a.0) == cell(b.0));
    let most = cells.map(|cell| cell.iter().map(|(_, count)| count).sum::<u64>()).max();
    most.unwrap_or(0) as f64 / all.max(1) as f64
}

/// Round bounds that split the records into parts of similar size; where a single number is most
/// of the records, the different numbers are split instead.
fn quantiles(values: &[(f64, u64)], least: f64) -> Option<Proposal> {
    let all: u64 = values.iter().map(|(_, count)| count).sum();
    let largest = values.iter().map(|(_, count)| *count).max()?;
    let alone = largest as f64 > DENSE_SHARE * all as f64;
    let weight = |count: u64| if alone { 1 } else { count };
    let total: u64 = values.iter().map(|(_, count)| weight(*count)).sum();
    let mut bounds: Vec<Decimal> = Vec::new();
    let (mut seen, mut part) = (0, 1);
    for (value, count) in values {
        if seen as f64 >= part as f64 / PARTS as f64 * total as f64 {
            part = (seen * PARTS as u64 / total) as usize + 1;
            let round: Decimal = format!("{value:.1e}").parse().ok()?;
            if float(round) > least && bounds.last().is_none_or(|last| *last < round) {
                bounds.push(round);
            }
        }
        seen += weight(*count);
    }
    let coarser: Vec<Decimal> = bounds.iter().skip(1).step_by(2).copied().collect();
    let levels: Vec<_> = [bounds, coarser].into_iter().filter(|level| level.len() > 1).collect();
    let is_whole = |bounds: &[Vec<Decimal>]| bounds.iter().flatten().all(|bound| bound.is_whole());
    let states_decimals = values.iter().any(|(v, _)| v.fract() != 0.0) && is_whole(&levels);
    let rule = Bounds::new(levels).ok()?;
    let rule = if states_decimals { rule.with_decimals() } else { rule };
    let what =
        if alone { "most records have one number" } else { "the numbers are close together" };
    let why = format!("{what}, so round bounds near the quantiles serve better than equal widths");
    Some(Proposal::new(rule, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_round_and_narrower_than_the_range() {
        assert_eq!(widths(73.0, true).unwrap(), ["5e0", "10e0", "20e0"]);
        assert_eq!(widths(15.0, true).unwrap(), ["2e0", "4e0", "8e0"]);
        assert_eq!(widths(1_500_000.0, true).unwrap(), ["1e5", "5e5", "10e5"]);
        assert_eq!(widths(0.9, false).unwrap(), ["5e-2", "10e-2", "20e-2"]);
        assert_eq!(widths(2.0, true), None);
        assert_eq!(widths(0.0, false), None);
    }

    #[test]
    fn skewed_numbers_get_bounds_that_split_the_records() {
        let values: Vec<(f64, u64)> = (1..=100).map(|i| (f64::from(i * i * i), 10)).collect();
        let rule = quantiles(&values, 1.0).unwrap().rule.unwrap();
        assert_eq!(
            rule.to_string(),
            "bounds at 2700, 18000, 59000, 130000, 260000, 440000 and 700000; at 18000, 130000 and 440000"
        );
        let zeros = [(0.0, 1000), (114.0, 1), (400.0, 2), (7000.0, 1), (99999.0, 5)];
        assert!(quantiles(&zeros, 0.0).unwrap().why.starts_with("most records have one number"));
    }
}
