//! What an attack finds.

use super::Situation;
use super::describe::describe;
use crate::groups::PublishedGroup;

/// How many of the worst groups are described.
const DESCRIBED: usize = 5;

/// A group in which an attack succeeds, described by what is published of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorstGroup {
    /// The published value of each quasi-identifier; recorded values are not named.
    pub values: Vec<String>,
    /// The exposed records.
    pub exposed: u64,
    /// The records of the group.
    pub records: u64,
    /// Why they are exposed, without naming sensitive values.
    pub why: String,
}

/// The records that an attack exposes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The exposed records.
    pub exposed: u64,
    /// The groups that they are in.
    pub groups: u64,
    /// The groups with most exposed records.
    pub worst: Vec<WorstGroup>,
    /// More about the whole publication.
    pub note: Option<String>,
}

impl Finding {
    /// Runs a check on every group: how many of its records are exposed, and why.
    pub(super) fn by_group(
        situation: &Situation<'_>,
        check: impl Fn(usize, &PublishedGroup) -> Option<(u64, String)>,
    ) -> Self {
        let mut finding = Self::default();
        for (position, group) in situation.groups.groups().iter().enumerate() {
            let Some((exposed, why)) = check(position, group).filter(|found| found.0 > 0) else {
                continue;
            };
            let values = describe(situation.groups, position);
            finding.add(WorstGroup { values, exposed, records: group.records, why });
        }
        finding
    }

    /// Counts a group, and describes it if it is among the worst.
    pub(super) fn add(&mut self, group: WorstGroup) {
        self.exposed += group.exposed;
        self.groups += 1;
        let place = self.worst.partition_point(|known| known.exposed >= group.exposed);
        self.worst.insert(place, group);
        self.worst.truncate(DESCRIBED);
    }

    /// Adds a remark about the whole publication.
    pub(super) fn noting(self, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..self }
    }
}
