//! What a publication looks like: groups of records that are published alike, with the recorded
//! values that each published value may stand for.
//!
//! A recoding that is planned and a file that is published look the same here. Suppressed records
//! that are kept with stars lie outside of all other groups.

mod cells;
mod joint;

use haggle_cube::query::ValueSet;
use haggle_cube::{Applied, ValueCount};
use haggle_model::{QuasiIdentifier, Region, Watched};
use rustc_hash::FxHashMap;

pub use cells::{FileColumns, Unresolved, hierarchy_of_cells, value_set};
pub use joint::JointCounts;

/// What is published of suppressed records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Suppression {
    /// They are left out.
    #[default]
    Dropped,
    /// They are kept with all quasi-identifiers fully generalized, as one group.
    Starred,
}

/// Where the recorded values of a group's records may lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// In the product of one value set for each attribute, by their positions in
    /// [`PublishedGroups::sets`].
    Product(Box<[u32]>),
    /// Anywhere outside the other groups: the records were suppressed and are kept with stars.
    Rest,
}

/// Records of a group with the same values in all columns that are published as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedCount {
    /// The code of the value in each column; the number of the column's values if it is missing.
    pub codes: Box<[u32]>,
    /// The records.
    pub count: u64,
}

/// A group of a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedGroup {
    /// Where the recorded values of its records may lie.
    pub extent: Extent,
    /// How many records it has.
    pub records: u64,
    /// Its records by the columns that are published as recorded.
    pub values: Vec<RecordedCount>,
}

impl PublishedGroup {
    /// Returns the records by the value of one column, ordered by code.
    pub fn counts(&self, column: usize) -> Vec<(u32, u64)> {
        let mut counts: Vec<(u32, u64)> =
            self.values.iter().map(|value| (value.codes[column], value.count)).collect();
        counts.sort_unstable();
        counts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        counts
    }

    /// Returns the records by the value of one column as privacy models see them, without missing
    /// values.
    pub fn value_counts(&self, column: usize, values: usize) -> Vec<ValueCount> {
        let known = self.counts(column).into_iter().filter(|&(code, _)| (code as usize) < values);
        known.map(|(code, count)| ValueCount { code, count }).collect()
    }
}

/// A publication as its reader sees it.
#[derive(Debug, Clone)]
pub struct PublishedGroups<'a> {
    attributes: &'a [QuasiIdentifier],
    columns: &'a [Watched],
    /// By attribute, the distinct value sets that occur.
    sets: Vec<Vec<ValueSet>>,
    groups: Vec<PublishedGroup>,
    /// By group, the counted combinations that form it; empty for a file.
    rows: Vec<Vec<u32>>,
    dropped: Option<u64>,
    disjoint: bool,
}

