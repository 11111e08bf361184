//! How many records: a count, or per cent of all, kept exact.

use std::fmt;
use std::str::FromStr;

use haggle_model::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number of records, or a share of them.
///
/// ```
/// use haggle::Amount;
///
/// assert_eq!("321".parse::<Amount>()?.of(30_162), 321);
/// assert_eq!("1%".parse::<Amount>()?.of(30_162), 301, "per cent are floored");
/// assert_eq!("0.57 %".parse::<Amount>()?.of(10_000), 57);
/// assert!("-3".parse::<Amount>().is_err());
/// assert!("101%".parse::<Amount>().is_err());
/// assert_eq!("1.00000000000%".parse::<Amount>()?, "1%".parse()?);
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// So many records.
    Records(u64),
    /// A decimal fraction of all records: `digits` / (100 · 10^`decimals`).
    Percent {
        /// The digits without the decimal point.
        digits: u64,
        /// How many of them stand behind it.
        decimals: u32,
    },
}

/// A share of records is written with at most this many decimals.
const MOST_DECIMALS: usize = 8;

impl Amount {
    /// Nothing at all.
    pub const ZERO: Self = Self::Records(0);

    /// The amount as a number of records, floored.
    pub fn of(self, records: u64) -> u64 {
        match self {
            Self::Records(n) => n,
            Self::Percent { digits, decimals } => {
                let share = u128::from(records) * u128::from(digits);
                (share / (100 * 10_u128.pow(decimals))) as u64
            }
        }
    }
}

/// This percentage of all records.
///
/// # Panics
///
/// If the number is not between 0 and 100, or not a number. Parse text from users instead.
///
/// ```
/// use haggle::percent;
///
/// assert_eq!(percent(1.0), "1%".parse()?);
/// assert_eq!(percent(0.5).of(1_000), 5);
/// # Ok::<(), haggle::Error>(())
/// ```
pub fn percent(share: f64) -> Amount {
    assert!((0.0..=100.0).contains(&share), "a percentage is between 0 and 100, not {share}");
    let text = format!("{share:.MOST_DECIMALS$}%");
    text.parse().expect("a number between 0 and 100 is a percentage")
}

impl From<u64> for Amount {
    fn from(records: u64) -> Self {
        Self::Records(records)
    }
}

impl FromStr for Amount {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || {
            let what = format!("'{text}' is not a number of records");
            Error::new(what, "write a count such as 321, or per cent such as 1% or 0.5%")
        };
        let text = text.trim();
        let Some(percent) = text.strip_suffix('%') else {
            return text.parse().map(Self::Records).map_err(|_| refuse());
        };
        let (whole, fraction) = percent.trim().split_once('.').unwrap_or((percent.trim(), ""));
        let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !plain(whole) || !plain(fraction) {
            return Err(refuse());
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > MOST_DECIMALS {
            let what = format!("'{text}' has more than {MOST_DECIMALS} decimals");
            return Err(Error::new(what, "round it"));
        }
        let (digits, decimals) = (format!("{whole}{fraction}"), fraction.len() as u32);
        let digits = digits.trim_start_matches('0');
        let digits = if digits.is_empty() { Ok(0) } else { digits.parse() };
        match digits {
            Ok(digits) if digits <= 100 * 10_u64.pow(decimals) => {
                Ok(Self::Percent { digits, decimals })
            }
            _ => Err(Error::new(
                format!("'{text}' is more than 100%"),
                "write a count, or per cent up to 100%",
            )),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Records(n) => write!(f, "{n}"),
            Self::Percent { digits, decimals: 0 } => write!(f, "{digits}%"),
            Self::Percent { digits, decimals } => {
                let unit = 10_u64.pow(decimals);
                let width = decimals as usize;
                write!(f, "{}.{:0width$}%", digits / unit, digits % unit)
            }
        }
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Records(n) => serializer.serialize_u64(*n),
            percent @ Self::Percent { .. } => serializer.collect_str(percent),
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "not a number of records such as 321, or per cent such as \"1%\""
        )]
        enum Written {
            Count(u64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Count(n) => Ok(Self::Records(n)),
            Written::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use haggle_model::ErrorKind;

    use super::*;

    #[test]
    fn shares_of_records_are_floored_exactly() {
        for (text, records, expected) in [
            ("0", 30_162, 0),
            ("321", 30_162, 321),
            ("1%", 30_162, 301),
            ("0.29%", 10_000, 29),
            ("0.5%", 199, 0),
            ("0.5%", 200, 1),
            ("0%", u64::MAX, 0),
            ("100%", u64::MAX, u64::MAX),
            ("99.99999999%", u64::MAX, 18_446_744_071_864_877_207),
        ] {
            let amount: Amount = text.parse().unwrap();
            assert_eq!(amount.of(records), expected, "{text} of {records}");
        }
        for (share, text) in [(0.0, "0%"), (0.5, "0.5%"), (1.0, "1%"), (100.0, "100%")] {
            assert_eq!(percent(share), text.parse().unwrap());
        }
    }

    #[test]
    fn every_amount_comes_back_from_text_and_json() {
        for (written, printed, json) in [
            ("0", "0", "0"),
            ("321", "321", "321"),
            ("0%", "0%", r#""0%""#),
            ("1%", "1%", r#""1%""#),
            ("0.57 %", "0.57%", r#""0.57%""#),
            ("1.50%", "1.5%", r#""1.5%""#),
            ("0.00000001%", "0.00000001%", r#""0.00000001%""#),
            ("100.0%", "100%", r#""100%""#),
        ] {
            let amount: Amount = written.parse().unwrap();
            assert_eq!(amount.to_string(), printed);
            assert_eq!(printed.parse::<Amount>().unwrap(), amount);
            assert_eq!(serde_json::to_string(&amount).unwrap(), json);
            assert_eq!(serde_json::from_str::<Amount>(json).unwrap(), amount);
        }
    }

    #[test]
    fn what_is_no_amount_is_refused_and_named() {
        let texts = ["", "-3", "1.5", "ten", "18446744073709551616", "%", ".%", "1,5%", "1e1%"];
        let shares = ["-1%", "1%%", "NaN%", "101%", "100.1%", "0.123456789%"];
        for text in texts.into_iter().chain(shares) {
            let error = text.parse::<Amount>().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BadInput, "{text}");
            assert!(error.to_string().contains(&format!("'{text}'")), "{error}");
        }
        for json in ["-1", "1.5", "true", "null", "[1]", r#""101%""#] {
            assert!(serde_json::from_str::<Amount>(json).is_err(), "{json}");
        }
    }
}
