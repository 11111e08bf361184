//! Intervals of numbers or dates, as published values write them.

use crate::hierarchy::day_line;
use crate::{DateFormat, Hierarchy, Level};

/// Numbers or dates between two ends, as files write them: `18–23`, `18-23`, `[18, 23]`,
/// `[18, 24)`, `[18, 24[`, `(17, 23]`, `<18`, `≥65`. Dates are written as ISO 8601 does. A rule writes
/// `18-23` for whole units: 23.5 lies in it.
///
/// ```
/// use haggle_model::{Hierarchy, Interval};
///
/// let age = Hierarchy::flat(["17", "18", "23", "24"]);
/// let codes = |text| Interval::parse(text).map(|interval| interval.codes(&age));
/// assert_eq!(codes("18–23"), Some(vec![1, 2]));
/// assert_eq!(codes("[18,24)"), Some(vec![1, 2]));
/// assert_eq!(codes("≥23"), Some(vec![2, 3]));
/// assert_eq!(codes("eighteen"), None);
///
/// let dose = Hierarchy::flat(["23", "23.5", "24"]);
/// assert_eq!(Interval::parse("18-23").unwrap().codes(&dose), [0, 1]);
/// assert_eq!(Interval::parse("[18, 23]").unwrap().codes(&dose), [0]);
///
/// let born = Hierarchy::flat(["11.1.2019", "2.1.2020", "1.2.2020"]);
/// assert_eq!(Interval::parse("<2020-02-01").unwrap().codes(&born), [0, 1]);
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
    has_low: bool,
    has_high: bool,
    kind: IntervalKind,
}

/// What an interval is one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IntervalKind {
    Numbers,
    /// Whole numbers: a value whose decimals alone are beyond the last one belongs to it.
    Units,
    Dates,
}

/// An end of an interval.
enum End {
    Number(f64),
    Day(f64),
    Open,
}

impl Interval {
    /// Parses a text; none if it is not an interval.
    pub fn parse(text: &str) -> Option<Self> {
        let bracketed = || {
            let inner = text.strip_prefix(['[', '(', ']'])?.strip_suffix([']', ')', '['])?;
            let (low, high) = inner.split_once([',', ';'])?;
            Some((low, high, text.starts_with('['), text.ends_with(']')))
        };
        let open = || {
            let below = text.strip_prefix('<').map(|high| ("-∞", high, false, false));
            below.or_else(|| text.strip_prefix('≥').map(|low| (low, "∞", true, false)))
        };
        let plain = || {
            // The first character may be a sign.
            let at = text.char_indices().skip(1).find(|(_, c)| matches!(c, '–' | '-'))?;
            let high = &text[at.0 + at.1.len_utf8()..];
            Some((&text[..at.0], high, true, true))
        };
        let (low, high, has_low, has_high) = bracketed().or_else(open).or_else(plain)?;
        let is_dashed = text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains('–');
        let of_numbers = |low: f64, high: f64| {
            let is_of_units = is_dashed && low.fract() == 0.0 && high.fract() == 0.0;
            if is_of_units { IntervalKind::Units } else { IntervalKind::Numbers }
        };
        let (open, numbers, dates) = (f64::INFINITY, IntervalKind::Numbers, IntervalKind::Dates);
        let (low, high, kind) = match (end(low)?, end(high)?) {
            (End::Number(low), End::Number(high)) => (low, high, of_numbers(low, high)),
            (End::Number(low), End::Open) => (low, open, numbers),
            (End::Open, End::Number(high)) => (-open, high, numbers),
            (End::Open, End::Open) => (-open, open, numbers),
            (End::Day(low), End::Day(high)) => (low, high, dates),
            (End::Day(low), End::Open) => (low, open, dates),
            (End::Open, End::Day(high)) => (-open, high, dates),
            (End::Number(_), End::Day(_)) | (End::Day(_), End::Number(_)) => return None,
        };
        (low <= high).then_some(Self { low, high, has_low, has_high, kind })
    }

    /// Returns the recorded values of a hierarchy that lie inside.
    pub fn codes(&self, hierarchy: &Hierarchy) -> Vec<u32> {
        let labels = || {
            let codes = 0..hierarchy.len(Level::RECORDED) as u32;
            codes.map(move |code| (code, hierarchy.label(code, Level::RECORDED)))
        };
        let is_of_dates = self.kind == IntervalKind::Dates;
        let format = is_of_dates.then(|| date_format(&labels().map(|(_, label)| label)));
        let place = |label: &str| match &format {
            None => number(label),
            Some(format) => day_line::place(format.as_ref()?, label),
        };
        let inside = |label: &str| place(label).is_some_and(|place| self.contains(place));
        labels().filter(|(_, label)| inside(label)).map(|(code, _)| code).collect()
    }

    /// Returns the number that it begins with, if it does.
    pub fn first_number(&self) -> Option<f64> {
        Some(self.low).filter(|low| self.has_low && self.is_of_numbers() && low.is_finite())
    }

    /// Returns the number at which the next interval begins, between intervals of whole numbers or of
    /// any numbers.
    pub fn next_number(&self, is_whole: bool) -> Option<f64> {
        let next = if self.has_high && is_whole { self.high.floor() + 1.0 } else { self.high };
        let is_excluded = is_whole || !self.has_high;
        Some(next).filter(|next| is_excluded && self.is_of_numbers() && next.is_finite())
    }

    /// Returns whether it is one of numbers.
    pub fn is_of_numbers(&self) -> bool {
        self.kind != IntervalKind::Dates
    }

    /// Returns the whole numbers inside; of an interval with an open end, the one at its other end.
    pub fn whole_numbers(&self) -> impl Iterator<Item = i64> {
        let first = if self.low.is_finite() { self.low.ceil() } else { self.high.ceil() - 1.0 };
        let last = if self.high.is_finite() { self.high.floor() } else { first };
        let is_bounded = self.low.is_finite() || self.high.is_finite();
        let inside = move |&whole: &i64| is_bounded && self.contains(whole as f64);
        (first as i64..=last as i64).filter(inside)
    }

    /// Returns the distance between its ends; nothing where an end is open.
    pub fn width(&self) -> Option<f64> {
        Some(self.high - self.low).filter(|width| width.is_finite())
    }

    fn contains(&self, value: f64) -> bool {
        let above = if self.has_low { value >= self.low } else { value > self.low };
        let last = if self.kind == IntervalKind::Units { value.floor() } else { value };
        above && if self.has_high { last <= self.high } else { value < self.high }
    }
}

fn end(text: &str) -> Option<End> {
    let text = text.trim();
    if ["∞", "-∞"].contains(&text) {
        return Some(End::Open);
    }
    let [iso, ..] = DateFormat::known();
    number(text).map(End::Number).or_else(|| day_line::place(&iso, text).map(End::Day))
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// Returns the known format that reads most of these texts; none if two read as many, or none
/// reads any.
pub(crate) fn date_format<'t>(
    texts: &(impl Iterator<Item = &'t str> + Clone),
) -> Option<DateFormat> {
    let reads = |format: &DateFormat| texts.clone().filter(|text| format.reads(text)).count();
    let formats = DateFormat::known().into_iter().map(|format| (reads(&format), format));
    let formats: Vec<(usize, DateFormat)> = formats.filter(|(count, _)| *count > 0).collect();
    let most = formats.iter().map(|(count, _)| *count).max()?;
    let mut best = formats.into_iter().filter(|(count, _)| *count == most);
    best.next().filter(|_| best.next().is_none()).map(|(_, format)| format)
}
