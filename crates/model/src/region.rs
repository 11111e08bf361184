//! A contiguous range of an attribute's recorded values that is published as one value.
//!
//! Cuts, boxes and levels by part are lists of regions.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::hierarchy::number;
use crate::{Hierarchy, Level, is_unmatched, list_label};

/// Neighbouring recorded values that are published as the same label.
///
/// Codes are contiguous below every value of a hierarchy, so a region is a node of the hierarchy or a
/// range between nodes.
///
/// ```
/// use haggle_model::{Hierarchy, Region};
///
/// let ages = ["17", "18", "23", "31"].map(|age| [age, if age < "20" { "under 20" } else { "20 up" }]);
/// let ages = Hierarchy::from_paths("age", ages)?;
/// let label = |leaves| Region::of(&ages, leaves).label.to_string();
/// assert_eq!([label(0..1), label(0..2), label(1..3), label(0..4)], ["17", "under 20", "18–23", "*"]);
///
/// let work = Hierarchy::from_paths("work", [["Local", "State"], ["Federal", "State"], ["Own", "Private"]])?;
/// assert_eq!(&*Region::of(&work, 1..3).label, "{Federal, Private}");
///
/// // 16 lies between 5 and 32, but not in the region.
/// let doses = Hierarchy::from_paths("dose", ["5", "32", "16", "22"].map(|dose| [dose, "A"]))?;
/// assert_eq!(&*Region::of(&doses, 0..2).label, "{5, 32}");
/// assert_eq!(&*Region::of(&doses, 2..4).label, "16–22");
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The codes of its recorded values; never empty.
    pub leaves: Range<u32>,
    /// The level of the lowest value of the hierarchy above the whole region.
    pub level: Level,
    /// What is published.
    pub label: Box<str>,
}

impl Region {
    /// A value of a level.
    pub fn node(hierarchy: &Hierarchy, code: u32, level: Level) -> Self {
        let leaves = hierarchy.leaves(code, level);
        Self { leaves, level, label: hierarchy.label(code, level).into() }
    }

    /// Builds a region from a range of recorded values. Its label is the value of the hierarchy
    /// that it equals, if there is one; else its ends, if it contains all numbers between them in
    /// order; else the values that it consists of.
    pub fn of(hierarchy: &Hierarchy, leaves: Range<u32>) -> Self {
        let (code, level) = hierarchy.above(&leaves);
        if hierarchy.leaves(code, level) == leaves {
            return Self::node(hierarchy, code, level);
        }
        let label = if is_interval(hierarchy, &leaves) {
            let end = |code| hierarchy.label(code, Level::RECORDED);
            format!("{}–{}", end(leaves.start), end(leaves.end - 1))
        } else {
            list_label(maximal(hierarchy, &leaves))
        };
        Self { leaves, level, label: label.into() }
    }

    /// All of an attribute's values.
    pub fn whole(hierarchy: &Hierarchy) -> Self {
        Self::node(hierarchy, 0, hierarchy.top())
    }

    /// Returns the smallest region that contains these values. Missing values that match nothing
    /// have no neighbours: together with any other value they form the whole.
    pub fn around(hierarchy: &Hierarchy, leaves: Range<u32>) -> Self {
        let matched = hierarchy.matched(Level::RECORDED) as u32;
        if leaves.end > matched && leaves.len() > 1 {
            return Self::whole(hierarchy);
        }
        Self::of(hierarchy, leaves)
    }

    /// Returns how many recorded values it covers.
    pub fn len(&self) -> usize {
        self.leaves.len()
    }

    /// Returns whether it says nothing about its attribute: it covers all recorded values, and an
    /// attribute with a single one is shown as its most general value instead.
    pub fn is_whole(&self, hierarchy: &Hierarchy) -> bool {
        let all = hierarchy.len(Level::RECORDED);
        self.len() == all && (all > 1 || *self.label == *hierarchy.label(0, hierarchy.top()))
    }

    /// Always false: a region has values.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }
}

/// Returns whether the values are numbers in ascending order and include every number of the
/// attribute between their ends. A hierarchy may list its values in any order.
pub(crate) fn is_interval(hierarchy: &Hierarchy, leaves: &Range<u32>) -> bool {
    let number = |code| number(hierarchy.label(code, Level::RECORDED));
    let numbers: Option<Vec<f64>> = leaves.clone().map(number).collect();
    numbers.is_some_and(|numbers| {
        let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
        numbers.is_sorted_by(|a, b| a < b) && hierarchy.numbers_between(low, high) == numbers.len()
    })
}

/// Returns the most general values that together form the range. Values whose label means others on
/// another level are left out, so that a list can be read in one way only.
fn maximal<'h>(hierarchy: &'h Hierarchy, leaves: &Range<u32>) -> Vec<&'h str> {
    let mut labels = Vec::new();
    let mut next = leaves.start;
    while next < leaves.end {
        let levels = (0..=u8::from(hierarchy.top())).rev().map(Level::from);
        let mut nodes = levels.map(|level| (hierarchy.ancestor(next, level), level));
        let fits = |&(code, level): &(u32, Level)| {
            let below = hierarchy.leaves(code, level);
            let is_clear = || !hierarchy.is_ambiguous(hierarchy.label(code, level));
            below.start == next && below.end <= leaves.end && is_clear()
        };
        let (code, level) = nodes.find(fits).unwrap_or((next, Level::RECORDED));
        labels.push(hierarchy.label(code, level));
        next = hierarchy.leaves(code, level).end;
    }
    labels
}

/// The distinct regions of one attribute, with distinct labels.
#[derive(Debug, Clone, Default)]
pub struct Regions {
    /// By first and last value, and whether the region is whole: the one value of an attribute can
    /// be shown or not.
    known: BTreeMap<(u32, u32, bool), u32>,
    regions: Vec<Region>,
}

impl Regions {
    /// The position of a region, which is added if it is new.
    pub fn code(&mut self, region: &Region, hierarchy: &Hierarchy) -> u32 {
        let next = self.regions.len() as u32;
        let place = (region.leaves.start, region.leaves.end, region.is_whole(hierarchy));
        let code = *self.known.entry(place).or_insert(next);
        if code == next {
            self.regions.push(region.clone());
        }
        code
    }

    /// Returns the regions by their codes. If two would have the same label, which a hierarchy that
    /// uses a label on two levels can cause, their values are listed: published labels must
    /// distinguish regions.
    pub fn with_distinct_labels(mut self, hierarchy: &Hierarchy) -> Vec<Region> {
        let mut called: BTreeMap<Box<str>, Vec<usize>> = BTreeMap::new();
        for (code, region) in self.regions.iter().enumerate() {
            if !is_unmatched(&region.label) {
                called.entry(region.label.clone()).or_default().push(code);
            }
        }
        for code in called.into_values().filter(|codes| codes.len() > 1).flatten() {
            let region = &mut self.regions[code];
            let values = region.leaves.clone().map(|leaf| hierarchy.label(leaf, Level::RECORDED));
            region.label = list_label(values).into();
        }
        self.regions
    }
}
