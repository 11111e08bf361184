//! Axes: the position of a value, and ticks at round numbers.

use haggle_model::numerals::{by_power_of_ten, grouped};

/// Thresholds that span more than this many times the least are compared by their ratios.
const WIDE: f64 = 40.0;
/// Losses are compared by their differences, unless most of them would look like zero.
const VERY_WIDE: f64 = 1000.0;

/// Numbers beyond this, infinite ones too, are drawn at the end of the axis: sums of them must stay
/// finite.
const LARGEST: f64 = 1e300;
/// Numbers nearer to 0 than this are drawn at 0: their steps would be too small to see.
const SMALLEST: f64 = 1e-290;
/// Numbers this much smaller than the largest number on an axis are drawn at 0. A strict model
/// offers the number next to 0, which must not stretch the axis over three hundred powers of ten.
const NEGLIGIBLE: f64 = 1e-12;
/// The digits of round numbers.
const ROUND_DIGITS: [f64; 3] = [1.0, 2.0, 5.0];

/// A range of values with ticks at round numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    pub(super) ticks: Vec<f64>,
    decimals: usize,
}

impl Axis {
    /// An axis over thresholds with about this many ticks; logarithmic where they span much.
    pub(super) fn covering(values: impl IntoIterator<Item = f64>, many: usize) -> Self {
        Self::beyond(values, many, WIDE)
    }

    /// An axis over losses.
    pub(super) fn of_losses(values: impl IntoIterator<Item = f64>, many: usize) -> Self {
        Self::beyond(values, many, VERY_WIDE)
    }

    fn beyond(values: impl IntoIterator<Item = f64>, many: usize, wide: f64) -> Self {
        let values = drawable(values);
        let (low, high) = span(&values);
        // Between whole numbers there are no values, so no tick is drawn there. 0 and 1 may be
        // shares.
        let whole = high - low > 1.0 && values.iter().all(|value| value.fract() == 0.0);
        if low > 0.0 && high / low > wide {
            Self::logarithmic(low, high, many)
        } else {
            Self::linear(low, high, many, f64::from(u8::from(whole)))
        }
    }

    /// An axis for counts: from 0, in whole steps.
    pub(super) fn of_counts(most: u64, many: usize) -> Self {
        Self::linear(0.0, most.max(1) as f64, many, 1.0)
    }

    fn linear(low: f64, high: f64, many: usize, finest: f64) -> Self {
        let (low, high) = apart(low, high);
        let step = round_step((high - low) / many as f64).max(finest);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let ticks = (0..=(last - first) as usize).map(|i| (first + i as f64) * step).collect();
        let (low, high, decimals) = (first * step, last * step, decimals(step));
        Self { low, high, logarithmic: false, ticks, decimals }
    }

    /// From one round number to another, with ticks at those that have room.
    fn logarithmic(low: f64, high: f64, many: usize) -> Self {
        let decades = (low.log10() + 1e-9).floor() as i32..=(high.log10() - 1e-9).ceil() as i32;
        let round = |digits: &'static [f64]| {
            let decades = decades.clone();
            decades.flat_map(move |decade| digits.iter().map(move |d| d * 10_f64.powi(decade)))
        };
        let low = round(&ROUND_DIGITS).rfind(|&end| end <= low * (1.0 + 1e-9)).unwrap_or(low);
        let high = round(&ROUND_DIGITS).find(|&end| end >= high * (1.0 - 1e-9)).unwrap_or(high);
        let within = |digits: &'static [f64]| -> Vec<f64> {
            round(digits).filter(|&tick| tick >= low * 0.999 && tick <= high * 1.001).collect()
        };
        let fine = within(&ROUND_DIGITS);
        let coarse = within(&ROUND_DIGITS[..1]);
        let every = coarse.len().div_ceil(many.max(1)).max(1);
        let coarse = coarse.into_iter().step_by(every).collect();
        let ticks = if fine.len() <= many + 2 { fine } else { coarse };
        Self { low, high, logarithmic: true, ticks, decimals: 0 }
    }

    /// Returns the position of a value, from 0 at the beginning of the axis to 1 at its end.
    pub(super) fn place(&self, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        let value = value.clamp(-LARGEST, LARGEST);
        let along = |value: f64| if self.logarithmic { value.max(SMALLEST).ln() } else { value };
        let share = (along(value) - along(self.low)) / (along(self.high) - along(self.low));
        share.clamp(0.0, 1.0)
    }

    /// What is added to the name of the axis.
    pub(super) fn manner(&self) -> &'static str {
        if self.logarithmic { ", logarithmic" } else { "" }
    }

    /// A tick's number.
    pub(super) fn label(&self, tick: f64) -> String {
        let decimals = if self.logarithmic { decimals(tick) } else { self.decimals };
        grouped(tick, decimals)
    }
}

/// The decimals that a round number needs.
fn decimals(round: f64) -> usize {
    (-(round.log10() + 1e-9).floor()).max(0.0) as usize
}

