//! What all values of a column have in common: numbers, dates, lengths.

use haggle_model::{DateFormat, Decimal};

/// What all values of a column have in common.
///
/// ```
/// use haggle_data::Shape;
///
/// let mut codes = Shape::default();
/// for code in ["01067", "10115"] {
///     codes.add(code);
/// }
/// assert!(codes.is_number() && codes.digits && codes.leading_zero);
/// assert_eq!((codes.shortest, codes.longest), (5, 5));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    numbers: Numbers,
    /// Whether all consist of digits alone.
    pub digits: bool,
    /// Whether one is longer than `0` and begins with it.
    pub leading_zero: bool,
    /// The formats that all follow, if all are dates.
    pub dates: Vec<DateFormat>,
    /// The characters of the shortest.
    pub shortest: usize,
    /// The characters of the longest.
    pub longest: usize,
}

/// What is known of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Numbers {
    /// No value was seen yet.
    Open,
    /// All values were numbers.
    All { least: Decimal, most: Decimal, whole: bool },
    /// A value was not a number.
    No,
}

impl Numbers {
    fn of(value: &str) -> Self {
        value.parse().map_or(Self::No, |number: Decimal| Self::All {
            least: number,
            most: number,
            whole: number.is_whole(),
        })
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Open, one) | (one, Self::Open) => one,
            (
                Self::All { least, most, whole },
                Self::All { least: least_too, most: most_too, whole: whole_too },
            ) => Self::All {
                least: least.min(least_too),
                most: most.max(most_too),
                whole: whole && whole_too,
            },
        }
    }
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            numbers: Numbers::Open,
            digits: true,
            leading_zero: false,
            dates: DateFormat::known().to_vec(),
            shortest: usize::MAX,
            longest: 0,
        }
    }
}

impl Shape {
    /// Adds a value; a value that was added before changes nothing.
    pub fn add(&mut self, value: &str) {
        let length = value.chars().count();
        self.shortest = self.shortest.min(length);
        self.longest = self.longest.max(length);
        self.digits &= length > 0 && value.bytes().all(|byte| byte.is_ascii_digit());
        self.leading_zero |= length > 1 && value.starts_with('0');
        self.dates.retain(|format| format.reads(value));
        if self.numbers != Numbers::No {
            self.numbers = self.numbers.and(Numbers::of(value));
        }
    }

    /// Whether there are values and all are numbers.
    pub fn is_number(&self) -> bool {
        self.range().is_some()
    }

    /// Whether there are values and all are whole numbers.
    pub fn is_whole(&self) -> bool {
        matches!(self.numbers, Numbers::All { whole: true, .. })
    }

    /// Whether there are values and all are dates.
    pub fn is_date(&self) -> bool {
        self.longest > 0 && !self.dates.is_empty()
    }

    /// The smallest and the largest, if all are numbers.
    pub fn range(&self) -> Option<(Decimal, Decimal)> {
        match self.numbers {
            Numbers::All { least, most, .. } => Some((least, most)),
            _ => None,
        }
    }

    /// Adds what another shape has seen.
    pub fn merge(&mut self, other: &Self) {
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        self.digits &= other.digits;
        self.leading_zero |= other.leading_zero;
        self.dates.retain(|format| other.dates.contains(format));
        self.numbers = self.numbers.and(other.numbers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(values: &[&str]) -> Shape {
        let mut shape = Shape::default();
        for value in values {
            shape.add(value);
        }
        shape
    }

    #[test]
    fn what_several_threads_saw_is_what_one_would_have_seen() {
        let lists: [&[&str]; 5] =
            [&[], &["1", "2.5"], &["abc", "7"], &["2024-01-31"], &["007", "1.2.2024"]];
        for first in lists {
            for second in lists {
                let mut merged = shape(first);
                merged.merge(&shape(second));
                assert_eq!(merged, shape(&[first, second].concat()), "{first:?} {second:?}");
            }
        }
    }

    #[test]
    fn numbers_have_a_range_and_texts_have_none() {
        let (least, most) = shape(&["3", "-1.5", "20"]).range().unwrap();
        assert_eq!((least.to_string(), most.to_string()), ("-1.5".into(), "20".into()));
        assert_eq!(shape(&["3", "x"]).range(), None);
        assert!(!shape(&["x", "3"]).is_number() && !shape(&[]).is_number());
    }
}
