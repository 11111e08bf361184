//! The groups of the base scheme, which can be merged in any way.
//!
//! A recoding of any kind is a partition of them, judged by the same models and measured by the
//! same measures. Where records with the same recorded values are published differently, a base
//! group is split into parts; their counts of the only watched attribute say which records each
//! part has.

use crate::{Cube, Group, ValueCount};

/// The watched values of every base group, concatenated.
#[derive(Debug, Clone, Default)]
struct BaseValues {
    ends: Vec<usize>,
    counts: Vec<ValueCount>,
    /// How many codes there are.
    codes: usize,
}

/// The recorded combinations of a cube, from which partitions are formed.
///
/// ```
/// use haggle_cube::{Base, Counter, Cube, CountedPart};
/// use haggle_model::{Hierarchy, QuasiIdentifier};
///
/// let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
/// let mut counter = Counter::new(1, 0);
/// [0, 1, 1].iter().for_each(|&code| counter.add(&[code]));
/// let cube = Cube::of(vec![sex], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1]] }]);
/// let base = Base::of(&cube);
/// assert_eq!((base.len(), base.codes(1), base.records(1)), (2, &[1][..], 2));
/// ```
#[derive(Debug, Clone)]
pub struct Base {
    width: usize,
    codes: Vec<u32>,
    records: Vec<u64>,
    all: u64,
    watched: Vec<BaseValues>,
    /// Which watched attribute names the persons, where they are counted.
    unit: Option<usize>,
    /// Whether several rows may have the same recorded codes.
    is_split: bool,
}

/// Some records of a base group, which are published alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasePart {
    /// The base group.
    pub row: u32,
    /// How many records.
    pub records: u64,
    /// Their values of the only watched attribute, by code.
    pub values: Vec<ValueCount>,
}

impl Base {
    /// Collects the base groups of a cube, in the order that all of its marginals share.
    pub fn of(cube: &Cube) -> Self {
        let width = cube.attributes().len();
        let (mut codes, mut records) = (Vec::new(), Vec::new());
        let bottom = cube.space().bottom();
        let mut watched = vec![BaseValues::default(); cube.watched().len().max(1)];
        for (position, values) in watched.iter_mut().enumerate() {
            values.codes = cube.watched().get(position).map_or(1, |w| w.values.len());
            cube.for_each_group(&bottom, position, |group_codes, group| {
                if position == 0 {
                    codes.extend_from_slice(group_codes);
                    records.push(group.records);
                }
                // Where nothing is watched, no record has a value that could distinguish it.
                if position < cube.watched().len() {
                    values.counts.extend_from_slice(group.values);
                }
                values.ends.push(values.counts.len());
            });
        }
        let (all, unit) = (records.iter().sum::<u64>(), cube.unit());
        Self { width, codes, all, records, watched, unit, is_split: false }
    }

    /// Returns the same records with each part as a row of its own. At most one attribute may be
    /// watched: its counts say which records a part has.
    ///
    /// ```
    /// use haggle_cube::{Base, BasePart, Counter, Cube, CountedPart};
    /// use haggle_model::{Hierarchy, QuasiIdentifier};
    ///
    /// let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
    /// let mut counter = Counter::new(1, 0);
    /// [0, 1, 1].iter().for_each(|&code| counter.add(&[code]));
    /// let cube = Cube::of(vec![sex], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1]] }]);
    /// let part = |row| BasePart { row, records: 1, values: Vec::new() };
    /// let split = Base::of(&cube).split(&[part(0), part(1), part(1)]);
    /// assert_eq!((split.len(), split.codes(2), split.all()), (3, &[1][..], 3));
    /// ```
    ///
    /// # Panics
    /// If more than one attribute is watched.
    #[must_use]
    pub fn split(&self, parts: &[BasePart]) -> Self {
        assert_eq!(self.watched.len(), 1, "which records a part has must be known");
        let codes = parts.iter().flat_map(|part| self.codes(part.row as usize)).copied();
        let records: Vec<u64> = parts.iter().map(|part| part.records).collect();
        let mut values = BaseValues { codes: self.watched[0].codes, ..BaseValues::default() };
        for part in parts {
            values.counts.extend_from_slice(&part.values);
            values.ends.push(values.counts.len());
        }
        Self {
            width: self.width,
            codes: codes.collect(),
            all: records.iter().sum(),
            records,
            watched: vec![values],
            unit: self.unit,
            is_split: true,
        }
    }

