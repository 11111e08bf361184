//! A recoding of the counted combinations: what each is published as, and which remain.

use std::collections::BTreeSet;

use haggle_cube::{Applied, Base};
use haggle_inference::JointCounts;
use haggle_inference::utility::Cases;
use haggle_model::{Error, QuasiIdentifier, Region};

use haggle_engine::criterion::Criterion;
use haggle_engine::recoded::Recoded;

use crate::examined::AppliedGroups;

/// The published values of every counted combination, in the order of [`Base`].
pub(super) struct PublishedRows {
    applied: Applied,
    /// The part of each combination.
    parts: Vec<u32>,
    /// Which parts pass.
    kept: Vec<bool>,
}

impl PublishedRows {
    /// The recoding of the table on which it was found.
    pub(super) fn from_recoded(recoded: &Recoded<'_>, criteria: &[Criterion]) -> Self {
        let AppliedGroups { base, applied, kept } =
            AppliedGroups::new(recoded, &recoded.failing(criteria));
        Self::new(applied, &base, kept)
    }

    /// The recoding of a table that was found on a part of its records. Groups that fail there, or
    /// are not there, do not remain.
    pub(super) fn of_part(
        recoded: &Recoded<'_>,
        criteria: &[Criterion],
        (attributes, base): (&[QuasiIdentifier], &Base),
    ) -> Result<Self, Error> {
        let found = Self::from_recoded(recoded, criteria);
        let labels = |applied: &Applied, part: usize| -> Vec<String> {
            applied.labels(part).into_iter().map(str::to_owned).collect()
        };
        let passing = (0..found.applied.len()).filter(|&part| found.kept[part]);
        let passing: BTreeSet<_> = passing.map(|part| labels(&found.applied, part)).collect();
        let applied = Applied::new(attributes, base, recoded.recoding())?;
        let kept = |part: usize| passing.contains(&labels(&applied, part));
        let kept = (0..applied.len()).map(kept).collect();
        Ok(Self::new(applied, base, kept))
    }

    fn new(applied: Applied, base: &Base, kept: Vec<bool>) -> Self {
        let mut parts = vec![0; base.len()];
        for part in 0..applied.len() {
            applied.rows(part).iter().for_each(|&row| parts[row as usize] = part as u32);
        }
        Self { applied, parts, kept }
    }

    /// The values that an attribute is published as.
    pub(super) fn regions(&self, attribute: u32) -> &[Region] {
        &self.applied.regions()[attribute as usize]
    }

    /// Whether equal recorded values are published alike, whatever the other values are.
    pub(super) fn is_by_value(&self) -> bool {
        self.applied.is_by_value()
    }

    /// The counted records by their published values and the class of the first column's value,
    /// without those that do not remain.
    pub(super) fn kept_cases(
        &self,
        joint: &JointCounts,
        class: impl Fn(u32) -> u32,
        classes: usize,
    ) -> Cases {
        self.cases(joint, class, classes, |part| self.kept[part])
    }

    /// Returns all records by their published values and the class of the first column's value,
    /// suppressed ones included.
    pub(super) fn all_cases(
        &self,
        joint: &JointCounts,
        class: impl Fn(u32) -> u32,
        classes: usize,
    ) -> Cases {
        self.cases(joint, class, classes, |_| true)
    }

    fn cases(
        &self,
        joint: &JointCounts,
        class: impl Fn(u32) -> u32,
        classes: usize,
        kept: impl Fn(usize) -> bool,
    ) -> Cases {
        let values = self.applied.regions().iter().map(Vec::len).collect();
        let published = |row: usize| {
            let part = self.parts[row] as usize;
            kept(part).then(|| self.applied.codes(part))
        };
        Cases::from_joint(joint, values, published, 0, class, classes)
    }
}
