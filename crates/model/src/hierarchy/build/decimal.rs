//! Decimal numbers that are compared and divided exactly: 0.3 / 0.1 is 3 here, not 2.99….

use std::fmt;
use std::ops::{Add, Mul, Sub};
use std::str::FromStr;

/// Digits after the point that are kept.
const DECIMALS: i32 = 18;
/// One, in the smallest unit.
const ONE: i128 = 1_000_000_000_000_000_000;

/// A decimal number below 10^18 with up to 18 digits after the point; further digits are rounded
/// down, which leaves every number on its side of every bound.
///
/// ```
/// use haggle_model::Decimal;
///
/// let number: Decimal = "17.50".parse()?;
/// assert_eq!(number.to_string(), "17.5");
/// assert!(number > Decimal::from(17) && !number.is_whole());
/// assert_eq!("1.5e3".parse::<Decimal>()?, Decimal::from(1500));
/// # Ok::<(), haggle_model::ParseDecimalError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(i128);

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// One.
    pub const ONE: Self = Self(ONE);

    /// Whether there is nothing after the point.
    pub fn is_whole(self) -> bool {
        self.0 % ONE == 0
    }

    /// How often `width` fits below this number, rounded down; the width must be above zero.
    pub fn floor_div(self, width: Self) -> i128 {
        self.0.div_euclid(width.0)
    }

    /// Whether this is `width` a whole number of times.
    pub fn is_multiple_of(self, width: Self) -> bool {
        width.0 != 0 && self.0 % width.0 == 0
    }
}

impl From<i64> for Decimal {
    /// Numbers of 10^18 and more are beyond what a `Decimal` compares, and become the largest.
    fn from(whole: i64) -> Self {
        Self(i128::from(whole).clamp(1 - ONE, ONE - 1) * ONE)
    }
}

impl From<i32> for Decimal {
    fn from(whole: i32) -> Self {
        i64::from(whole).into()
    }
}

impl Add for Decimal {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Decimal {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i128> for Decimal {
    type Output = Self;
    fn mul(self, times: i128) -> Self {
        Self(self.0 * times)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0.abs() / ONE, self.0.abs() % ONE);
        let sign = if self.0 < 0 { "-" } else { "" };
        if part == 0 {
            return f.pad(&format!("{sign}{whole}"));
        }
        f.pad(format!("{sign}{whole}.{part:018}").trim_end_matches('0'))
    }
}

/// The error for a text that is not a number: digits, at most one point, and optionally an
/// exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is not a number below 10^18; write digits with at most one point, such as 17.5")]
pub struct ParseDecimalError;

impl FromStr for Decimal {
    type Err = ParseDecimalError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse().or(Err(ParseDecimalError))?),
            None => (text, 0),
        };
        let unsigned = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
        let (whole, part) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits: Vec<u8> = whole.bytes().chain(part.bytes()).collect();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(ParseDecimalError);
        }
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
        let point = position(whole.len())? - position(zeros)?;
        let point = point.saturating_add(exponent);
        units(&digits[zeros..], point, mantissa.starts_with('-')).map(Self)
    }
}

fn position(digits: usize) -> Result<i32, ParseDecimalError> {
    digits.try_into().or(Err(ParseDecimalError))
}

/// Converts digits, of which the first is not 0, with the point after the `point`-th, to smallest
/// units.
fn units(digits: &[u8], point: i32, negative: bool) -> Result<i128, ParseDecimalError> {
    if digits.is_empty() {
        return Ok(0);
    }
    if point > DECIMALS {
        return Err(ParseDecimalError);
    }
    let kept = point.saturating_add(DECIMALS).max(0) as usize;
    let digit = |i: usize| i128::from(digits.get(i).map_or(0, |digit| digit - b'0'));
    let size = (0..kept).fold(0, |size, i| size * 10 + digit(i));
    let cut = digits.iter().skip(kept).any(|&digit| digit != b'0');
    Ok(if negative { -size - i128::from(cut) } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Option<String> {
        text.parse::<Decimal>().ok().map(|number| number.to_string())
    }

    #[test]
    fn numbers_are_read_as_people_and_programs_write_them() {
        let read = ["17", "-3.50", "+.5", "007", "1e3", "1.5E-3", "5.", "0", "-0.0", "0e99"];
        let shown = ["17", "-3.5", "0.5", "7", "1000", "0.0015", "5", "0", "0", "0"];
        assert_eq!(read.map(number), shown.map(|text| Some(text.to_owned())));
        assert_eq!(number("999999999999999999"), Some("999999999999999999".into()));
    }

    #[test]
    fn text_that_is_not_a_number_is_refused() {
        let none =
            ["", ".", "-", "abc", "1,5", "1 000", "0x10", "1e", "inf", "NaN", "--1", "1.2.3"];
        assert_eq!(none.map(number), none.map(|_| None));
        assert_eq!(number("1000000000000000000"), None);
        assert_eq!(number("1e18"), None);
    }

    #[test]
    fn digits_beyond_the_last_are_rounded_down() {
        assert_eq!(number("0.0000000000000000019"), Some("0.000000000000000001".into()));
        assert_eq!(number("-0.0000000000000000011"), Some("-0.000000000000000002".into()));
        assert_eq!(number("1e-300"), Some("0".into()));
        assert_eq!(number("-1e-300"), Some("-0.000000000000000001".into()));
    }

    #[test]
    fn division_is_exact_where_floating_point_is_not() {
        let [number, width]: [Decimal; 2] = ["0.3", "0.1"].map(|text| text.parse().unwrap());
        assert_eq!(number.floor_div(width), 3);
        assert_eq!((Decimal::ZERO - number).floor_div(width), -3);
        assert!(number.is_multiple_of(width));
    }
}
