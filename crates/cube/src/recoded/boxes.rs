//! Boxes over recorded values, and data sources that count them on request.

use std::ops::Range;

use crate::{Base, Group, ValueCount};

mod index;
mod published;
mod tally;

pub use index::BoxIndex;
pub use published::{BoxEnds, FoundBox, published_boxes};
pub use tally::{BoxTally, Counting};

/// How many records of a box have which values, for each requested watched attribute.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoxCount {
    /// The records.
    pub records: u64,
    /// By watched attribute, the values that occur, by code.
    pub values: Vec<Vec<ValueCount>>,
}

impl BoxCount {
    /// Returns the count as a group with the values of a watched attribute, by its position among
    /// those requested.
    pub fn group(&self, place: usize) -> Group<'_> {
        let values = self.values.get(place).map_or(&[][..], Vec::as_slice);
        Group { records: self.records, values }
    }

    /// Returns the sum of two counts.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let pairs = self.values.iter().zip(&other.values);
        let joined = |(a, b): (&Vec<ValueCount>, &Vec<ValueCount>)| {
            let mut all: Vec<ValueCount> = a.iter().chain(b).copied().collect();
            all.sort_by_key(|value| value.code);
            all.dedup_by(|next, kept| {
                let same = next.code == kept.code;
                kept.count += if same { next.count } else { 0 };
                same
            });
            all
        };
        Self { records: self.records + other.records, values: pairs.map(joined).collect() }
    }

    /// Returns the count of the remaining part, given the count of one part.
    ///
    /// ```
    /// use haggle_cube::{BoxCount, ValueCount};
    ///
    /// let values = |counts: &[(u32, u64)]| {
    ///     vec![counts.iter().map(|&(code, count)| ValueCount { code, count }).collect()]
    /// };
    /// let all = BoxCount { records: 3, values: values(&[(0, 1), (4, 2)]) };
    /// let part = BoxCount { records: 1, values: values(&[(0, 1)]) };
    /// let rest = all.without(&part);
    /// assert_eq!(rest, BoxCount { records: 2, values: values(&[(4, 2)]) });
    /// assert_eq!(rest.with(&part), all);
    /// ```
    #[must_use]
    pub fn without(&self, part: &Self) -> Self {
        let pairs = self.values.iter().zip(&part.values);
        let rest = |(all, part): (&Vec<ValueCount>, &Vec<ValueCount>)| {
            let taken = |code: u32| {
                part.binary_search_by_key(&code, |value| value.code).map_or(0, |at| part[at].count)
            };
            let left = |v: &ValueCount| ValueCount { count: v.count - taken(v.code), ..*v };
            all.iter().map(left).filter(|value| value.count > 0).collect()
        };
        Self { records: self.records - part.records, values: pairs.map(rest).collect() }
    }
}

/// A box with its proposed splits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// Its side in each attribute, as codes of recorded values.
    pub sides: Vec<Range<u32>>,
    /// Attributes, and the first code of the upper half.
    pub splits: Vec<(usize, u32)>,
}

/// The counts of a box: the whole, and the lower half of each proposed split.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CountedBox {
    /// The whole box.
    pub all: BoxCount,
    /// The lower halves, in order.
    pub lower: Vec<BoxCount>,
}

/// A data source that counts boxes on request, and counts its own scans.
pub trait BoxSource {
    /// Why counting can fail.
    type Error;

    /// Counts boxes that do not overlap, in one scan of the data.
    fn count(&mut self, boxes: &[Proposed]) -> Result<Vec<CountedBox>, Self::Error>;

    /// How many scans were made so far.
    fn scans(&self) -> u64;
}

/// The counted groups of a cube as a data source: a scan is a pass over all of them.
#[derive(Debug)]
pub struct GroupBoxes<'b> {
    base: &'b Base,
    watched: Vec<usize>,
    scans: u64,
}

impl<'b> GroupBoxes<'b> {
    /// Builds a source with the counts of these watched attributes.
    pub fn new(base: &'b Base, watched: Vec<usize>) -> Self {
        Self { base, watched, scans: 0 }
    }
}

impl BoxSource for GroupBoxes<'_> {
    type Error = crate::Error;

    fn count(&mut self, boxes: &[Proposed]) -> Result<Vec<CountedBox>, crate::Error> {
        self.scans += 1;
        let counting = Counting::of(boxes);
        let mut tally = counting.tally(self.watched.len());
        for row in 0..self.base.len() {
            let values = self.watched.iter().enumerate().flat_map(|(place, &watched)| {
                self.base.values(row, watched).iter().map(move |&value| (place, value))
            });
            tally.add(self.base.codes(row), self.base.records(row), values);
        }
        Ok(tally.counted())
    }

    fn scans(&self) -> u64 {
        self.scans
    }
}
