//! How dates are written: day, month and year in some order; a time of day is ignored.

use std::fmt;
use std::str::FromStr;

use super::calendar::Date;

/// How dates are written, such as `YYYY-MM-DD`, `D.M.YYYY` or `M/D/YYYY`. A time that follows after
/// a blank or a `T` is ignored.
///
/// ```
/// use haggle_model::DateFormat;
/// assert!("D.M.YYYY".parse::<DateFormat>().is_ok());
/// assert!("D.M.YY".parse::<DateFormat>().is_err()); // of which century?
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateFormat {
    text: String,
    /// `Y`, `M`, `D` and how many digits each has at least and at most, in their order.
    fields: [(char, usize, usize); 3],
    separator: char,
}

/// The error for a text that is not a date format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a date format; write D, M and YYYY with a character between, such as D.M.YYYY"
)]
pub struct ParseDateFormatError(String);

impl FromStr for DateFormat {
    type Err = ParseDateFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseDateFormatError(text.into());
        let separator = text.chars().find(|c| !c.is_alphabetic()).ok_or_else(wrong)?;
        let field = |token: &str| match token {
            "YYYY" => Some(('Y', 4, 4)),
            "MM" => Some(('M', 2, 2)),
            "M" => Some(('M', 1, 2)),
            "DD" => Some(('D', 2, 2)),
            "D" => Some(('D', 1, 2)),
            _ => None,
        };
        let fields: Option<Vec<_>> = text.split(separator).map(field).collect();
        let fields: [_; 3] = fields.and_then(|list| list.try_into().ok()).ok_or_else(wrong)?;
        let complete = ['Y', 'M', 'D'].iter().all(|name| fields.iter().any(|f| f.0 == *name));
        if !complete || separator.is_ascii_digit() || separator.is_whitespace() {
            return Err(wrong());
        }
        Ok(Self { text: text.into(), fields, separator })
    }
}

impl fmt::Display for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl DateFormat {
    /// The formats that are recognized without being stated.
    pub fn known() -> [Self; 4] {
        let known = ["YYYY-MM-DD", "D.M.YYYY", "M/D/YYYY", "D/M/YYYY"];
        known.map(|text| text.parse().expect("a known format is one"))
    }

    /// Whether a text is a date that exists, written in this format.
    pub fn reads(&self, text: &str) -> bool {
        self.parse(text).is_some()
    }

    /// Returns the year, month and day of a text.
    pub fn day(&self, text: &str) -> Option<(u16, u8, u8)> {
        self.parse(text).map(|date| (date.year, date.month, date.day))
    }

    /// Parses the day of a text; a time of day is ignored.
    pub(super) fn parse(&self, text: &str) -> Option<Date> {
        let (date, time) = text.split_once(['T', ' ']).map_or((text, None), |(d, t)| (d, Some(t)));
        if !time.is_none_or(is_time) {
            return None;
        }
        let mut parts = date.split(self.separator);
        let (mut year, mut month, mut day) = (0, 0, 0);
        for (name, least, most) in self.fields {
            let part = parts.next()?;
            let digits = part.len() >= least && part.len() <= most;
            if !digits || !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            match name {
                'Y' => year = part.parse().ok()?,
                'M' => month = part.parse().ok()?,
                _ => day = part.parse().ok()?,
            }
        }
        if parts.next().is_some() { None } else { Date::new(year, month, day) }
    }
}

/// Hours and minutes, then whatever precision and zone follow.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (hour, minute) = (text.get(..2), text.get(3..5));
    let below = |part: Option<&str>, end: u8| {
        part.and_then(|part| part.parse().ok()).is_some_and(|number: u8| number < end)
    };
    below(hour, 25)
        && below(minute, 60)
        && bytes.get(2) == Some(&b':')
        && bytes.iter().all(|byte| byte.is_ascii_digit() || b":.,Z+-".contains(byte))
}
