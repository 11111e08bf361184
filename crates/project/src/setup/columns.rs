//! Columns and their values for an editor of hierarchies.

use haggle_api::ValueRecords;
use haggle_api::setup::{ColumnKind, HistogramColumn, SetupColumn, SetupValues};
use haggle_data::ColumnProfile;
use haggle_model::{Decimal, Role};

use super::rules;
use crate::init::Guess;

/// How many values are listed; the rest is summed.
const LISTED: usize = 400;
/// How many intervals a histogram has at most.
const INTERVALS: f64 = 48.0;

/// A column with its guesses and their reasons.
pub(super) fn column(column: &ColumnProfile, guess: &Guess) -> SetupColumn {
    let proposal = guess.proposal();
    let shape = &column.shape;
    SetupColumn {
        name: column.name.clone(),
        kind: kind(column),
        distinct: column.sample.distinct(),
        estimated: !column.sample.is_complete(),
        missing: column.missing.values().sum(),
        range: shape.range().map(|(least, most)| (number(least), number(most))),
        longest: shape.longest,
        role: guess.role,
        why: guess.why.clone(),
        doubtful: guess.doubtful,
        hierarchy: proposal.rule.as_ref().map(rules::of_rule),
        hierarchy_why: proposal.why.clone(),
    }
}

fn kind(column: &ColumnProfile) -> ColumnKind {
    match &column.shape {
        shape if shape.is_number() && !shape.leading_zero => ColumnKind::Number,
        shape if shape.is_date() => ColumnKind::Date,
        _ => ColumnKind::Text,
    }
}

/// The values of a column. Names of people have no useful distribution and are not shown.
pub(super) fn values(column: &ColumnProfile, guess: &Guess) -> SetupValues {
    let sample = &column.sample;
    let repeats = sample.distinct() <= LISTED as u64 || column.known >= 2 * sample.distinct();
    let shown = guess.role != Role::Identifier && repeats;
    SetupValues {
        name: column.name.clone(),
        values: if shown { listed(column) } else { Vec::new() },
        histogram: if guess.role == Role::Identifier { Vec::new() } else { histogram(column) },
    }
}

/// The most frequent values in their own order, and what is left.
fn listed(column: &ColumnProfile) -> Vec<ValueRecords> {
    let values = column.sample.values();
    let mut counts: Vec<u64> = values.iter().map(|(_, records)| *records).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let least = counts.get(LISTED).map_or(0, |next| next + 1);
    let frequent = values.iter().filter(|(_, records)| *records >= least);
    let one = |(value, records): &(&str, u64)| ValueRecords {
        value: Some((*value).to_owned()),
        records: *records,
    };
    let mut listed: Vec<ValueRecords> = frequent.map(one).collect();
    let rest = column.known.saturating_sub(listed.iter().map(|one| one.records).sum());
    if rest > 0 {
        listed.push(ValueRecords { value: None, records: rest });
    }
    listed
}

/// The records of a column of numbers, in intervals of one width.
fn histogram(column: &ColumnProfile) -> Vec<HistogramColumn> {
    let Some((least, most)) = column.shape.range() else { return Vec::new() };
    let (least, most) = (number(least), number(most));
    let whole = column.shape.is_whole();
    let ends = if whole { most + 1.0 } else { most };
    let width = (ends - least) / INTERVALS;
    let width = if whole { width.ceil().max(1.0) } else { width };
    let count = if width > 0.0 { ((ends - least) / width).ceil().max(1.0) } else { 1.0 };
    let interval = |i: usize| HistogramColumn {
        from: least + i as f64 * width,
        to: least + (i + 1) as f64 * width,
        records: 0,
    };
    let mut all: Vec<HistogramColumn> = (0..count as usize).map(interval).collect();
    for (value, records) in column.sample.values() {
        let Ok(value) = value.parse::<Decimal>() else { continue };
        let place = if width > 0.0 { ((number(value) - least) / width) as usize } else { 0 };
        let end = all.len() - 1;
        all[place.min(end)].records += records;
    }
    all
}

fn number(number: Decimal) -> f64 {
    number.to_string().parse().unwrap_or_default()
}
