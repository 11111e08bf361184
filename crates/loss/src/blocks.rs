//! The blocks of records by which a measure of the sensitive attribute compares a publication with
//! the table: the groups themselves, or those of a set of quasi-identifiers.
//!
//! After S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008, section
//! 4.4: `D_q` is the distribution of the sensitive values of the records whose attributes Q have the
//! value q, for any set Q of non-sensitive attributes. A published q* stands for every recorded
//! value below it, so its block is that of all records of the table within q*, suppressed or not.

use std::collections::BTreeMap;
use std::sync::Arc;

use haggle_cube::{CodeMeaning, Distance, Generalized, Group, ValueCount};
use haggle_model::{Cache, Capacity, Hierarchy, Level};

use crate::Basis;
use crate::basis::distance_of;

/// The blocks of this many combinations of levels are cached; schemes that differ elsewhere share them.
const CACHED_LEVELS: usize = 64;

/// The block of a group: how far it is from the whole table, and how many records it has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block {
    pub(crate) distance: f64,
    pub(crate) records: f64,
}

/// The blocks that a measure uses.
#[derive(Debug)]
pub(crate) struct Blocks {
    pub(crate) distance: Arc<dyn Distance>,
    over: Option<Over>,
}

/// A set of quasi-identifiers, and the recorded combinations of its values.
#[derive(Debug)]
struct Over {
    names: Vec<String>,
    positions: Vec<usize>,
    hierarchies: Vec<Hierarchy>,
    recorded: Vec<(Vec<u32>, Counted)>,
    by_levels: Cache<Vec<Level>, BTreeMap<Vec<u32>, Block>>,
}

/// Records, and those with each known sensitive value.
#[derive(Debug, Clone, Default)]
struct Counted {
    records: u64,
    values: BTreeMap<u32, u64>,
}

impl Counted {
    fn add(&mut self, other: &Self) {
        self.records += other.records;
        for (code, count) in &other.values {
            *self.values.entry(*code).or_default() += count;
        }
    }

    fn block(&self, distance: &dyn Distance) -> Block {
        let values = self.values.iter().map(|(&code, &count)| ValueCount { code, count });
        let values: Vec<ValueCount> = values.collect();
        let group = Group { records: self.records, values: &values };
        Block { distance: distance_of(distance, &group), records: self.records as f64 }
    }
}

impl Blocks {
    /// Builds the blocks of a table: the groups, or those of the set that the measure is over.
    pub(crate) fn of(basis: &Basis<'_>, distance: Arc<dyn Distance>) -> Self {
        let watched = distance.column().watches.unwrap_or(0);
        let over = basis.over.as_ref().map(|positions| Over::new(basis, positions, watched));
        Self { distance, over }
    }

    /// The block of a group.
    pub(crate) fn block(&self, group: &Generalized<'_>) -> Block {
        match &self.over {
            None => {
                let whole = Group { records: group.records, values: group.values };
                let distance = distance_of(self.distance.as_ref(), &whole);
                Block { distance, records: group.records as f64 }
            }
            Some(over) => over.block(self.distance.as_ref(), group),
        }
    }

    /// Returns whether an attribute is in the set.
    pub(crate) fn uses(&self, position: usize) -> bool {
        self.over.as_ref().is_none_or(|over| over.positions.contains(&position))
    }

    /// What identifies the blocks in the name of a payload.
    pub(crate) fn id(&self) -> String {
        let names = self.over.as_ref().map_or(String::new(), |over| over.names.join("\n"));
        format!("{}:{names}", self.distance.column().id)
    }
}

impl Over {
    fn new(basis: &Basis<'_>, positions: &[usize], watched: usize) -> Self {
        let mut recorded: BTreeMap<Vec<u32>, Counted> = BTreeMap::new();
        basis.cube.for_each_group(&basis.cube.space().bottom(), watched, |codes, group| {
            let key: Vec<u32> = positions.iter().map(|&position| codes[position]).collect();
            let counted = recorded.entry(key).or_default();
            let values = group.values.iter().map(|value| (value.code, value.count)).collect();
            counted.add(&Counted { records: group.records, values });
        });
        Self {
            names: positions.iter().map(|&p| basis.cube.attributes()[p].name.clone()).collect(),
            hierarchies: positions.iter().map(|&p| basis.hierarchies[p].clone()).collect(),
            positions: positions.to_vec(),
            recorded: recorded.into_iter().collect(),
            by_levels: Cache::default(),
        }
    }

    fn block(&self, distance: &dyn Distance, group: &Generalized<'_>) -> Block {
        let codes: Vec<u32> = self.positions.iter().map(|&p| group.codes[p]).collect();
        match group.place {
            CodeMeaning::Scheme(scheme) => {
                let levels: Vec<Level> = self.positions.iter().map(|&p| scheme.level(p)).collect();
                self.at(&levels, distance)[&codes]
            }
            CodeMeaning::Regions { regions, .. } => {
                let sides: Vec<_> = self
                    .positions
                    .iter()
                    .zip(&codes)
                    .map(|(&position, &code)| regions[position][code as usize].leaves.clone())
                    .collect();
                let inside = |codes: &[u32]| codes.iter().zip(&sides).all(|(c, s)| s.contains(c));
                let mut counted = Counted::default();
                let within = self.recorded.iter().filter(|(codes, _)| inside(codes));
                within.for_each(|(_, one)| counted.add(one));
                counted.block(distance)
            }
        }
    }

    /// The blocks at these levels of the set.
    fn at(&self, levels: &Vec<Level>, distance: &dyn Distance) -> Arc<BTreeMap<Vec<u32>, Block>> {
        let build = || {
            let above: Vec<&[u32]> =
                self.hierarchies.iter().zip(levels).map(|(h, &level)| h.ancestors(level)).collect();
            let mut merged: BTreeMap<Vec<u32>, Counted> = BTreeMap::new();
            for (codes, counted) in &self.recorded {
                let key = codes.iter().zip(&above).map(|(&code, above)| above[code as usize]);
                merged.entry(key.collect()).or_default().add(counted);
            }
            let block = |(codes, counted): (Vec<u32>, Counted)| (codes, counted.block(distance));
            merged.into_iter().map(block).collect::<BTreeMap<_, _>>().into()
        };
        self.by_levels.get_or_compute(levels, &Capacity::entries(CACHED_LEVELS), build)
    }
}
