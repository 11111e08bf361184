//! What is possible within a range of acceptable values, in words.

use haggle::Offer;
use haggle::reports::RangeAnswer;

use crate::text::{loss, table, thousands};

/// What is possible within a range of acceptable values.
pub(super) fn within_range(range: &RangeAnswer) -> String {
    let RangeAnswer { parameter, weakest, strongest, by, .. } = range;
    let between = format!("{parameter} between {weakest} and {strongest}");
    let Some(possible) = range.possible else {
        return format!("\nNo {between} is possible; this is for {parameter} = {weakest}.\n");
    };
    let head = [parameter, by.as_str(), "suppressed", "scheme"].map(String::from).to_vec();
    let row = |offer: &Offer| {
        let value = offer.thresholds.iter().find_map(|one| one.parameters.get(*parameter));
        vec![
            value.map_or(String::new(), ToString::to_string),
            offer.loss.values().next().map_or(offer.height.to_string(), |lost| loss(*lost)),
            thousands(offer.suppressed),
            offer.scheme.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = [head].into_iter().chain(range.points.iter().map(row)).collect();
    format!(
        "\nThe strongest {between} that is possible is {possible}. Each weaker value listed has a \
         better scheme:\n\n{}",
        table(&rows)
    )
}
