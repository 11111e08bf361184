//! What one thread counts of the published records, in bounded memory.

use haggle_data::Shape;
use haggle_inference::shadows::{RecordSample, and, combined, hash};
use rustc_hash::{FxHashMap, FxHashSet};

use super::crowds::Crowds;
use super::layout::ProfileLayout;

/// The fewest groups from which records below k are estimated, where not all fit into memory.
const FEWEST_GROUPS: usize = 1000;

/// Counts by column, and of columns together.
#[derive(Debug)]
pub struct ColumnTally {
    /// All records.
    pub records: u64,
    /// By column, how many records share each value.
    pub columns: Vec<Crowds>,
    /// By column, what its values look like.
    pub shapes: Vec<Shape>,
    /// How many records are alike over the columns of [`ProfileLayout::whole`].
    pub(super) whole: Crowds,
    /// How many records have each combination of the free columns; the person, if any, comes last.
    unchanged: Combinations,
    /// How many records have each combination of the free columns and the group of the published
    /// quasi-identifiers, which comes last. Where there are too many, those of some groups only.
    joint: Combinations,
    /// How many leading bits of the hash of a group must be zero to be in `joint`.
    zeros: u32,
    /// Free columns with too many values to be counted in combinations.
    pub given_up: Vec<bool>,
    /// Records by which columns are compared with hidden attributes.
    pub sample: RecordSample,
    /// Whether persons are counted.
    has_persons: bool,
}

/// How many records have each combination of hashes.
type Combinations = FxHashMap<Box<[u64]>, u64>;

fn count(combinations: &mut Combinations, combination: &[u64], records: u64) {
    match combinations.get_mut(combination) {
        Some(count) => *count += records,
        None => _ = combinations.insert(combination.into(), records),
    }
}

impl ColumnTally {
    pub(super) fn new(layout: &ProfileLayout) -> Self {
        Self {
            records: 0,
            columns: vec![Crowds::new(layout.limits.values); layout.columns],
            shapes: vec![Shape::default(); layout.columns],
            whole: Crowds::new(layout.limits.combinations),
            unchanged: Combinations::default(),
            joint: Combinations::default(),
            zeros: 0,
            given_up: vec![false; layout.free.len()],
            sample: RecordSample::new(layout.sampled.clone(), layout.limits.sample),
            has_persons: layout.person.is_some(),
        }
    }

    /// Counts equal records, whose fields are as the layout says.
    pub(super) fn add(&mut self, layout: &ProfileLayout, fields: &[&str], records: u64) {
        let hashes: Vec<u64> = fields.iter().map(|field| hash(field)).collect();
        let person = layout.person.map(|field| hashes[field]);
        self.records += records;
        for column in 0..layout.columns {
            if self.columns[column].add(hashes[column], person, records) {
                self.shapes[column].add(fields[column]);
            }
        }
        if !layout.whole.is_empty() {
            let whole = combined(layout.whole.iter().map(|&field| hashes[field]));
            self.whole.add(whole, None, records);
        }
        if !(layout.free.is_empty() && layout.negotiated.is_empty()) {
            self.combine(layout, &hashes, person, records);
        }
        if !layout.sampled.is_empty() {
            self.sample.add(fields, &hashes, records);
        }
    }

    fn combine(
        &mut self,
        layout: &ProfileLayout,
        hashes: &[u64],
        person: Option<u64>,
        records: u64,
    ) {
        for (free, &column) in layout.free.iter().enumerate() {
            if !self.given_up[free] && self.columns[column].distinct() > layout.limits.distinct {
                self.give_up(&[free]);
            }
        }
        let hash =
            |(&column, given_up): (&usize, &bool)| if *given_up { 0 } else { hashes[column] };
        let combination = layout.free.iter().zip(&self.given_up).map(hash).chain(person);
        let mut combination: Vec<u64> = combination.collect();
        count(&mut self.unchanged, &combination, records);
        let group = combined(layout.negotiated.iter().map(|&field| hashes[field]));
        if group.leading_zeros() >= self.zeros {
            combination.push(group);
            count(&mut self.joint, &combination, records);
        }
        self.fit(layout);
    }

