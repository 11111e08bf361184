//! A group in words that name no recorded value.

use haggle_cube::query::ValueSet;
use haggle_model::{ANY, Hierarchy, Level, Region};

use crate::PublishedGroups;

/// What is written for a value that is published as recorded.
const RECORDED: &str = "(as recorded)";

/// Returns the published value of each quasi-identifier of a group. Values that are published as
/// recorded are not named, so that a group of one record is not printed.
pub fn describe(groups: &PublishedGroups<'_>, group: usize) -> Vec<String> {
    let Some(sides) = groups.sides(group) else {
        return vec![ANY.to_owned(); groups.attributes().len()];
    };
    let attributes = groups.attributes().iter();
    sides.iter().zip(attributes).map(|(side, a)| label(side, &a.hierarchy)).collect()
}

/// The label of a value set as it is published, or how many values it has.
fn label(side: &ValueSet, hierarchy: &Hierarchy) -> String {
    if side.len() == hierarchy.len(Level::RECORDED) {
        return ANY.to_owned();
    }
    if side.len() == 1 {
        return RECORDED.to_owned();
    }
    let region = side.as_range().map(|range| Region::new(hierarchy, range).label.into());
    region.unwrap_or_else(|| format!("one of {} values", side.len()))
}
