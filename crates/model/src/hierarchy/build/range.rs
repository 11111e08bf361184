//! Ranges of numbers and their labels, for intervals and for stated bounds.

use super::{Decimal, Occurrence, unplaced};
use crate::Problem;

/// Numbers from a bound, included, to a bound, excluded; a side without a bound is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) from: Option<Decimal>,
    pub(super) to: Option<Decimal>,
}

impl Range {
    /// `17-21` in whole units (21.5 lies in it), `[17.5,20)` of others, `<18` and `≥65` at open ends.
    pub(super) fn label(self, whole: bool) -> String {
        match (self.from, self.to) {
            (None, None) => crate::ANY.into(),
            (None, Some(to)) => format!("<{to}"),
            (Some(from), None) => format!("≥{from}"),
            (Some(from), Some(to)) if whole => whole_label(from, to - Decimal::ONE),
            (Some(from), Some(to)) => format!("[{from},{to})"),
        }
    }
}

fn whole_label(first: Decimal, last: Decimal) -> String {
    if first == last {
        first.to_string()
    } else if first < Decimal::ZERO {
        format!("[{first},{last}]") // -5--1 would be hard to read
    } else {
        format!("{first}-{last}")
    }
}

/// Parses the values as numbers, smallest first. One problem names all values that are not numbers.
pub(super) fn numbers<'v, 'a>(
    attribute: &str,
    rule: &str,
    values: &'v [Occurrence<'a>],
) -> Result<Vec<(Decimal, &'v Occurrence<'a>)>, Problem> {
    let (mut numbers, mut others) = (Vec::new(), Vec::new());
    for occurrence in values {
        match occurrence.value.parse::<Decimal>() {
            Ok(number) => numbers.push((number, occurrence)),
            Err(_) => others.push(*occurrence),
        }
    }
    if !others.is_empty() {
        let what = format!("the {rule} of '{attribute}' need numbers, and these are not numbers:");
        let fix = "correct them (digits, at most one point), or declare them as missing";
        return Err(unplaced(&others, &what, fix));
    }
    numbers.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.value.cmp(y.value)));
    Ok(numbers)
}
