//! Thresholds as what was promised of every group.

use haggle_cube::{Base, Group};
use haggle_engine::criterion::Criterion;
use haggle_inference::attacks::Promise;

/// Thresholds on a counted table.
pub(super) struct Thresholds<'a> {
    pub(super) criteria: &'a [Criterion],
    pub(super) base: &'a Base,
    /// The sensitive attribute that is attacked.
    pub(super) watched: usize,
}

impl Promise for Thresholds<'_> {
    fn holds(&self, rows: &[u32]) -> bool {
        self.criteria.iter().all(|criterion| {
            let mut merger = self.base.merger(criterion.watches());
            criterion.passes(&merger.merge(rows.iter().copied()))
        })
    }

    fn would_hold(&self, group: &Group<'_>) -> bool {
        let about = |criterion: &&Criterion| {
            criterion.judge().column().watches.is_none_or(|watched| watched == self.watched)
        };
        self.criteria.iter().filter(about).all(|criterion| criterion.passes(group))
    }
}
