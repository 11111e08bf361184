//! Records counted into boxes and into the lower halves of their proposed splits.

use rustc_hash::FxHashMap;

use super::{BoxCount, BoxIndex, CountedBox, Proposed};
use crate::ValueCount;

/// Boxes to be counted: each has one position for the whole box and one for each lower half.
#[derive(Debug)]
pub struct Counting<'b> {
    boxes: &'b [Proposed],
    index: BoxIndex<'b>,
    /// The first position of each box, then the number of positions.
    places: Vec<usize>,
}

impl<'b> Counting<'b> {
    /// Prepares to count disjoint boxes.
    pub fn of(boxes: &'b [Proposed]) -> Self {
        let mut places = vec![0];
        for asked in boxes {
            places.push(places[places.len() - 1] + 1 + asked.splits.len());
        }
        let index = BoxIndex::of(boxes.iter().map(|asked| asked.sides.as_slice()).collect());
        Self { boxes, index, places }
    }

    /// Returns an empty tally for this number of watched attributes.
    pub fn tally(&self, watched: usize) -> BoxTally<'_> {
        let records = vec![0; self.places[self.boxes.len()]];
        BoxTally {
            counting: self,
            records,
            values: vec![FxHashMap::default(); watched],
            met: Vec::new(),
        }
    }
}

/// The counts so far.
#[derive(Debug)]
pub struct BoxTally<'c> {
    counting: &'c Counting<'c>,
    /// By position.
    records: Vec<u64>,
    /// By watched attribute: position and code, and how often.
    values: Vec<FxHashMap<(usize, u32), u64>>,
    met: Vec<usize>,
}

impl BoxTally<'_> {
    /// Adds identical records: their recorded codes, how many there are, and their values by
    /// watched attribute. Records outside all boxes are not counted.
    pub fn add(
        &mut self,
        codes: &[u32],
        records: u64,
        values: impl Iterator<Item = (usize, ValueCount)>,
    ) {
        let Counting { boxes, index, places } = self.counting;
        let Some(found) = index.find(codes) else { return };
        let below = boxes[found].splits.iter().enumerate();
        let below = below.filter(|(_, (attribute, split))| codes[*attribute] < *split);
        self.met.clear();
        self.met.push(places[found]);
        self.met.extend(below.map(|(i, _)| places[found] + 1 + i));
        for &place in &self.met {
            self.records[place] += records;
        }
        for (watched, ValueCount { code, count }) in values {
            for &place in &self.met {
                *self.values[watched].entry((place, code)).or_default() += count;
            }
        }
    }

    /// Adds the counts of another tally; `meaning` translates its codes of a watched attribute, or
    /// returns none for no value.
    pub fn take(&mut self, other: Self, meaning: impl Fn(usize, u32) -> Option<u32>) {
        for (all, more) in self.records.iter_mut().zip(other.records) {
            *all += more;
        }
        for (watched, values) in other.values.into_iter().enumerate() {
            for ((place, code), count) in values {
                if let Some(code) = meaning(watched, code) {
                    *self.values[watched].entry((place, code)).or_default() += count;
                }
            }
        }
    }

    /// Returns roughly how many bytes are used.
    pub fn bytes(&self) -> usize {
        let values: usize = self.values.iter().map(|values| values.capacity() * 24).sum();
        self.records.len() * 8 + values
    }

    /// Returns the counts, box by box.
    pub fn counted(self) -> Vec<CountedBox> {
        let watched = self.values.len();
        let count = |records: u64| BoxCount { records, values: vec![Vec::new(); watched] };
        let mut counts: Vec<BoxCount> = self.records.into_iter().map(count).collect();
        for (watched, values) in self.values.into_iter().enumerate() {
            for ((place, code), count) in values {
                counts[place].values[watched].push(ValueCount { code, count });
            }
        }
        for values in counts.iter_mut().flat_map(|count| &mut count.values) {
            values.sort_unstable_by_key(|value| value.code);
        }
        let mut counts = counts.into_iter();
        let mut next = || counts.next().unwrap_or_default();
        let one = |asked: &Proposed| CountedBox {
            all: next(),
            lower: asked.splits.iter().map(|_| next()).collect(),
        };
        self.counting.boxes.iter().map(one).collect()
    }
}
