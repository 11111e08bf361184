//! Attributes by grouping power: how small the groups are that each one alone makes.
//!
//! After A. Pilalidou, *On-line negotiation for privacy preserving data publishing*, thesis,
//! University of Ioannina 2010, section 3.1 and table 3.1: every other attribute is fully
//! generalized, and attributes are ordered by the size of their smallest group.

use std::collections::BTreeMap;

use haggle_api::{GroupSize, GroupingPower, GroupingStudy};
use haggle_cube::Statistic;
use haggle_model::Level;

use crate::Engine;
use crate::criteria::criterion::{plain, unit};

/// Ranks the attributes, the one with the smallest group first; ties by more groups, then in the
/// order of the attributes.
pub(crate) fn grouping(engine: &Engine) -> GroupingStudy {
    let (cube, persons) = (engine.cube(), unit(engine.cube()));
    let sizes = plain(engine.facts(), persons.as_ref(), |model| model.id == "k-anonymity");
    let size = sizes.first().expect("k-anonymity needs nothing stated").as_ref();
    let names = engine.attributes().into_iter().enumerate();
    let mut attributes: Vec<GroupingPower> =
        names.map(|(position, name)| power(engine, position, name, size)).collect();
    attributes.sort_by_key(|one| (one.smallest, cube.records() - one.groups));
    GroupingStudy { attributes, account: engine.account() }
}

/// The groups that the attribute at a position makes alone.
fn power(engine: &Engine, position: usize, name: &str, size: &dyn Statistic) -> GroupingPower {
    let alone = engine.top().with(position, Level::RECORDED);
    let watched = size.column().watches.unwrap_or(0);
    let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
    engine.cube().for_each_group(&alone, watched, |_, group| {
        *sizes.entry(size.of(group) as u64).or_default() += 1;
    });
    GroupingPower {
        attribute: name.to_owned(),
        smallest: sizes.keys().next().copied().unwrap_or_default(),
        groups: sizes.values().sum(),
        sizes: sizes.into_iter().map(|(size, groups)| GroupSize { size, groups }).collect(),
    }
}
