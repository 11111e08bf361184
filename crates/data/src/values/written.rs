//! Typed values as people write them: 37, 0.1, true, 2024-02-29, 2024-02-29T12:30:00Z, 12.50.

use std::fmt::{Display, LowerExp, Write};

use super::ValueKind;

/// The seconds of a day.
pub(crate) const DAY: i64 = 86_400;

impl ValueKind {
    pub(crate) fn integer(self, value: i64, out: &mut String) -> Option<()> {
        match self {
            Self::Unsigned32 => plain(&(value as u32), out),
            Self::Unsigned64 => plain(&(value as u64), out),
            Self::Decimal(scale) => decimal(value.into(), scale, out),
            Self::Date => date(value, out),
            Self::Time(unit) => time(value.div_euclid(unit), value.rem_euclid(unit), unit, out),
            Self::Timestamp(unit, utc) => timestamp(value, unit, utc, out),
            _ => plain(&value, out),
        }
    }

    pub(crate) fn bytes(self, bytes: &[u8], out: &mut String) -> Option<()> {
        match self {
            Self::Decimal(scale) => decimal(big_endian(bytes)?, scale, out),
            Self::Half => {
                let value = half(u16::from_le_bytes(bytes.try_into().ok()?));
                float(value, value.into(), out)
            }
            Self::Uuid => uuid(bytes, out),
            _ => {
                out.push_str(std::str::from_utf8(bytes).ok()?);
                Some(())
            }
        }
    }
}

pub(crate) fn plain(value: &impl Display, out: &mut String) -> Option<()> {
    write!(out, "{value}").ok()
}

/// Returns the shortest text that means this number and no other.
pub(crate) fn float<T: Display + LowerExp>(value: T, size: f64, out: &mut String) -> Option<()> {
    match size.abs() {
        0.0 => plain(&0, out),
        1e-5..1e16 => plain(&value, out),
        finite if finite.is_finite() => write!(out, "{value:e}").ok(),
        _ => plain(&value, out),
    }
}

/// A number of half precision: sign, five bits of exponent, ten of fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    }
}

/// A number in two's complement, most significant byte first; `None` if it does not fit.
fn big_endian(bytes: &[u8]) -> Option<i128> {
    let negative = bytes.first().is_some_and(|byte| byte >> 7 == 1);
    let fill = if negative { 0xff } else { 0 };
    let (extra, last) = bytes.split_at(bytes.len().saturating_sub(16));
    if extra.iter().any(|&byte| byte != fill) {
        return None;
    }
    let mut all = [fill; 16];
    all[16 - last.len()..].copy_from_slice(last);
    let value = i128::from_be_bytes(all);
    (extra.is_empty() || (value < 0) == negative).then_some(value)
}

fn decimal(value: i128, scale: u32, out: &mut String) -> Option<()> {
    if scale == 0 {
        return plain(&value, out);
    }
    let sign = if value < 0 { "-" } else { "" };
    let unit = 10_u128.pow(scale);
    let (whole, part) = (value.unsigned_abs() / unit, value.unsigned_abs() % unit);
    write!(out, "{sign}{whole}.{part:0width$}", width = scale as usize).ok()
}

fn uuid(bytes: &[u8], out: &mut String) -> Option<()> {
    for (i, byte) in bytes.iter().enumerate() {
        let dash = if [4, 6, 8, 10].contains(&i) { "-" } else { "" };
        write!(out, "{dash}{byte:02x}").ok()?;
    }
    Some(())
}

/// Returns the day this many days after 1970-01-01, in the Gregorian calendar.
pub(crate) fn date(days: i64, out: &mut String) -> Option<()> {
    // Years are counted from 1 March, so that the day that leap years add comes last; 400 of them
    // always have the same number of days.
    const ERA: i64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    write!(out, "{year:04}-{month:02}-{day:02}").ok()
}

/// Returns the time this many seconds after midnight, with fractions of a second.
pub(crate) fn time(seconds: i64, part: i64, in_a_second: i64, out: &mut String) -> Option<()> {
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    write!(out, "{hours:02}:{minutes:02}:{:02}", seconds % 60).ok()?;
    if part > 0 {
        let digits = in_a_second.ilog10() as usize;
        let text = format!("{part:0digits$}");
        write!(out, ".{}", text.trim_end_matches('0')).ok()?;
    }
    Some(())
}

fn timestamp(value: i64, in_a_second: i64, utc: bool, out: &mut String) -> Option<()> {
    let seconds = value.div_euclid(in_a_second);
    date(seconds.div_euclid(DAY), out)?;
    out.push('T');
    time(seconds.rem_euclid(DAY), value.rem_euclid(in_a_second), in_a_second, out)?;
    if utc {
        out.push('Z');
    }
    Some(())
}
