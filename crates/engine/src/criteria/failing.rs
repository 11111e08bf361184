//! The groups that fail the privacy that is asked for.

use haggle_cube::{Cube, Group};
use haggle_model::Scheme;
use rustc_hash::FxHashSet;

use crate::criteria::criterion::Criterion;

/// The groups of a recoding that fail.
#[derive(Default)]
pub struct Failing {
    /// The groups, by their published codes.
    pub groups: FxHashSet<Box<[u32]>>,
    /// Their records.
    pub records: u64,
}

impl Failing {
    /// Adds a group if it fails a criterion and is not known to fail yet.
    pub(crate) fn judge(&mut self, criterion: &Criterion, codes: &[u32], group: &Group<'_>) {
        if !criterion.passes(group) && self.groups.insert(codes.into()) {
            self.records += group.records;
        }
    }
}

/// Returns the groups of a scheme that fail at least one criterion.
pub fn failing_groups(cube: &Cube, scheme: &Scheme, criteria: &[Criterion]) -> Failing {
    let mut failing = Failing::default();
    for criterion in criteria {
        cube.for_each_group(scheme, criterion.watches(), |codes, group| {
            failing.judge(criterion, codes, group);
        });
    }
    failing
}
