//! The groups that a scheme is expected to keep, as loss measures see them before anything is
//! counted.

use super::CodeMeaning;

/// Expected sums over the groups that a scheme or a cut keeps.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedGroups<'a> {
    /// What the codes refer to.
    pub place: CodeMeaning<'a>,
    /// The records kept, by attribute and code.
    pub values: &'a [Vec<f64>],
    /// The groups kept.
    pub groups: f64,
    /// The sum of their squared sizes.
    pub squares: f64,
    /// Their records that are not of the group's most frequent class; 0 if no class is watched.
    pub minority: f64,
    /// The records in them.
    pub records: f64,
    /// The records suppressed.
    pub suppressed: f64,
    /// The probability that any record is suppressed.
    pub any_suppressed: f64,
}

impl ExpectedGroups<'_> {
    /// All records, kept and suppressed.
    pub fn all(&self) -> f64 {
        self.records + self.suppressed
    }

    /// The mean level of an attribute over the records kept.
    pub fn mean_level(&self, position: usize) -> f64 {
        match self.place {
            CodeMeaning::Scheme(scheme) => scheme.level(position).index() as f64,
            CodeMeaning::Regions { regions, .. } => {
                let levels = regions[position].iter().map(|region| region.level.index() as f64);
                let sum: f64 = self.values[position].iter().zip(levels).map(|(n, l)| n * l).sum();
                sum / self.values[position].iter().sum::<f64>().max(f64::MIN_POSITIVE)
            }
        }
    }

    /// Sums a number of each published value over the records kept of an attribute.
    pub fn sum(&self, position: usize, number: impl Fn(usize) -> f64) -> f64 {
        let values = self.values[position].iter().enumerate();
        values.filter(|(_, records)| **records > 0.0).map(|(code, n)| n * number(code)).sum()
    }
}
