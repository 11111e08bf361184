//! Dates: units of the calendar that distinguish them.

use haggle_data::ColumnProfile;
use haggle_model::DateUnit::{Decade, Month, Quarter, Week, Year};
use haggle_model::{Builder, DateUnit, Dates, Occurrence};

use super::Proposal;

/// Units to try; the first whose coarsest unit still distinguishes dates is used.
const UNITS: [&[DateUnit]; 5] =
    [&[Month, Year, Decade], &[Month, Quarter, Year], &[Month, Quarter], &[Month], &[Week]];

pub(super) fn propose(column: &ColumnProfile) -> Option<Proposal> {
    if !column.shape.is_date() {
        return None;
    }
    let ambiguous = column.shape.dates.len() > 1;
    let format = ambiguous.then(|| column.shape.dates[0].clone());
    let values = column.sample.values();
    let values: Vec<_> = values.iter().map(|&(value, _)| Occurrence { value, line: 1 }).collect();
    let several = |rule: &Builder| {
        let built = rule.build(&column.name, &values, None);
        built.is_ok_and(|h| h.len((u8::from(h.top()) - 1).into()) > 1)
    };
    let rules = UNITS.iter().filter_map(|units| Dates::new(units.to_vec(), format.clone()).ok());
    let Some(rule) = rules.map(Builder::from).find(several) else {
        return Some(Proposal::none("dates within a week, for which * is enough"));
    };
    let doubt =
        if ambiguous { "; whether day or month comes first is not clear: check it" } else { "" };
    Some(Proposal::new(rule, format!("dates, so parts of the calendar{doubt}")))
}
