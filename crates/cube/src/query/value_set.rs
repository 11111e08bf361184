//! The recorded values that a published value may stand for.

use std::ops::Range;

/// A set of codes of recorded values, as sorted ranges that neither overlap nor touch.
///
/// A value of a hierarchy is one range, so most sets are one.
///
/// ```
/// use haggle_cube::query::ValueSet;
///
/// let teens = ValueSet::range(3..10);
/// let even = ValueSet::of([2..3, 8..9, 4..5, 6..7]);
/// assert_eq!(teens.intersection(&even), ValueSet::of([4..5, 6..7, 8..9]));
/// assert_eq!(even.complement(10).len(), 6);
/// assert!(teens.intersects(&even) && !teens.contains_all(&even));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ValueSet {
    ranges: Box<[(u32, u32)]>,
}

impl ValueSet {
    /// Builds a set of neighbouring codes.
    pub fn range(codes: Range<u32>) -> Self {
        Self::of([codes])
    }

    /// Builds the union of ranges, which may overlap.
    pub fn of(ranges: impl IntoIterator<Item = Range<u32>>) -> Self {
        let mut sorted: Vec<(u32, u32)> =
            ranges.into_iter().filter(|r| !r.is_empty()).map(|r| (r.start, r.end)).collect();
        sorted.sort_unstable();
        sorted.dedup_by(|next, kept| {
            let joined = next.0 <= kept.1;
            kept.1 = if joined { kept.1.max(next.1) } else { kept.1 };
            joined
        });
        Self { ranges: sorted.into() }
    }

    /// Builds the set of these codes.
    pub fn codes(codes: impl IntoIterator<Item = u32>) -> Self {
        Self::of(codes.into_iter().map(|code| code..code + 1))
    }

    /// Returns the ranges in ascending order.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = Range<u32>> + Clone + '_ {
        self.ranges.iter().map(|&(start, end)| start..end)
    }

    /// Returns the codes in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges().flatten()
    }

    /// Returns how many codes there are.
    pub fn len(&self) -> usize {
        self.ranges().map(|range| range.len()).sum()
    }

    /// Returns whether there are no codes.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the codes as one range, if they are neighbours.
    pub fn as_range(&self) -> Option<Range<u32>> {
        match *self.ranges {
            [(start, end)] => Some(start..end),
            _ => None,
        }
    }

    /// Returns whether a code is in the set.
    pub fn contains(&self, code: u32) -> bool {
        let after = self.ranges.partition_point(|&(start, _)| start <= code);
        after > 0 && code < self.ranges[after - 1].1
    }

    /// Returns whether every code of another set is in this one.
    pub fn contains_all(&self, other: &Self) -> bool {
        other.ranges.iter().all(|&(start, end)| {
            let after = self.ranges.partition_point(|&(first, _)| first <= start);
            after > 0 && end <= self.ranges[after - 1].1
        })
    }

    /// Returns whether the sets have a code in common.
    pub fn intersects(&self, other: &Self) -> bool {
        self.overlaps(other).next().is_some()
    }

    /// Returns the codes that both sets have.
    pub fn intersection(&self, other: &Self) -> Self {
        Self { ranges: self.overlaps(other).map(|range| (range.start, range.end)).collect() }
    }

    /// Returns the codes that at least one of the sets has.
    pub fn union(&self, other: &Self) -> Self {
        Self::of(self.ranges().chain(other.ranges()))
    }

    /// Returns the codes below `domain` that are not in the set.
    pub fn complement(&self, domain: u32) -> Self {
        let starts = [0].into_iter().chain(self.ranges.iter().map(|range| range.1));
        let ends = self.ranges.iter().map(|range| range.0).chain([domain]);
        Self::of(starts.zip(ends).map(|(start, end)| start..end.min(domain)))
    }

    /// Returns the common parts of two sets, in ascending order.
    pub fn overlaps<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = Range<u32>> + 's {
        let (mut here, mut there) = (0, 0);
        std::iter::from_fn(move || {
            while let (Some(one), Some(two)) = (self.ranges.get(here), other.ranges.get(there)) {
                let common = one.0.max(two.0)..one.1.min(two.1);
                if one.1 <= two.1 {
                    here += 1;
                } else {
                    there += 1;
                }
                if !common.is_empty() {
                    return Some(common);
                }
            }
            None
        })
    }
}

impl From<Range<u32>> for ValueSet {
    fn from(codes: Range<u32>) -> Self {
        Self::range(codes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn all(set: &ValueSet) -> BTreeSet<u32> {
        set.iter().collect()
    }

    #[test]
    fn sets_of_ranges_behave_as_sets_of_codes() {
        for one in 0..256_u32 {
            let bits = |mask: u32| ValueSet::codes((0..8).filter(move |bit| mask >> bit & 1 == 1));
            let a = bits(one);
            assert_eq!(all(&a.complement(8)), (0..8).filter(|c| !a.contains(*c)).collect());
            for other in (0..256_u32).step_by(3) {
                let b = bits(other);
                assert_eq!(a.intersection(&b), bits(one & other));
                assert_eq!(a.union(&b), bits(one | other));
                assert_eq!(a.intersects(&b), one & other != 0);
                assert_eq!(a.contains_all(&b), one | other == one);
                assert_eq!(a.len(), one.count_ones() as usize);
            }
        }
    }
}
