//! Strict reading of TOML tables: every key is known, of the right type, and every fault is noted.

use haggle_model::{Error, Problem, Remedy};
use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

/// A table being read; unknown keys are reported at the end.
pub(super) struct Section<'a, 'p> {
    name: &'static str,
    table: &'a DeTable<'a>,
    lines: &'a LineEnds,
    known: Vec<&'static str>,
    problems: &'p mut Vec<Problem>,
    line: u64,
}

/// The line of a position in the text, from 1.
pub(super) fn line_of(text: impl AsRef<[u8]>, at: usize) -> u64 {
    text.as_ref().iter().take(at).filter(|&&byte| byte == b'\n').count() as u64 + 1
}

/// Where the lines of a text end, so that the line of any position is found at once.
pub(super) struct LineEnds(Vec<usize>);

impl LineEnds {
    pub(super) fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line of a position in the text, from 1.
    pub(super) fn line(&self, at: usize) -> u64 {
        self.0.partition_point(|&end| end < at) as u64 + 1
    }
}

impl<'a, 'p> Section<'a, 'p> {
    pub(super) fn new(
        name: &'static str,
        table: &'a DeTable<'a>,
        line: u64,
        lines: &'a LineEnds,
        problems: &'p mut Vec<Problem>,
    ) -> Self {
        Self { name, table, lines, known: Vec::new(), problems, line }
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn problem(&mut self, line: u64, what: String, fix: impl Into<Remedy>) {
        self.problems.push(Problem::new(what).line(line).fix(fix));
    }

    /// Returns the value, or notes its problems at the key's line.
    pub(super) fn noted<T>(&mut self, key: &str, value: Result<T, Error>) -> Option<T> {
        let line = self.line_of_key(key);
        value
            .map_err(|error| {
                for problem in error.into_problems() {
                    self.problem(line, problem.what, problem.fix);
                }
            })
            .ok()
    }

    /// Returns the line of a key, or that of its section.
    pub(super) fn line_of_key(&self, key: &str) -> u64 {
        let found = self.table.iter().find(|(name, _)| name.get_ref() == key);
        found.map_or(self.line, |(name, _)| self.lines.line(name.span().start))
    }

    /// A table within this one, under a key; its problems are noted here.
    pub(super) fn within(
        &mut self,
        name: &'static str,
        key: &str,
        table: &'a DeTable<'a>,
    ) -> Section<'a, '_> {
        let line = self.line_of_key(key);
        Section::new(name, table, line, self.lines, self.problems)
    }

    /// Whether the table has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.iter().any(|(name, _)| name.get_ref() == key)
    }

    /// Declares keys that are allowed here, present or not.
    pub(super) fn expect(&mut self, keys: &[&'static str]) {
        self.known.extend(keys);
    }

    /// Returns the raw value of a key, which is then known.
    pub(super) fn raw(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.known.push(key);
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// A value of a type, or a problem that says which type it should be.
    pub(super) fn take<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        convert: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Option<T> {
        let value = self.raw(key)?;
        let converted = convert(value.get_ref());
        if converted.is_none() {
            let line = self.lines.line(value.span().start);
            let what = format!("{key} in {} is not {expected}", self.name);
            self.problem(line, what, format!("give it {expected}"));
        }
        converted
    }

    pub(super) fn string(&mut self, key: &'static str) -> Option<String> {
        self.take(key, "a text in quotes", |value| value.as_str().map(str::to_owned))
    }

    /// The text of a key that another reader takes; `None` if it is none.
    pub(super) fn text_of(&self, key: &str) -> Option<String> {
        let found = self.table.iter().find(|(name, _)| name.get_ref() == key);
        found.and_then(|(_, value)| value.get_ref().as_str().map(str::to_owned))
    }

    pub(super) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        self.take(key, "true or false", DeValue::as_bool)
    }

    pub(super) fn strings(&mut self, key: &'static str) -> Option<Vec<String>> {
        self.take(key, "a list of texts such as [\"a\", \"b\"]", |value| {
            let text = |v: &Spanned<DeValue<'_>>| v.get_ref().as_str().map(str::to_owned);
            value.as_array()?.iter().map(text).collect()
        })
    }

    /// A single byte such as a separator.
    pub(super) fn byte(&mut self, key: &'static str) -> Option<u8> {
        self.take(key, "a single character such as \";\" or \"\\t\"", |value| {
            match value.as_str()?.as_bytes() {
                [byte] if !matches!(byte, b'\n' | b'\r') => Some(*byte),
                _ => None,
            }
        })
    }

    /// Reports the keys that were not read.
    pub(super) fn finish(self) {
        for (key, _) in self.table {
            let name: &str = key.get_ref();
            if !self.known.contains(&name) {
                let line = self.lines.line(key.span().start);
                let what = format!("unknown key '{name}' in {}", self.name);
                let fix = match closest(name, &self.known) {
                    Some(meant) => format!("did you mean '{meant}'?"),
                    None => format!("known keys: {}", self.known.join(", ")),
                };
                self.problems.push(Problem::new(what).line(line).fix(fix));
            }
        }
    }
}

/// Returns a whole or a decimal number.
pub(super) fn number(value: &DeValue<'_>) -> Option<f64> {
    let integer = value.as_integer().map(DeInteger::as_str);
    let text = integer.or_else(|| value.as_float().map(DeFloat::as_str))?;
    text.replace('_', "").parse().ok()
}

/// Returns a known key that differs by a typing error.
fn closest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let plain = |key: &str| key.to_lowercase().replace(['-', '_', ' '], "");
    let (best, distance) = known
        .iter()
        .map(|key| (*key, distance(&plain(name), &plain(key))))
        .min_by_key(|(_, distance)| *distance)?;
    (distance <= 2 && distance < best.len()).then_some(best)
}

/// The number of letters to insert, delete or replace.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
