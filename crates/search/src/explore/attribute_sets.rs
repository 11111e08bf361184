//! Lower bounds of how many levels some attributes must rise, whatever the others do, and the bound
//! that follows for all.
//!
//! With all other attributes at their highest level, a few attributes are searched quickly. Three
//! groups of attributes taken two at a time cover each attribute twice, so all attributes together
//! rise at least half as much as the three pairs of groups in total; pairs of groups are bounded in
//! the same way.

/// The smallest sets have at most this many attributes.
const FEW: usize = 5;

/// Sets of attributes, each bounded by three smaller ones unless it is small; the first contains
/// all.
#[derive(Debug)]
pub(crate) struct AttributeSets(Vec<Set>);

#[derive(Debug)]
struct Set {
    attributes: Vec<usize>,
    pairs: Option<[usize; 3]>,
    /// The proven lower bound of how many levels they rise.
    rise: u32,
    settled: bool,
}

impl AttributeSets {
    /// Builds the sets over these attributes, in the order of their weight. Groups of similar
    /// weight give larger bounds than mixed ones, because two heavy groups together must rise more
    /// than each alone.
    pub(crate) fn of(attributes: &[usize]) -> Self {
        let mut parts = Self(Vec::new());
        parts.grow(attributes);
        parts
    }

    fn grow(&mut self, attributes: &[usize]) -> usize {
        let same = |set: &Set| set.attributes == attributes;
        if let Some(known) = self.0.iter().position(same) {
            return known;
        }
        let index = self.0.len();
        let small = attributes.len() <= FEW;
        self.0.push(Set { attributes: attributes.to_vec(), pairs: None, rise: 0, settled: false });
        if !small {
            let without = |group: usize| {
                let dealt = attributes
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| place * 3 / attributes.len() != group);
                dealt.map(|(_, &attribute)| attribute).collect::<Vec<_>>()
            };
            let pairs = [0, 1, 2].map(|group| self.grow(&without(group)));
            self.0[index].pairs = Some(pairs);
        }
        index
    }

    /// Returns the set to be searched next: of the smallest that are not settled, one with the
    /// smallest bound. None once only the set of all attributes is left.
    pub(crate) fn next(&self) -> Option<usize> {
        let open = (1..self.0.len()).filter(|&set| !self.0[set].settled);
        open.min_by_key(|&set| (self.0[set].attributes.len().div_ceil(2), self.rise(set), set))
    }

    pub(crate) fn attributes(&self, set: usize) -> &[usize] {
        &self.0[set].attributes
    }

    /// Returns the lower bound of how many levels a set rises, from what is proven of it and of
    /// smaller sets.
    pub(crate) fn rise(&self, set: usize) -> u32 {
        let Set { pairs, rise, .. } = &self.0[set];
        let by_pairs = pairs.map_or(0, |pairs| {
            pairs.into_iter().map(|pair| self.rise(pair)).sum::<u32>().div_ceil(2)
        });
        by_pairs.max(*rise)
    }

    /// Returns the lower bound of how many levels all attributes rise.
    pub(crate) fn all(&self) -> u32 {
        self.rise(0)
    }

    /// Marks the bound of a set as attained.
    pub(crate) fn settle(&mut self, set: usize) {
        self.0[set].settled = true;
    }

    /// Raises the bound of a set by one level.
    pub(crate) fn raise(&mut self, set: usize) {
        self.0[set].rise = self.rise(set) + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_groups_bound_all() {
        let mut parts = AttributeSets::of(&[0, 1, 2, 3, 4, 5]);
        assert_eq!(parts.attributes(parts.next().unwrap()).len(), 4);
        for expected in [1, 1, 2, 2, 3] {
            let set = parts.next().unwrap();
            parts.raise(set);
            assert_eq!(parts.all(), expected, "{parts:?}");
        }
        while let Some(set) = parts.next() {
            parts.settle(set);
        }
        assert_eq!(parts.all(), 3);
    }

    #[test]
    fn every_attribute_is_covered_twice_at_every_size() {
        for count in 6..40 {
            let parts = AttributeSets::of(&(0..count).collect::<Vec<_>>());
            for set in &parts.0 {
                let Some(pairs) = set.pairs else { continue };
                for attribute in &set.attributes {
                    let has = |&pair: &usize| parts.0[pair].attributes.contains(attribute);
                    assert_eq!(pairs.iter().filter(|pair| has(pair)).count(), 2);
                }
            }
        }
    }
}