    /// Gives up the free columns with the most values while there are too many combinations. Of those
    /// with groups, some groups are left out instead while many remain.
    fn fit(&mut self, layout: &ProfileLayout) {
        let most = layout.limits.combinations;
        while self.unchanged.len() > most && self.give_up_largest(layout) {}
        while self.joint.len() > most {
            let groups: FxHashSet<u64> = self.joint.keys().map(|key| group_of(key)).collect();
            if groups.len() > 2 * FEWEST_GROUPS || !self.give_up_largest(layout) {
                self.require_zeros(self.zeros + 1);
            }
        }
    }

    fn require_zeros(&mut self, zeros: u32) {
        self.zeros = zeros;
        self.joint.retain(|key, _| group_of(key).leading_zeros() >= zeros);
    }

    /// Gives up the free column with the most values, or several where there are very many; false if
    /// none is left.
    fn give_up_largest(&mut self, layout: &ProfileLayout) -> bool {
        let values = |free: usize| self.columns[layout.free[free]].distinct();
        let mut left: Vec<usize> =
            (0..layout.free.len()).filter(|&free| !self.given_up[free]).collect();
        left.sort_by_key(|&free| std::cmp::Reverse(values(free)));
        left.truncate(left.len().div_ceil(16));
        self.give_up(&left);
        !left.is_empty()
    }

    fn give_up(&mut self, columns: &[usize]) {
        let columns: Vec<usize> = columns.iter().copied().filter(|&c| !self.given_up[c]).collect();
        if columns.is_empty() {
            return;
        }
        for &column in &columns {
            self.given_up[column] = true;
        }
        for combinations in [&mut self.unchanged, &mut self.joint] {
            for (mut combination, records) in std::mem::take(combinations) {
                for &column in &columns {
                    combination[column] = 0;
                }
                *combinations.entry(combination).or_default() += records;
            }
        }
    }

    /// Adds what another thread counted.
    pub(super) fn merge(&mut self, mut other: Self, layout: &ProfileLayout) {
        let given_up = |free: &usize| self.given_up[*free] || other.given_up[*free];
        let given_up: Vec<usize> = (0..layout.free.len()).filter(given_up).collect();
        self.give_up(&given_up);
        other.give_up(&given_up);
        let zeros = self.zeros.max(other.zeros);
        self.records += other.records;
        self.columns.iter_mut().zip(other.columns).for_each(|(own, other)| own.merge(other));
        self.shapes.iter_mut().zip(&other.shapes).for_each(|(own, other)| own.merge(other));
        self.whole.merge(other.whole);
        sum_into(&mut self.unchanged, other.unchanged);
        sum_into(&mut self.joint, other.joint);
        self.require_zeros(zeros);
        self.fit(layout);
        self.sample.merge(other.sample);
    }

    /// No free column yet, to which others are added one by one.
    pub fn unchanged(&self) -> JointColumns<'_> {
        let values = vec![0; self.unchanged.len()];
        JointColumns { tally: self, combinations: &self.unchanged, values }
    }

    /// Starts a set of free columns that are counted with the published quasi-identifiers.
    pub fn joint(&self) -> JointColumns<'_> {
        let values = self.joint.keys().map(|key| group_of(key)).collect();
        JointColumns { tally: self, combinations: &self.joint, values }
    }

    /// Whether counts with the published quasi-identifiers are estimates.
    pub fn joint_is_estimate(&self) -> bool {
        self.zeros > 0
    }

    /// How many records no other one equals over the columns of [`ProfileLayout::whole`], and
    /// whether that is an estimate.
    pub fn unique_as_a_whole(&self) -> (u64, bool) {
        (self.whole.below(2), self.whole.is_estimate())
    }
}

/// The group of a combination with quasi-identifiers.
fn group_of(combination: &[u64]) -> u64 {
    combination.last().copied().unwrap_or_default()
}

/// The values of some free columns together, and perhaps of the quasi-identifiers.
pub struct JointColumns<'a> {
    tally: &'a ColumnTally,
    combinations: &'a Combinations,
    /// By combination of all free columns.
    values: Vec<u64>,
}

