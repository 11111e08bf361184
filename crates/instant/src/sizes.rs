//! k-anonymity of one cell after the other: algorithms 3 and 4.

use crate::Optimizations;
use crate::binomial::Binomial;
use crate::joint::Joint;

/// What was collected of the cells seen so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Collected {
    pub(crate) joint: Joint,
    /// Records expected in failing groups.
    pub(crate) outliers: f64,
    /// The sum and the largest of the cells' chances to fail.
    pub(crate) failing: f64,
    pub(crate) worst: f64,
}

impl Collected {
    /// Notes a cell's chance to fail.
    pub(crate) fn fails(&mut self, chance: f64) {
        self.failing += chance;
        self.worst = self.worst.max(chance);
    }

    /// Adds a cell of this likelihood among so many records, where groups need `k`. Without
    /// `whole`, only what first-order bounds and expectations need.
    pub(crate) fn add_size(
        &mut self,
        records: f64,
        likelihood: f64,
        k: f64,
        how: Optimizations,
        whole: bool,
    ) {
        let size = Binomial { trials: records, chance: likelihood.min(1.0) };
        if size.chance <= 0.0 {
            return;
        }
        // So many deviations below k never happens, so many above always does.
        let reach = 12.0 * size.deviation() + 40.0;
        if size.mean() > k + reach {
            self.joint.add_free(size);
            return;
        }
        let (chance, records) = size.too_few(k);
        self.outliers += records;
        self.fails(chance);
        if whole {
            self.joint.add(size, size.none_or_from(k, how));
        }
    }
}