impl<'a> PublishedGroups<'a> {
    /// Builds the groups of a recoding of counted records. `kept` says which parts of the recoding
    /// pass; the records of the others are suppressed.
    ///
    /// ```
    /// use haggle_cube::{Applied, Base, CountedPart, Counter, Cube};
    /// use haggle_inference::{JointCounts, PublishedGroups, Suppression};
    /// use haggle_model::{Hierarchy, QuasiIdentifier, Scheme};
    ///
    /// let age = QuasiIdentifier {
    ///     name: "age".into(),
    ///     hierarchy: Hierarchy::from_paths("age", [["37", "30-39"], ["38", "30-39"], ["41", "40-49"]])?,
    /// };
    /// let mut counter = Counter::new(1, 0);
    /// [0, 0, 1, 2].iter().for_each(|&code| counter.add(&[code]));
    /// let cube = Cube::of(vec![age], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1, 2]] }]);
    /// let base = Base::of(&cube);
    /// let decades = Applied::levels(cube.attributes(), &base, &Scheme::new([1]));
    /// let joint = JointCounts::of(&cube, None);
    /// let groups = PublishedGroups::of(&joint, &decades, |_| true, Suppression::Dropped);
    /// assert_eq!(groups.sides(0).unwrap()[0].len(), 2, "37 and 38");
    /// # Ok::<(), haggle_model::Error>(())
    /// ```
    pub fn of(
        joint: &'a JointCounts,
        applied: &Applied,
        kept: impl Fn(usize) -> bool,
        suppression: Suppression,
    ) -> Self {
        let set = |regions: &Vec<Region>| -> Vec<ValueSet> {
            regions.iter().map(|region| ValueSet::range(region.leaves.clone())).collect()
        };
        let sets: Vec<Vec<ValueSet>> = applied.regions().iter().map(set).collect();
        let (mut groups, mut suppressed) = (Vec::new(), Vec::new());
        let mut rows = Vec::new();
        for part in 0..applied.len() {
            if kept(part) {
                let extent = Extent::Product(applied.codes(part).into());
                groups.push(joint.group(extent, applied.rows(part)));
                rows.push(applied.rows(part).to_vec());
            } else {
                suppressed.extend_from_slice(applied.rows(part));
            }
        }
        let rest = joint.group(Extent::Rest, &suppressed);
        let starred = suppression == Suppression::Starred && rest.records > 0;
        let dropped = if starred { 0 } else { rest.records };
        groups.extend(starred.then_some(rest));
        rows.extend(starred.then_some(suppressed));
        let (attributes, columns) = (joint.attributes(), joint.columns());
        let sides = |part: usize| -> Vec<&ValueSet> {
            let codes = applied.codes(part).iter().zip(&sets);
            codes.map(|(&code, sets)| &sets[code as usize]).collect()
        };
        let disjoint = applied.is_by_value()
            || are_disjoint(&(0..applied.len()).map(sides).collect::<Vec<_>>());
        Self { attributes, columns, sets, groups, rows, dropped: Some(dropped), disjoint }
    }

    /// Builds the groups of a published file, whose cells may mix levels. A fully generalized group
    /// is taken for suppressed records if there are other groups.
    pub fn of_file(
        attributes: &'a [QuasiIdentifier],
        columns: &'a [Watched],
        records: impl IntoIterator<Item = (Vec<ValueSet>, Vec<u32>, u64)>,
    ) -> Self {
        let mut file = FileGroups::new(attributes.len());
        for (sides, values, count) in records {
            file.add(sides, values.into(), count);
        }
        let (sets, mut groups) = (file.sets, file.groups);
        let whole = |group: &PublishedGroup| {
            let Extent::Product(codes) = &group.extent else { return false };
            let sides = codes.iter().zip(&sets).map(|(&code, sets)| &sets[code as usize]);
            sides.zip(attributes).all(|(side, a)| side.len() == a.hierarchy.len(0.into()))
        };
        if groups.len() > 1
            && let Some(place) = groups.iter().position(whole)
        {
            let mut rest = groups.remove(place);
            rest.extent = Extent::Rest;
            groups.push(rest);
        }
        let (rows, dropped, disjoint) = (Vec::new(), None, false);
        let mut all = Self { attributes, columns, sets, groups, rows, dropped, disjoint };
        let products: Vec<_> = (0..all.groups.len()).filter_map(|g| all.sides(g)).collect();
        all.disjoint = are_disjoint(&products);
        all
    }

    /// The attributes whose values are generalized, with their hierarchies.
    pub fn attributes(&self) -> &'a [QuasiIdentifier] {
        self.attributes
    }

    /// The columns that are published as recorded, with their values.
    pub fn columns(&self) -> &'a [Watched] {
        self.columns
    }

    /// By attribute, the distinct value sets that occur.
    pub fn sets(&self) -> &[Vec<ValueSet>] {
        &self.sets
    }

    /// The groups; suppressed records that are kept with stars are the last one.
    pub fn groups(&self) -> &[PublishedGroup] {
        &self.groups
    }

    /// Returns the value set of each attribute of a group; none for suppressed records that are
    /// kept with stars.
    pub fn sides(&self, group: usize) -> Option<Vec<&ValueSet>> {
        let Extent::Product(codes) = &self.groups[group].extent else { return None };
        Some(codes.iter().zip(&self.sets).map(|(&code, sets)| &sets[code as usize]).collect())
    }

    /// Returns whether no recorded combination may belong to two groups. Only then do suppressed
    /// records that are kept with stars lie outside all other groups; otherwise they lie anywhere.
    pub fn is_disjoint(&self) -> bool {
        self.disjoint
    }

    /// Returns whether a record with these recorded codes may belong to a group.
    pub fn may_hold(&self, group: usize, codes: &[u32]) -> bool {
        match self.sides(group) {
            Some(sides) => holds(&sides, codes),
            None => !self.disjoint || self.holding(codes).is_empty(),
        }
    }

    /// Returns the groups whose value sets contain a recorded combination, without suppressed
    /// records that are kept with stars.
    pub fn holding(&self, codes: &[u32]) -> Vec<usize> {
        let sides = |&group: &usize| self.sides(group).is_some_and(|sides| holds(&sides, codes));
        (0..self.groups.len()).filter(sides).collect()
    }

    /// Returns the counted combinations that form a group, in the order of
    /// [`haggle_cube::Base`]; none for a file, of which only the value sets are known.
    pub fn rows(&self, group: usize) -> Option<&[u32]> {
        self.rows.get(group).map(Vec::as_slice)
    }

    /// How many records the publication has.
    pub fn records(&self) -> u64 {
        self.groups.iter().map(|group| group.records).sum()
    }

    /// How many records were left out; not known of a file alone.
    pub fn dropped(&self) -> Option<u64> {
        self.dropped
    }
}

