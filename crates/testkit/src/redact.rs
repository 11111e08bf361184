//! Texts for people without what differs between runs, to be compared with snapshots.

use std::fmt::Display;

use serde_json::Value;

/// Returns the texts of several cases as one, each below its title.
///
/// ```
/// let cases = [("a", "no column 'a'"), ("b", "no column 'b'")];
/// let expected = "== a\nno column 'a'\n== b\nno column 'b'\n";
/// assert_eq!(haggle_testkit::titled(cases), expected);
/// ```
pub fn titled<T: Display, U: Display>(cases: impl IntoIterator<Item = (T, U)>) -> String {
    let one = |(title, text): (T, U)| {
        let text = text.to_string();
        format!("== {title}\n{}\n", text.trim_end_matches('\n'))
    };
    cases.into_iter().map(one).collect()
}

/// Returns an answer without what it took: fields that hold times, at any depth.
///
/// ```
/// use serde_json::json;
///
/// let answer = json!({"visited": 3, "micros": 42, "built": {"millis": 7, "schemes": 60}});
/// assert_eq!(haggle_testkit::timeless(answer), json!({"visited": 3, "built": {"schemes": 60}}));
/// ```
pub fn timeless(answer: Value) -> Value {
    let is_time =
        |name: &str| ["micros", "millis", "seconds"].iter().any(|unit| name.ends_with(unit));
    match answer {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| !is_time(name));
            Value::Object(kept.map(|(name, value)| (name, timeless(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(timeless).collect()),
        other => other,
    }
}

const UNITS: [&str; 4] = ["ns", "µs", "ms", "s"];

/// Returns a text with every duration replaced by `[time]`, and each of these values, such as a
/// temporary folder or a port, by its name in brackets. A table with a column of durations loses its
/// alignment, which depends on them.
///
/// ```
/// let text = "Stored in /tmp/x1/haggle.lattice\n(counted in 31 ms, 4 schemes).";
/// let redacted = haggle_testkit::redacted(text, &[("/tmp/x1", "folder")]);
/// assert_eq!(redacted, "Stored in [folder]/haggle.lattice\n(counted in [time], 4 schemes).");
/// ```
pub fn redacted(text: &str, values: &[(&str, &str)]) -> String {
    let paragraphs: Vec<String> = text.split("\n\n").map(without_times).collect();
    values.iter().fold(paragraphs.join("\n\n"), |text, (value, name)| {
        assert!(!value.is_empty(), "{name} is empty");
        text.replace(value, &format!("[{name}]"))
    })
}

/// A text without the lengths of lattice files, which differ with the time that building took.
pub fn without_lengths(text: &str) -> String {
    let mut parts = text.split("has grown: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |done, part| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.strip_prefix(" bytes for ").expect("a length and the stored one");
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        format!("{done}has grown: [lengths]{rest}")
    })
}

fn without_times(paragraph: &str) -> String {
    let lines = paragraph.split('\n').map(|line| without_dates(&without_times_in_line(line)));
    let lines: Vec<String> = lines.collect();
    if lines.iter().any(|line| line.contains("  [time]")) {
        return lines.iter().map(|line| unaligned(line)).collect::<Vec<_>>().join("\n");
    }
    lines.join("\n")
}

/// A line without the dates of earlier publications: `out.csv on 2026-11-17`.
fn without_dates(line: &str) -> String {
    let is_date = |text: &str| {
        text.split('-').map(str::len).eq([4, 2, 2])
            && text.chars().all(|c| c.is_ascii_digit() || c == '-')
    };
    let parts = line.split(" on ").enumerate().map(|(i, part)| match part.get(..10) {
        Some(date) if i > 0 && is_date(date) => format!("[date]{}", &part[10..]),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join(" on ")
}

/// The columns of a line with two blanks between them.
fn unaligned(line: &str) -> String {
    let columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty());
    columns.collect::<Vec<_>>().join("  ")
}

fn without_times_in_line(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let duration = words.get(at + 1).and_then(|unit| duration(words[at], unit));
        at += if duration.is_some() { 2 } else { 1 };
        kept.push(duration.unwrap_or_else(|| words[at - 1].to_owned()));
    }
    kept.join(" ")
}

/// `[time]` with the punctuation around it, if two words are a number and a unit of time.
fn duration(number: &str, unit: &str) -> Option<String> {
    let opened = number.trim_start_matches('(');
    let bare = unit.trim_end_matches(['.', ',', ';', ':', ')']);
    let is_number = opened.starts_with(|c: char| c.is_ascii_digit())
        && opened.chars().all(|c| c.is_ascii_digit() || c == '.');
    let (before, after) = (&number[..number.len() - opened.len()], &unit[bare.len()..]);
    (is_number && UNITS.contains(&bare)).then(|| format!("{before}[time]{after}"))
}

#[cfg(test)]
mod tests {
    use super::redacted;

    #[test]
    fn only_durations_and_the_named_values_are_replaced() {
        let text =
            "took 3.1 ms on 2026-11-17, on 5\n  4 schools;  5 s.\n(17 µs)\n\nport  8080 of 80803";
        let expected =
            "took [time] on [date], on 5\n4 schools;  [time].\n([time])\n\nport  [port] of [port]3";
        assert_eq!(redacted(text, &[("8080", "port")]), expected);
    }
}
