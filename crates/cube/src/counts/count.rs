//! Counts coded records, in several threads with their own codes if needed.

use std::hash::Hasher;

use haggle_model::{QuasiIdentifier, Watched};
use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::Cube;
use crate::counts::cells::{Cell, sort_and_merge};
use crate::counts::cube::{Cells, Marginal};
use crate::counts::key::{Key, KeyLayout, Width};

/// Counts records given as codes: first the quasi-identifiers', then the watched attributes'.
///
/// The values need not be known in advance. Each thread may have its own counter and codes; a
/// [`CountedPart`] maps them to the final codes.
#[derive(Debug)]
pub struct Counter {
    attributes: usize,
    records: u64,
    /// One for each watched attribute, or a single one if nothing is watched.
    tables: Vec<Tuples>,
    scratch: Vec<u32>,
}

impl Counter {
    /// Builds an empty counter.
    pub fn new(attributes: usize, watched: usize) -> Self {
        let width = attributes + usize::from(watched > 0);
        let tables = (0..watched.max(1)).map(|_| Tuples::new(width)).collect();
        Self { attributes, records: 0, tables, scratch: Vec::new() }
    }

    /// Counts one record.
    pub fn add(&mut self, codes: &[u32]) {
        self.add_many(codes, 1);
    }

    /// Counts several identical records.
    pub fn add_many(&mut self, codes: &[u32], records: u64) {
        self.records += records;
        let (first, others) = self.tables.split_at_mut(1);
        let alone = first[0].width;
        first[0].add(&codes[..alone], records);
        for (table, &value) in others.iter_mut().zip(&codes[alone..]) {
            self.scratch.clear();
            self.scratch.extend_from_slice(&codes[..self.attributes]);
            self.scratch.push(value);
            table.add(&self.scratch, records);
        }
    }

    /// How many records were counted.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Roughly how many bytes the counts take.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(Tuples::bytes).sum()
    }

    /// How many cells a cube of these counts has at most.
    pub fn cells(&self) -> usize {
        self.tables.iter().map(|table| table.counts.len()).sum()
    }
}

/// The bytes per tuple of the index, including its growth.
const INDEX: usize = 8;

/// Distinct tuples of codes, and how often each occurred.
#[derive(Debug)]
struct Tuples {
    width: usize,
    codes: Vec<u32>,
    counts: Vec<u64>,
    positions: HashTable<u32>,
}

impl Tuples {
    fn new(width: usize) -> Self {
        Self { width, codes: Vec::new(), counts: Vec::new(), positions: HashTable::new() }
    }

    fn add(&mut self, tuple: &[u32], records: u64) {
        let (codes, width) = (&self.codes, self.width);
        let at = |&position: &u32| &codes[position as usize * width..][..width];
        if let Some(&position) = self.positions.find(hash(tuple), |p| at(p) == tuple) {
            self.counts[position as usize] += records;
            return;
        }
        let position = self.counts.len() as u32;
        self.positions.insert_unique(hash(tuple), position, |p| hash(at(p)));
        self.codes.extend_from_slice(tuple);
        self.counts.push(records);
    }

    fn bytes(&self) -> usize {
        4 * self.codes.capacity() + 8 * self.counts.capacity() + INDEX * self.positions.capacity()
    }

    fn iter(&self) -> impl Iterator<Item = (&[u32], u64)> {
        let tuples = (0..self.counts.len()).map(|i| &self.codes[i * self.width..][..self.width]);
        tuples.zip(self.counts.iter().copied())
    }
}

fn hash(tuple: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for pair in tuple.chunks(2) {
        hasher.write_u64(u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32);
    }
    hasher.finish()
}

/// A counter and the meaning of its codes: for each attribute and then each watched one, the final
/// code of each of the counter's codes.
#[derive(Debug)]
pub struct CountedPart {
    /// The counts.
    pub counter: Counter,
    /// The final codes, by attribute and by the counter's code. For a watched attribute, the code
    /// after its last value means that a record has no value.
    pub recode: Vec<Vec<u32>>,
}

impl Cube {
    /// Builds the cube of all records that the parts counted.
    ///
    /// ```
    /// use haggle_cube::{Counter, Cube, CountedPart};
    /// use haggle_model::{Hierarchy, QuasiIdentifier};
    ///
    /// let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
    /// let mut counter = Counter::new(1, 0);
    /// for code in [0, 1, 1] {
    ///     counter.add(&[code]);
    /// }
    /// let meaning = vec![vec![1, 0]]; // this counter met "m" first
    /// let cube = Cube::from_parts(vec![sex], Vec::new(), &[CountedPart { counter, recode: meaning }]);
    /// assert_eq!((cube.records(), cube.base_groups()), (3, 2));
    /// ```
    pub fn from_parts(
        attributes: Vec<QuasiIdentifier>,
        watched: Vec<Watched>,
        parts: &[CountedPart],
    ) -> Self {
        let domains: Vec<usize> = attributes.iter().map(|a| a.hierarchy.len(0.into())).collect();
        let marginals = marginals(&domains, &watched, parts);
        Self::new(attributes, watched, records(parts), marginals)
    }
}

/// How many records the parts counted.
pub(crate) fn records(parts: &[CountedPart]) -> u64 {
    parts.iter().map(|part| part.counter.records).sum()
}

/// Builds the marginals of the parts' counts, by watched attribute, over domains of these sizes.
pub(crate) fn marginals(
    domains: &[usize],
    watched: &[Watched],
    parts: &[CountedPart],
) -> Vec<Marginal> {
    let marginal = |i: usize| {
        let values = watched.get(i).map_or(1, |watched| watched.values.len());
        let unknown = |part: &CountedPart| {
            let codes = part.recode.get(domains.len() + i);
            codes.is_some_and(|codes| codes.contains(&(values as u32)))
        };
        let layout = KeyLayout::new(domains, values, parts.iter().any(unknown));
        let cells = match layout.width {
            Width::Word => Cells::Word(pack(parts, i, &layout)),
            Width::Double => Cells::Double(pack(parts, i, &layout)),
            Width::Any => Cells::Any(pack(parts, i, &layout)),
        };
        Marginal { layout, cells }
    };
    (0..watched.len().max(1)).map(marginal).collect()
}

/// Collects the sorted cells of all parts' counts of one watched attribute.
pub(crate) fn pack<K: Key>(
    parts: &[CountedPart],
    watched: usize,
    layout: &KeyLayout,
) -> Vec<Cell<K>> {
    let mut cells =
        Vec::with_capacity(parts.iter().map(|p| p.counter.tables[watched].counts.len()).sum());
    for CountedPart { counter, recode } in parts {
        let attributes = layout.fields.iter().zip(recode);
        let value = recode.get(counter.attributes + watched).map(|codes| (&layout.value, codes));
        let fields: Vec<_> = attributes.chain(value).collect();
        for (tuple, count) in counter.tables[watched].iter() {
            let mut key = K::empty(layout);
            for (&(&field, codes), &code) in fields.iter().zip(tuple) {
                key.set(field, codes[code as usize]);
            }
            cells.push(Cell { key, count, extra: () });
        }
    }
    sort_and_merge(&mut cells);
    cells
}
