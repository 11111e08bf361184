//! Records added and removed since a table was read.

use serde::{Deserialize, Serialize};

/// Records added and removed since the table was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Changes {
    /// The records added since the table was read.
    pub added: u64,
    /// The records deleted since.
    pub deleted: u64,
}

impl Changes {
    /// Whether the lattice counts just its table.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// These changes and later ones.
    pub fn and(self, later: Self) -> Self {
        Self { added: self.added + later.added, deleted: self.deleted + later.deleted }
    }

    /// "3 records added and 1 deleted"
    pub fn words(&self) -> String {
        let records = if self.added == 1 { "record" } else { "records" };
        format!("{} {records} added and {} deleted", self.added, self.deleted)
    }
}

/// What an update did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Updated {
    /// The records added by this update.
    pub added: u64,
    /// The records deleted by it.
    pub deleted: u64,
    /// The records of both files that do not count because a value is missing.
    pub dropped: u64,
    /// All changes since the table was read.
    pub changes: Changes,
    /// The records counted now.
    pub records: u64,
    /// The groups of the base scheme now.
    pub base_groups: usize,
    /// The schemes annotated anew.
    pub schemes: usize,
    /// Annotating them.
    pub annotate_millis: u64,
    /// All of it.
    pub millis: u64,
    /// What earlier publications and their repetition reveal of the changed records.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub revealed: Vec<UpdateRevealed>,
}

/// What a publication before an update and the same publication after it reveal together: an
/// attacker subtracts one from the other, group by group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UpdateRevealed {
    /// The file or table published before.
    pub output: String,
    /// When it was published, in UTC.
    pub time: String,
    /// What was promised.
    pub promises: Vec<String>,
    /// The records that groups have gained.
    pub added: u64,
    /// The records that groups have lost.
    pub deleted: u64,
    /// Those of both that do not keep the promise on their own.
    pub below: u64,
}
