//! Codes such as postcodes, whose first characters say most.

use haggle_data::ColumnProfile;
use haggle_model::{Pad, Prefix};

use super::Proposal;

/// Shorter codes have no room for levels.
const SHORTEST: usize = 3;
/// Longer ones are texts.
const LONGEST: usize = 12;

pub(super) fn propose(column: &ColumnProfile, postcode: bool) -> Option<Proposal> {
    let shape = &column.shape;
    let same_length = shape.shortest == shape.longest;
    if !(SHORTEST..=LONGEST).contains(&shape.longest) || shape.shortest == 0 {
        return None;
    }
    // Digits may be plain numbers; a leading zero shows that they are not counted with.
    let code = same_length && if shape.digits { shape.leading_zero } else { mixed(column) };
    if !postcode && !code {
        return None;
    }
    let pad = if same_length { Pad::Right } else { Pad::Left };
    let kept = shape.longest.min(5);
    let hidden = (1..kept.min(4)).map(|level| shape.longest - kept + level).collect();
    let what = if postcode { "a postcode" } else { "codes of equal length" };
    let filled = if same_length { "" } else { "; shorter ones are filled up on the left" };
    let why = format!("{what}, whose last characters can be hidden one after the other{filled}");
    let rule = Prefix::new(hidden, pad).ok()?;
    let rule = if same_length { rule } else { rule.with_length(shape.longest) };
    Some(Proposal::new(rule, why))
}

/// Letters and digits in every value, and no blanks.
fn mixed(column: &ColumnProfile) -> bool {
    let code = |value: &str| {
        value.bytes().any(|byte| byte.is_ascii_digit())
            && value.chars().any(char::is_alphabetic)
            && !value.contains(' ')
    };
    column.sample.values().iter().all(|(value, _)| code(value))
}
