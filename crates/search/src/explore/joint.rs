//! Several requirements on one scheme: which groups pass all of them, from the groups' rows.

use haggle_cube::{Annotated, Histogram};

use crate::Error;
use crate::request::Requirement;

/// One requirement's verdicts on the groups of a scheme.
struct Verdicts<'a> {
    histogram: Histogram<'a>,
    rows: &'a [u32],
    /// The first bin that passes.
    passing: u32,
}

/// The verdicts of several requirements on the groups of a scheme.
pub(super) struct JointVerdicts<'a> {
    sizes: &'a [u64],
    verdicts: Vec<Verdicts<'a>>,
}

impl<'a> JointVerdicts<'a> {
    pub(super) fn new(
        annotated: &'a Annotated<'_>,
        requirements: &[Requirement],
    ) -> Result<Self, Error> {
        let verdicts = |&Requirement { column, threshold }: &Requirement| {
            let histogram = annotated.histogram(column);
            let passing = histogram.failing(threshold) as u32;
            Some(Verdicts { histogram, rows: annotated.rows(column)?, passing })
        };
        let joint = || {
            let verdicts = requirements.iter().map(verdicts).collect::<Option<_>>()?;
            Some(Self { sizes: annotated.sizes()?, verdicts })
        };
        joint().ok_or_else(|| {
            let what = "this lattice cannot join several models: it keeps no rows";
            Error::unsupported(what, "ask for each model alone")
        })
    }

    fn passes(&self, group: usize) -> bool {
        self.verdicts.iter().all(|verdict| verdict.rows[group] >= verdict.passing)
    }

    /// The records in groups that fail at least one requirement.
    pub(super) fn suppressed(&self) -> u64 {
        let failing = (0..self.sizes.len()).filter(|&group| !self.passes(group));
        failing.map(|group| self.sizes[group]).sum()
    }

    /// The weakest statistic of the groups that pass everything, by requirement; `None` if none does.
    pub(super) fn attained(&self) -> Option<Vec<f64>> {
        let kept: Vec<usize> = (0..self.sizes.len()).filter(|&group| self.passes(group)).collect();
        let weakest = |verdict: &Verdicts<'_>| {
            let bin = kept.iter().map(|&group| verdict.rows[group]).min()?;
            Some(verdict.histogram.value(bin as usize))
        };
        self.verdicts.iter().map(weakest).collect()
    }

    /// Returns the strongest statistic that the last requirement can demand, with the others
    /// unchanged, while at most `limit` records are suppressed and at least one is left.
    pub(super) fn strongest_last(mut self, limit: u64) -> Option<f64> {
        let last = self.verdicts.pop()?;
        let mut suppressed = 0;
        let mut kept = vec![0_u64; last.histogram.bins().len()];
        for (group, (&bin, &size)) in last.rows.iter().zip(self.sizes).enumerate() {
            if self.passes(group) {
                kept[bin as usize] += size;
            } else {
                suppressed += size;
            }
        }
        let mut strongest = None;
        for (bin, records) in kept.into_iter().enumerate().filter(|(_, records)| *records > 0) {
            if suppressed > limit {
                break;
            }
            strongest = Some(last.histogram.value(bin));
            suppressed += records;
        }
        strongest
    }
}
