//! Categories: frequent ones kept, rare ones put together, level by level.

use haggle_data::ColumnProfile;
use haggle_model::{Groups, ValueGroup};

use super::Proposal;

/// At each level, values of a smaller share of the records are put together.
const SHARES: [(f64, &str); 2] = [(0.02, "2 %"), (0.1, "10 %")];
/// A level has at most this share of the labels below it; else it is not worth having.
const MAX_LABEL_SHARE: f64 = 0.75;
/// The label of what is put together.
const OTHER: &str = "Other";

pub(super) fn propose(column: &ColumnProfile) -> Proposal {
    let distinct = column.sample.distinct();
    if !column.sample.is_complete() {
        return Proposal::none(format!(
            "it has about {distinct} different texts; group them by hand"
        ));
    }
    let values = column.sample.values();
    let mut levels: Vec<Vec<ValueGroup>> = Vec::new();
    let mut shares = Vec::new();
    let mut labels = values.len();
    for (share, words) in SHARES {
        let kept = kept(&values, share * column.known as f64);
        let fewer = (kept.len() + 1) as f64 <= MAX_LABEL_SHARE * labels as f64;
        if kept.is_empty() || !fewer {
            continue;
        }
        labels = kept.len() + 1;
        levels.push(kept);
        shares.push(words);
    }
    let why = format!(
        "{distinct} categories: those below {} of the records become '{OTHER}'; grouping them by \
         meaning, with tree or groups, would tell more",
        shares.join(", then ")
    );
    match Groups::new(levels, None, Some(OTHER.into())) {
        Ok(groups) => Proposal::new(groups, why),
        Err(_) => Proposal::none(format!(
            "{distinct} categories of similar frequency; group them by meaning, with tree or groups"
        )),
    }
}

/// Returns a group for each value that is frequent enough not to be merged.
fn kept(values: &[(&str, u64)], least: f64) -> Vec<ValueGroup> {
    let frequent = values.iter().filter(|(_, count)| *count as f64 >= least);
    frequent.map(|(value, _)| ValueGroup::alone((*value).into())).collect()
}
