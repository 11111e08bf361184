//! Numbers and tables as people read them.

use std::borrow::Cow;

use haggle::catalog::find_model;
use haggle::numerals::number;
use haggle::{Account, Threshold};

pub(crate) use haggle::numerals::{counted, thousands};

/// A share of all records, with as many decimals as needed to see it.
pub(crate) fn percent(part: u64, all: u64) -> String {
    let percent = 100.0 * part as f64 / all.max(1) as f64;
    if percent > 0.0 && percent < 0.1 {
        format!("{percent:.3} %")
    } else {
        format!("{percent:.2} %")
    }
}

/// "Records: 32,561 read, 2,399 dropped for missing values, 30,162 counted", as a line.
pub(crate) fn account(account: &Account) -> String {
    let Account { read, dropped, counted, .. } = *account;
    let left = match (account.suppressed, account.published) {
        (Some(suppressed), Some(published)) => {
            format!("{} suppressed, {} left", thousands(suppressed), thousands(published))
        }
        _ => format!("{} counted", thousands(counted)),
    };
    format!(
        "Records: {} read, {} dropped for missing values, {left}.\n",
        thousands(read),
        thousands(dropped)
    )
}

/// A loss: large ones whole, small ones with four decimals.
pub(crate) fn loss(loss: f64) -> String {
    if loss.abs() < 1000.0 { format!("{loss:.4}") } else { thousands(loss.round() as u64) }
}

/// A time, in the unit that suits it.
pub(crate) fn time(micros: u64) -> String {
    match micros {
        0..1000 => format!("{micros} µs"),
        1000..10_000 => format!("{:.1} ms", micros as f64 / 1e3),
        10_000..1_000_000 => format!("{} ms", micros / 1000),
        _ => format!("{:.1} s", micros as f64 / 1e6),
    }
}

/// "k = 10, l = 3"
pub(crate) fn thresholds(values: &[(String, Threshold)]) -> String {
    let one = |(label, value): &(String, Threshold)| {
        let model = find_model(label.split(':').next().unwrap_or_default());
        let first = model.map_or("", |model| model.threshold().name);
        match value {
            Threshold::One(value) => format!("{first} = {}", number(*value)),
            Threshold::Several(values) => {
                let place = |name: &str| {
                    model.and_then(|m| m.parameters.iter().position(|p| p.name == name))
                };
                let mut values: Vec<_> = values.iter().collect();
                values.sort_by_key(|(name, _)| place(name));
                let values =
                    values.iter().map(|(name, value)| format!("{name} = {}", number(**value)));
                values.collect::<Vec<_>>().join(", ")
            }
        }
    };
    values.iter().map(one).collect::<Vec<_>>().join(" and ")
}

/// A bar of the given share of the width.
pub(crate) fn bar(share: f64, width: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{partial}", "█".repeat(eighths / 8))
}

/// Rows with columns of equal width: the first to the left, the others to the right.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|i| width(i).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| {
            if i == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// Returns the text without control characters for a terminal; values are untrusted input. JSON has
/// none of them, so it stays unchanged.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c < ' ' && !matches!(c, '\n' | '\t');
    if text.contains(steers) { text.replace(steers, "\u{fffd}").into() } else { text.into() }
}

/// Returns a value for a table: on one line, and of limited length.
pub(crate) fn short(value: &str) -> String {
    const LONGEST: usize = 40;
    let line = value.replace(char::is_control, " ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Returns a word as a shell reads it, quoted if necessary.
pub(crate) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=%+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_cannot_steer_the_terminal_or_fill_it() {
        assert_eq!(printable("red \x1b[31m\nnext"), "red \u{fffd}[31m\nnext");
        assert_eq!(short("two\nlines"), "two lines");
        assert_eq!(short(&"é".repeat(1000)), "é".repeat(40) + "…");
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_split_or_expand_them() {
        assert_eq!(shell_word("demo:adult"), "demo:adult");
        assert_eq!(shell_word("my files/haggle.toml"), "'my files/haggle.toml'");
        assert_eq!(shell_word("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(
            [0, 999, 1000, 30162, 1_234_567].map(thousands),
            ["0", "999", "1,000", "30,162", "1,234,567"]
        );
    }

    #[test]
    fn small_shares_are_not_shown_as_nothing() {
        assert_eq!(percent(1, 30_162), "0.003 %");
        assert_eq!(percent(170, 30_162), "0.56 %");
        assert_eq!(percent(0, 30_162), "0.00 %");
    }

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(0.0, 4), "");
        assert_eq!(bar(2.0, 4), "████");
    }
}
