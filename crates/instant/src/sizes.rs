//! k-anonymity, cell by cell: algorithms 3 and 4.

use crate::binomial::Binomial;
use crate::joint::JointSizes;
use crate::optimizations::Optimizations;

/// The numbers collected from the cells so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Collected {
    pub(crate) joint: JointSizes,
    /// Records expected in failing groups.
    pub(crate) outliers: f64,
    /// The sum and the maximum of the cells' probabilities to fail.
    pub(crate) failing: f64,
    pub(crate) worst: f64,
}

impl Collected {
    /// Adds a cell's probability to fail.
    pub(crate) fn fails(&mut self, chance: f64) {
        self.failing += chance;
        self.worst = self.worst.max(chance);
    }

    /// Adds a cell of this likelihood among this many records, where groups need `k`. Without
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
        // A mean this far above k makes a size below k practically impossible.
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
