//! Dates as places on a line: days since the first day of the year 1, with the time of day.

use super::calendar::Date;
use super::date_format::DateFormat;

const SECONDS_A_DAY: f64 = 86_400.0;

/// Returns the place of a text that is written in this format.
pub(crate) fn place(format: &DateFormat, text: &str) -> Option<f64> {
    let date = format.parse(text)?;
    let time = text.split_once(['T', ' ']).map_or(0.0, |(_, time)| seconds(time));
    Some(f64::from(date.days()) + time / SECONDS_A_DAY)
}

/// Returns the seconds since midnight of a time such as `11:30` or `11:30:05`.
fn seconds(time: &str) -> f64 {
    let part =
        |at: usize| -> u32 { time.get(at..at + 2).and_then(|part| part.parse().ok()).unwrap_or(0) };
    let has_seconds = time.as_bytes().get(5) == Some(&b':');
    f64::from(3600 * part(0) + 60 * part(3) + if has_seconds { part(6) } else { 0 })
}

/// Writes a place as ISO 8601 does, to the second: `1931-04-02`, or `1931-04-02T12:00:00`.
pub(crate) fn written(place: f64) -> String {
    let seconds = (place * SECONDS_A_DAY).round();
    let days = (seconds / SECONDS_A_DAY).floor();
    let Date { year, month, day } = Date::of_days(days as u32);
    let time = (seconds - days * SECONDS_A_DAY) as u32;
    let date = format!("{year:04}-{month:02}-{day:02}");
    if time == 0 {
        return date;
    }
    format!("{date}T{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)
}

/// Returns the first days of parts of the calendar up to a place, coarsest first: of a century, a
/// decade, a year, a quarter, a month, and the days themselves; of each the last two.
pub(crate) fn round_places(up_to: f64) -> impl Iterator<Item = f64> {
    let date = Date::of_days(up_to as u32);
    let month = u32::from(date.year) * 12 + u32::from(date.month) - 1;
    let months = [1200, 120, 12, 3, 1].into_iter().flat_map(move |unit| {
        let last = month - month % unit;
        [Some(last), last.checked_sub(unit)]
    });
    let first_day = |month: u32| Date::new((month / 12) as u16, (month % 12) as u8 + 1, 1);
    let firsts = months.flatten().filter_map(first_day).map(|date| f64::from(date.days()));
    firsts.chain([up_to.floor(), up_to.floor() - 1.0])
}
