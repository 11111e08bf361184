//! Groups of records with different sensitive values.
//!
//! The algorithm of X. Xiao, Y. Tao: Anatomy: simple and effective privacy preservation. VLDB 2006.
//! While at least l values have records left, a group takes one record of each of the l values with
//! the most records left. At most l − 1 records remain, each of another value; each joins a group
//! that does not have its value. This is possible exactly if no value has more than one in l of the
//! records.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// The values of every group, by group.
pub(super) type ValueGroups = Vec<Vec<u32>>;

/// Returns groups of at least `l` records with different values, from how many records each value
/// has; `None` if there are none.
pub(super) fn anatomize(counts: &[u64], l: usize, seed: u64) -> Option<ValueGroups> {
    let mut random = StdRng::seed_from_u64(seed);
    let with_records = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    // Of values with the same number of records the first comes first.
    let mut left: BinaryHeap<(u64, Reverse<u32>)> =
        with_records.map(|(value, &count)| (count, Reverse(value as u32))).collect();
    let mut groups: ValueGroups = Vec::new();
    while left.len() >= l {
        let taken: Vec<(u64, Reverse<u32>)> = (0..l).filter_map(|_| left.pop()).collect();
        groups.push(taken.iter().map(|(_, Reverse(value))| *value).collect());
        left.extend(taken.into_iter().filter(|(n, _)| *n > 1).map(|(n, value)| (n - 1, value)));
    }
    for (count, Reverse(value)) in left.into_vec() {
        for _ in 0..count {
            let open: Vec<usize> =
                (0..groups.len()).filter(|&g| !groups[g].contains(&value)).collect();
            let place = open.get(random.random_range(0..open.len().max(1)))?;
            groups[*place].push(value);
        }
    }
    groups.shuffle(&mut random);
    Some(groups)
}

/// Returns the numbers of the groups that the records of each value take, in a random order: nothing
/// but its value decides the group of a record.
pub(super) fn slots(groups: &ValueGroups, values: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut random = StdRng::seed_from_u64(seed.wrapping_add(1));
    let mut slots: Vec<Vec<u32>> = vec![Vec::new(); values];
    for (number, group) in groups.iter().enumerate() {
        for &value in group {
            slots[value as usize].push(number as u32 + 1);
        }
    }
    for slots in &mut slots {
        slots.shuffle(&mut random);
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::{anatomize, slots};

    #[test]
    fn groups_have_different_values_and_every_record_is_in_one() {
        for (counts, l) in [
            (vec![4, 4, 4], 3),
            (vec![5, 3, 2, 1], 2),
            (vec![3, 3, 2, 2, 1], 3),
            (vec![7, 0, 7, 1], 2),
        ] {
            let groups = anatomize(&counts, l, 5).expect("no value is too frequent");
            for group in &groups {
                let mut values = group.clone();
                values.sort_unstable();
                values.dedup();
                assert!(values.len() == group.len() && group.len() >= l, "{groups:?}");
            }
            let slots = slots(&groups, counts.len(), 5);
            let sizes: Vec<u64> = slots.iter().map(|slots| slots.len() as u64).collect();
            assert_eq!(sizes, counts);
        }
    }

    #[test]
    fn a_value_that_is_too_frequent_leaves_no_groups() {
        assert_eq!(anatomize(&[5, 2, 1], 2, 5), None);
        assert!(anatomize(&[4, 2, 2], 2, 5).is_some(), "one in two is allowed");
        assert_eq!(anatomize(&[4, 2, 2], 3, 5), None);
    }
}
