//! What one thread counts of the published records, in bounded memory.

use haggle_data::Shape;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::crowds::Crowds;
use super::profiler::ProfileLayout;

/// Hashes of a column's value, the published and the recorded value of an attribute.
pub(super) type Link = (u64, u64, u64);

/// Counts by column, and of columns together.
#[derive(Debug)]
pub(crate) struct ColumnTally {
    pub(super) records: u64,
    /// By column, how many records share each value.
    pub(super) columns: Vec<Crowds>,
    pub(super) shapes: Vec<Shape>,
    /// How many records are alike over the columns of [`ProfileLayout::whole`].
    pub(super) whole: Crowds,
    /// How many records have each combination of the free columns; the person, if any, comes last.
    combinations: FxHashMap<Box<[u64]>, u64>,
    /// Free columns with too many values to be counted in combinations.
    pub(super) given_up: Vec<bool>,
    /// By free column and hidden attribute, which values occur together.
    links: Vec<Vec<FxHashMap<Link, u64>>>,
}

/// The hash by which a value is known.
pub(super) fn hash(value: &str) -> u64 {
    xxh3_64(value.as_bytes())
}

/// The hash of several hashes.
fn combined(hashes: impl Iterator<Item = u64>) -> u64 {
    hashes.fold(0, and)
}

/// The hash of values and one more.
fn and(values: u64, hash: u64) -> u64 {
    xxh3_64_with_seed(&hash.to_le_bytes(), values)
}

impl ColumnTally {
    pub(super) fn new(layout: &ProfileLayout) -> Self {
        let links = vec![FxHashMap::default(); layout.hidden.len()];
        Self {
            records: 0,
            columns: vec![Crowds::new(layout.limits.values); layout.columns],
            shapes: vec![Shape::default(); layout.columns],
            whole: Crowds::new(layout.limits.combinations),
            combinations: FxHashMap::default(),
            given_up: vec![false; layout.free.len()],
            links: vec![links; layout.free.len()],
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
        if !layout.free.is_empty() {
            self.combine(layout, &hashes, person, records);
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
            if !self.given_up[free] {
                self.link(layout, free, hashes, records);
            }
            if self.columns[column].distinct() > layout.limits.distinct {
                self.give_up(free);
            }
        }
        let hash =
            |(&column, given_up): (&usize, &bool)| if *given_up { 0 } else { hashes[column] };
        let combination = layout.free.iter().zip(&self.given_up).map(hash).chain(person);
        *self.combinations.entry(combination.collect()).or_default() += records;
        self.fit(layout);
    }

    fn link(&mut self, layout: &ProfileLayout, free: usize, hashes: &[u64], records: u64) {
        let value = hashes[layout.free[free]];
        for (links, attribute) in self.links[free].iter_mut().zip(&layout.hidden) {
            let published = attribute.published.map_or(0, |field| hashes[field]);
            let link = (value, published, hashes[attribute.recorded]);
            *links.entry(link).or_default() += records;
        }
        if self.links[free].iter().any(|links| links.len() > layout.limits.links) {
            self.give_up(free);
        }
    }

    /// Gives up the free column with the most values while there are too many combinations.
    fn fit(&mut self, layout: &ProfileLayout) {
        while self.combinations.len() > layout.limits.combinations {
            let left = (0..layout.free.len()).filter(|&free| !self.given_up[free]);
            let largest = left.max_by_key(|&free| self.columns[layout.free[free]].distinct());
            match largest {
                Some(free) => self.give_up(free),
                None => return,
            }
        }
    }

    fn give_up(&mut self, free: usize) {
        if std::mem::replace(&mut self.given_up[free], true) {
            return;
        }
        self.links[free].iter_mut().for_each(FxHashMap::clear);
        for (mut combination, records) in std::mem::take(&mut self.combinations) {
            combination[free] = 0;
            *self.combinations.entry(combination).or_default() += records;
        }
    }

    /// Adds what another thread counted.
    pub(super) fn merge(&mut self, mut other: Self, layout: &ProfileLayout) {
        for free in 0..layout.free.len() {
            if self.given_up[free] || other.given_up[free] {
                self.give_up(free);
                other.give_up(free);
            }
        }
        self.records += other.records;
        self.columns.iter_mut().zip(other.columns).for_each(|(own, other)| own.merge(other));
        self.shapes.iter_mut().zip(&other.shapes).for_each(|(own, other)| own.merge(other));
        self.whole.merge(other.whole);
        let links = self.links.iter_mut().flatten().zip(other.links.into_iter().flatten());
        links.for_each(|(own, other)| sum_into(own, other));
        sum_into(&mut self.combinations, other.combinations);
        self.fit(layout);
    }

    /// Which values of a free column and of a hidden attribute occur together.
    pub(super) fn links(&self, free: usize, attribute: usize) -> &FxHashMap<Link, u64> {
        &self.links[free][attribute]
    }

    /// No free column yet, to which others are added one by one.
    pub(super) fn together(&self) -> JointColumns<'_> {
        JointColumns { tally: self, values: vec![0; self.combinations.len()] }
    }
}

/// The values of some free columns together.
pub(super) struct JointColumns<'a> {
    tally: &'a ColumnTally,
    /// By combination of all free columns.
    values: Vec<u64>,
}

impl JointColumns<'_> {
    /// The same with one more column.
    pub(super) fn with(&self, free: usize) -> Self {
        let each = self.values.iter().zip(self.tally.combinations.keys());
        let values = each.map(|(&value, combination)| and(value, combination[free])).collect();
        Self { tally: self.tally, values }
    }

    /// How many records have values that fewer than k share.
    pub(super) fn below(&self, k: u64) -> u64 {
        let mut crowds = Crowds::new(usize::MAX);
        for (&value, (combination, &records)) in self.values.iter().zip(&self.tally.combinations) {
            let person = combination.get(self.tally.given_up.len()).copied();
            crowds.add(value, person, records);
        }
        crowds.below(k)
    }
}

fn sum_into<K: Eq + std::hash::Hash>(own: &mut FxHashMap<K, u64>, other: FxHashMap<K, u64>) {
    for (key, records) in other {
        *own.entry(key).or_default() += records;
    }
}

#[cfg(test)]
mod tests {
    use super::super::profiler::TallyLimits;
    use super::*;

    /// Two free columns, of which at most this many combinations are kept.
    fn layout(combinations: usize) -> ProfileLayout {
        let limits = TallyLimits { values: 1000, combinations, links: 1000, distinct: u64::MAX };
        let (whole, hidden) = (Vec::new(), Vec::new());
        ProfileLayout { columns: 2, free: vec![0, 1], whole, hidden, person: None, limits }
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
        let both = tally.together().with(0).with(1);
        assert_eq!((both.below(2), both.below(3)), (0, 40), "twenty pairs of values, twice each");
        let first = tally.together().with(0);
        assert_eq!((first.below(4), first.below(5)), (0, 40));
        assert_eq!((tally.records, &tally.given_up[..]), (40, &[false, false][..]));
    }

    #[test]
    fn the_column_with_the_most_values_is_given_up_where_combinations_do_not_fit() {
        let layout = layout(5);
        let tally = counted(&layout, 0..40);
        assert_eq!(tally.given_up, [true, false]);
        let second = tally.together().with(1);
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
        let first = tally.together().with(0);
        assert_eq!(first.below(25), 24, "all records look alike in it");
    }
}