    /// Returns whether several rows may have the same recorded codes.
    pub fn is_split(&self) -> bool {
        self.is_split
    }

    /// Returns whether it is known which records a part of a row has: at most one attribute is
    /// watched.
    pub fn can_split(&self) -> bool {
        self.watched.len() == 1
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns roughly how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let values = |v: &BaseValues| {
            v.ends.len() * size_of::<usize>() + v.counts.len() * size_of::<ValueCount>()
        };
        self.codes.len() * size_of::<u32>()
            + self.records.len() * size_of::<u64>()
            + self.watched.iter().map(values).sum::<usize>()
    }

    /// How many quasi-identifiers there are.
    pub fn attributes(&self) -> usize {
        self.width
    }

    /// The recorded codes of a group.
    #[inline]
    pub fn codes(&self, row: usize) -> &[u32] {
        &self.codes[row * self.width..][..self.width]
    }

    /// How many records a group has.
    #[inline]
    pub fn records(&self, row: usize) -> u64 {
        self.records[row]
    }

    /// How many records there are.
    pub fn all(&self) -> u64 {
        self.all
    }

    /// Returns whether persons are counted, who may have several records.
    pub fn counts_persons(&self) -> bool {
        self.unit.is_some()
    }

    /// Returns how many persons some groups have together, or how many records where persons are not
    /// counted.
    pub fn size(&self, rows: &[u32]) -> u64 {
        let Some(unit) = self.unit else {
            return rows.iter().map(|&row| self.records(row as usize)).sum();
        };
        let persons = rows.iter().flat_map(|&row| self.values(row as usize, unit));
        let mut persons: Vec<u32> = persons.map(|person| person.code).collect();
        persons.sort_unstable();
        persons.dedup();
        persons.len() as u64
    }

    /// The values of a watched attribute in a group, by code; none if the cube watches none.
    #[inline]
    pub fn values(&self, row: usize, watched: usize) -> &[ValueCount] {
        let BaseValues { ends, counts, .. } = &self.watched[watched];
        let start = if row == 0 { 0 } else { ends[row - 1] };
        &counts[start..ends[row]]
    }

    /// Returns a merger of groups for one watched attribute.
    pub fn merger(&self, watched: usize) -> Merger<'_> {
        let codes = self.watched[watched].codes;
        Merger { base: self, watched, counts: vec![0; codes], met: Vec::new(), values: Vec::new() }
    }
}

/// Merges base groups into one, in reused memory.
#[derive(Debug, Clone)]
pub struct Merger<'b> {
    base: &'b Base,
    watched: usize,
    counts: Vec<u64>,
    met: Vec<u32>,
    values: Vec<ValueCount>,
}

impl Merger<'_> {
    /// Merges these base groups.
    pub fn merge(&mut self, rows: impl IntoIterator<Item = u32>) -> Group<'_> {
        let mut records = 0;
        for row in rows {
            records += self.base.records(row as usize);
            for value in self.base.values(row as usize, self.watched) {
                if self.counts[value.code as usize] == 0 {
                    self.met.push(value.code);
                }
                self.counts[value.code as usize] += value.count;
            }
        }
        self.met.sort_unstable();
        self.values.clear();
        for code in self.met.drain(..) {
            let count = std::mem::take(&mut self.counts[code as usize]);
            self.values.push(ValueCount { code, count });
        }
        Group { records, values: &self.values }
    }
}