impl JointColumns<'_> {
    /// Returns the set with one more column.
    pub fn with(&self, free: usize) -> Self {
        let each = self.values.iter().zip(self.combinations.keys());
        let values = each.map(|(&value, combination)| and(value, combination[free])).collect();
        Self { tally: self.tally, combinations: self.combinations, values }
    }

    /// How many records have values that fewer than k share.
    pub fn below(&self, k: u64) -> u64 {
        let person = self.tally.has_persons.then_some(self.tally.given_up.len());
        let mut crowds = Crowds::new(usize::MAX);
        let mut counted = 0;
        for (&value, (combination, &records)) in self.values.iter().zip(self.combinations) {
            crowds.add(value, person.map(|person| combination[person]), records);
            counted += records;
        }
        let share = u128::from(crowds.below(k)) * u128::from(self.tally.records);
        // Where no group is left to be looked at, nothing is known to be shared.
        share.checked_div(u128::from(counted)).map_or(self.tally.records, |below| below as u64)
    }
}

fn sum_into(own: &mut Combinations, other: Combinations) {
    for (key, records) in other {
        *own.entry(key).or_default() += records;
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::TallyLimits;
    use super::*;

    /// Two free columns, of which at most this many combinations are kept.
    fn layout(combinations: usize) -> ProfileLayout {
        let limits = TallyLimits { values: 1000, combinations, sample: 0, distinct: u64::MAX };
        ProfileLayout { free: vec![0, 1], limits, ..ProfileLayout::of_columns(2, Vec::new(), 0) }
    }

    /// Counts records of these numbers: the first column has ten values, the second has two.
    fn counted(layout: &ProfileLayout, numbers: std::ops::Range<u32>) -> ColumnTally {
        let mut tally = ColumnTally::new(layout);
        for number in numbers {
            let (many, few) = ((number % 10).to_string(), (number / 10 % 2).to_string());
            tally.add(layout, &[many.as_str(), few.as_str()], 1);
        }
        tally
    }

    #[test]
    fn what_two_threads_counted_is_what_one_would_have_counted() {
        let layout = layout(1000);
        let mut tally = counted(&layout, 0..20);
        tally.merge(counted(&layout, 20..40), &layout);
        let both = tally.unchanged().with(0).with(1);
        assert_eq!((both.below(2), both.below(3)), (0, 40), "twenty pairs of values, twice each");
        let first = tally.unchanged().with(0);
        assert_eq!((first.below(4), first.below(5)), (0, 40));
        assert_eq!((tally.records, &tally.given_up[..]), (40, &[false, false][..]));
    }

    #[test]
    fn the_column_with_the_most_values_is_given_up_where_combinations_do_not_fit() {
        let layout = layout(5);
        let tally = counted(&layout, 0..40);
        assert_eq!(tally.given_up, [true, false]);
        let second = tally.unchanged().with(1);
        assert_eq!((second.below(20), second.below(21)), (0, 40), "the other is still exact");
        assert_eq!(tally.columns[0].distinct(), 10, "it is still counted alone");
    }

    #[test]
    fn what_one_thread_gave_up_is_given_up_for_all() {
        let layout = layout(5);
        let mut tally = counted(&layout, 0..4);
        assert_eq!(tally.given_up, [false, false]);
        tally.merge(counted(&layout, 0..20), &layout);
        assert_eq!(tally.given_up, [true, false]);
        let first = tally.unchanged().with(0);
        assert_eq!(first.below(25), 24, "all records look alike in it");
    }

    #[test]
    fn where_groups_do_not_fit_some_of_them_say_how_many_records_fall_below_k() {
        let layout = ProfileLayout { free: vec![1], negotiated: vec![0], ..layout(5000) };
        let mut tally = ColumnTally::new(&layout);
        for number in 0..20_000_u32 {
            let (group, value) = ((number / 4).to_string(), (number % 2).to_string());
            tally.add(&layout, &[group.as_str(), value.as_str()], 1);
        }
        assert!(tally.joint_is_estimate() && tally.joint.len() <= 5000);
        assert_eq!(tally.given_up, [false], "the column is still counted");
        let both = tally.joint().with(0);
        assert_eq!((both.below(3), both.below(2)), (20_000, 0), "each pair has two records");
        assert_eq!(tally.joint().below(4), 0, "each group has four");
    }
}
