//! How many groups have which size.

use std::collections::BTreeMap;

/// The sizes of groups, with the number of groups of each size.
///
/// ```
/// use haggle_inference::risk::Sizes;
///
/// let sizes: Sizes = [3, 1, 3].into_iter().collect();
/// assert_eq!((sizes.groups(), sizes.records(), sizes.smallest()), (3, 7, Some(1)));
/// assert_eq!(sizes.records_below(3), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes {
    groups: BTreeMap<u64, u64>,
}

impl Sizes {
    /// Adds a group; an empty one is ignored.
    pub fn add(&mut self, size: u64) {
        if size > 0 {
            *self.groups.entry(size).or_default() += 1;
        }
    }

    /// Returns every size with the number of its groups, the smallest size first.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        self.groups.iter().map(|(&size, &groups)| (size, groups))
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> u64 {
        self.groups.values().sum()
    }

    /// Returns the number of groups of one size.
    pub fn groups_of(&self, size: u64) -> u64 {
        self.groups.get(&size).copied().unwrap_or(0)
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.iter().map(|(size, groups)| size * groups).sum()
    }

    /// Returns the number of records that are alone in their group.
    pub fn unique(&self) -> u64 {
        self.groups_of(1)
    }

    /// Returns the number of records in groups smaller than this.
    pub fn records_below(&self, size: u64) -> u64 {
        self.groups.range(..size).map(|(size, groups)| size * groups).sum()
    }

    /// Returns the size of the smallest group.
    pub fn smallest(&self) -> Option<u64> {
        self.groups.keys().next().copied()
    }
}

impl FromIterator<u64> for Sizes {
    fn from_iter<I: IntoIterator<Item = u64>>(sizes: I) -> Self {
        let mut all = Self::default();
        sizes.into_iter().for_each(|size| all.add(size));
        all
    }
}