/// The numbers that an axis is made for: missing and infinite ones left out, the others within what
/// it can show.
fn drawable(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    let mut values: Vec<f64> = finite.map(|value| value.clamp(-LARGEST, LARGEST)).collect();
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let least = (largest * NEGLIGIBLE).max(SMALLEST);
    for value in values.iter_mut().filter(|value| value.abs() < least) {
        *value = 0.0;
    }
    values
}

/// The ends of an axis, with room between them even where all values are one.
fn apart(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if high - low > size * NEGLIGIBLE {
        return (low, high);
    }
    let room = (size * 0.01).max(0.5);
    (low - room, high + room)
}

fn span(values: &[f64]) -> (f64, f64) {
    let nothing = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) =
        values.iter().fold(nothing, |(low, high), &value| (low.min(value), high.max(value)));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// The least of 1, 2 or 5 times a power of ten that is as large.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= step * 0.999_999);
    times.unwrap_or(10.0) * power
}

/// Writes a value with at most four significant digits.
pub(super) fn value(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-8 {
        return by_power_of_ten(number);
    }
    let digits = if number == 0.0 { 0 } else { 3 - number.abs().log10().floor() as i32 };
    let text = grouped(number, digits.clamp(0, 8) as usize);
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|&tick| axis.label(tick)).collect()
    }

    #[test]
    fn ticks_are_round_and_cover_the_values() {
        assert_eq!(labels(&Axis::of_counts(15_318, 6)).join(" "), "0 5,000 10,000 15,000 20,000");
        assert_eq!(labels(&Axis::of_counts(0, 6)).join(" "), "0 1");
        assert_eq!(
            labels(&Axis::covering([0.11, 0.32], 5)).join(" "),
            "0.10 0.15 0.20 0.25 0.30 0.35"
        );
        assert_eq!(labels(&Axis::covering([-0.3, 0.2], 5)).join(" "), "-0.3 -0.2 -0.1 0.0 0.1 0.2");
        assert_eq!(labels(&Axis::covering([7.0], 4)).len(), 3, "a single value has room around it");
        assert_eq!(labels(&Axis::covering([2.0, 4.0], 8)).join(" "), "2 3 4", "whole numbers only");
        assert_eq!(labels(&Axis::covering([], 4)).first().unwrap(), "0.0");
    }

    #[test]
    fn values_of_many_sizes_are_on_a_logarithmic_axis() {
        assert_eq!(
            labels(&Axis::covering([2.0, 900.0], 10)).join(" "),
            "2 5 10 20 50 100 200 500 1,000"
        );
        assert_eq!(labels(&Axis::covering([0.004, 1.0], 4)).join(" "), "0.01 0.1 1");
        let axis = Axis::covering([1.0, 30_162.0], 6);
        assert!((axis.place(100.0) - 2.0 / 5.0).abs() < 0.1, "{axis:?}");
        assert!(axis.ticks.len() <= 8, "{axis:?}");
    }

    /// Numbers at which arithmetic goes wrong first.
    const EDGES: [f64; 17] = [
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        f64::MIN_POSITIVE,
        1e-200,
        f64::EPSILON,
        0.3,
        1.0,
        1e17,
        1e17 + 16.0,
        1e300,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];

    fn check(axis: &Axis, values: &[f64]) {
        assert!((1..=30).contains(&axis.ticks.len()), "{values:?} gives {axis:?}");
        assert!(axis.ticks.is_sorted(), "{values:?} gives {axis:?}");
        for number in axis.ticks.iter().chain(values).chain(&EDGES) {
            let place = axis.place(*number);
            assert!((0.0..=1.0).contains(&place), "{number} at {place} of {axis:?}");
        }
        for label in labels(axis) {
            assert!(label.chars().count() < 16, "{values:?} gives {label}");
        }
    }

    #[test]
    fn an_axis_can_be_made_of_any_numbers() {
        for a in EDGES {
            for b in EDGES {
                for c in EDGES {
                    for many in [1, 5, 9] {
                        check(&Axis::covering([a, b, c], many), &[a, b, c]);
                        check(&Axis::of_losses([a, b, c], many), &[a, b, c]);
                    }
                    assert!(value(a).chars().count() < 16, "{}", value(a));
                }
            }
        }
        check(&Axis::of_counts(u64::MAX, 6), &[]);
    }

    #[test]
    fn the_number_next_to_nothing_does_not_stretch_the_axis() {
        let axis = Axis::covering([5e-324, 0.1, 0.32], 5);
        assert_eq!(labels(&axis).join(" "), "0.0 0.1 0.2 0.3 0.4");
        assert!((axis.place(0.2) - 0.5).abs() < 1e-9, "{axis:?}");
        assert_eq!(
            (value(5e-324), value(2e-10), value(f64::INFINITY)),
            ("5·10^-324".into(), "2·10^-10".into(), "∞".into())
        );
    }

    #[test]
    fn numbers_are_as_people_write_them() {
        assert_eq!(value(0.123_456), "0.1235");
        assert_eq!(value(12.0), "12");
    }
}
