//! Numbers that are compared exactly where they are fractions, and forgivingly where they are not.

use std::ops::{Add, Div, Mul, Sub};

/// How far from passing a comparison may be if a side of it was rounded.
const TOLERANCE: f64 = 1e-9;

/// Fractions up to this denominator are at least 1e-12 apart, so that a number of moderate size
/// is the rounded form of at most one of them.
const LARGEST_DENOMINATOR: i128 = 1_000_000;

/// Up to here all whole numbers are exact.
const LARGEST_WHOLE: f64 = 9e15;

/// A fraction, in lowest terms over a positive denominator, or a rounded number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Number {
    Fraction(i128, i128),
    Rounded(f64),
}

use Number::{Fraction, Rounded};

impl Number {
    pub(super) const ZERO: Self = Fraction(0, 1);
    pub(super) const ONE: Self = Fraction(1, 1);

    pub(super) fn ratio(part: usize, whole: usize) -> Self {
        reduced(part as i128, whole as i128)
    }

    /// The fraction that was written as `number`: a continued fraction is unfolded until its
    /// value rounds to the number. What no fraction rounds to was computed, and stays rounded.
    pub(super) fn written(number: f64) -> Self {
        let (mut last, mut this) = ((0, 1), (1, 0));
        let mut rest = number;
        while rest.abs() <= LARGEST_WHOLE {
            let whole = rest.floor() as i128;
            (last, this) = (this, (whole * this.0 + last.0, whole * this.1 + last.1));
            if this.1 > LARGEST_DENOMINATOR {
                break;
            }
            #[expect(clippy::float_cmp, reason = "the very same number is asked for")]
            if this.0 as f64 / this.1 as f64 == number {
                return Fraction(this.0, this.1);
            }
            rest = (rest - rest.floor()).recip();
        }
        Rounded(number)
    }

    pub(super) fn value(self) -> f64 {
        match self {
            Fraction(above, below) => above as f64 / below as f64,
            Rounded(number) => number,
        }
    }

    pub(super) fn is_zero(self) -> bool {
        matches!(self, Fraction(0, _))
    }

    /// Whether `self <= other`.
    pub(super) fn at_most(self, other: Self) -> bool {
        match (self, other) {
            (Fraction(a, b), Fraction(c, d)) => a * d <= c * b,
            _ => self.value() <= other.value() + TOLERANCE,
        }
    }

    /// Whether `self < other`.
    pub(super) fn below(self, other: Self) -> bool {
        match (self, other) {
            (Fraction(a, b), Fraction(c, d)) => a * d < c * b,
            _ => self.value() < other.value() + TOLERANCE,
        }
    }

    /// The larger of two; of two that are equal, either.
    pub(super) fn max(self, other: Self) -> Self {
        if self.at_most(other) { other } else { self }
    }
}

fn reduced(above: i128, below: i128) -> Number {
    assert!(below != 0, "a share of nothing");
    let divisor = common_divisor(above.abs(), below.abs()) * below.signum();
    Fraction(above / divisor, below / divisor)
}

fn common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

impl Add for Number {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        match (self, other) {
            (Fraction(a, b), Fraction(c, d)) => reduced(a * d + c * b, b * d),
            _ => Rounded(self.value() + other.value()),
        }
    }
}

impl Sub for Number {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        match (self, other) {
            (Fraction(a, b), Fraction(c, d)) => reduced(a * d - c * b, b * d),
            _ => Rounded(self.value() - other.value()),
        }
    }
}

impl Mul for Number {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        match (self, other) {
            (Fraction(a, b), Fraction(c, d)) => reduced(a * c, b * d),
            _ => Rounded(self.value() * other.value()),
        }
    }
}

impl Div for Number {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        match (self, other) {
            (Fraction(a, b), Fraction(c, d)) => reduced(a * d, b * c),
            _ => Rounded(self.value() / other.value()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Number::{self, Fraction, Rounded};

    #[test]
    fn a_ratio_of_counts_is_recognized_in_its_rounded_form() {
        for whole in 1..=400_usize {
            for part in 0..=3 * whole {
                let Fraction(a, b) = Number::ratio(part, whole) else { panic!("a fraction") };
                let written = Number::written(part as f64 / whole as f64);
                assert!(matches!(written, Fraction(c, d) if (a, b) == (c, d)), "{part}/{whole}");
            }
        }
    }

    #[test]
    fn decimals_are_recognized() {
        for number in -20_000..20_000_i128 {
            let written = Number::written(format!("{number}e-4").parse().expect("a number"));
            assert!(
                matches!(written, Fraction(a, b) if a * 10_000 == number * b && b > 0),
                "{number} gives {written:?}"
            );
        }
    }

    #[test]
    fn what_was_computed_stays_rounded() {
        for number in [2_f64.ln(), 1.0 - 0.7, (1.0_f64 / 3.0).next_up(), 1e-9, f64::INFINITY] {
            assert!(matches!(Number::written(number), Rounded(_)), "{number}");
        }
    }

    #[test]
    fn fractions_are_compared_exactly_and_rounded_numbers_forgivingly() {
        // In floats 1.12·25 is above 28.
        let product = Number::written(1.12) * Number::ratio(25, 1);
        assert!(!Number::ratio(28, 1).below(product) && Number::ratio(28, 1).at_most(product));
        let computed = Number::written(1.0 - 0.7);
        assert!(Number::written(0.3).below(computed) && computed.at_most(Number::written(0.3)));
    }
}