/// Returns whether no two products of value sets have a combination in common.
fn are_disjoint(products: &[Vec<&ValueSet>]) -> bool {
    let reach = |side: &ValueSet| {
        let (first, last) = (side.ranges().next(), side.ranges().last());
        first.zip(last).map_or((0, 0), |(first, last)| (first.start, last.end))
    };
    let with_reach = |(at, sides): (usize, &Vec<&ValueSet>)| {
        let (start, end) = sides.first().map_or((0, 1), |side| reach(side));
        (start, end, at)
    };
    let mut order: Vec<_> = products.iter().enumerate().map(with_reach).collect();
    order.sort_unstable();
    let overlap = |one: usize, other: usize| {
        products[one].iter().zip(&products[other]).all(|(a, b)| a.intersects(b))
    };
    // In ascending order of the first set, only those that begin before this one ends can overlap it.
    order.iter().enumerate().all(|(at, &(_, end, one))| {
        let near = order[at + 1..].iter().take_while(|(start, ..)| *start < end);
        near.into_iter().all(|&(.., other)| !overlap(one, other))
    })
}

fn holds(sides: &[&ValueSet], codes: &[u32]) -> bool {
    sides.iter().zip(codes).all(|(side, &code)| side.contains(code))
}

/// The groups of a file while its records are read.
struct FileGroups {
    sets: Vec<Vec<ValueSet>>,
    known: Vec<FxHashMap<ValueSet, u32>>,
    places: FxHashMap<Box<[u32]>, usize>,
    values: Vec<FxHashMap<Box<[u32]>, usize>>,
    groups: Vec<PublishedGroup>,
}

impl FileGroups {
    fn new(attributes: usize) -> Self {
        let (sets, known) = (vec![Vec::new(); attributes], vec![FxHashMap::default(); attributes]);
        Self { sets, known, places: FxHashMap::default(), values: Vec::new(), groups: Vec::new() }
    }

    fn add(&mut self, sides: Vec<ValueSet>, codes: Box<[u32]>, count: u64) {
        let group = self.group(sides);
        let PublishedGroup { records, values, .. } = &mut self.groups[group];
        *records += count;
        let place = *self.values[group].entry(codes.clone()).or_insert(values.len());
        match values.get_mut(place) {
            Some(value) => value.count += count,
            None => values.push(RecordedCount { codes, count }),
        }
    }

    fn group(&mut self, sides: Vec<ValueSet>) -> usize {
        let code = |(position, side): (usize, ValueSet)| {
            let sets = &mut self.sets[position];
            *self.known[position].entry(side).or_insert_with_key(|side| {
                sets.push(side.clone());
                sets.len() as u32 - 1
            })
        };
        let codes: Box<[u32]> = sides.into_iter().enumerate().map(code).collect();
        let next = self.groups.len();
        let place = *self.places.entry(codes.clone()).or_insert(next);
        if place == next {
            let extent = Extent::Product(codes);
            self.groups.push(PublishedGroup { extent, records: 0, values: Vec::new() });
            self.values.push(FxHashMap::default());
        }
        place
    }
}
