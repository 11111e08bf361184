//! The account of a table's records: every record that was read is dropped, suppressed or published.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What became of the records of a table.
///
/// ```
/// use haggle::Account;
///
/// let account = Account::from_counts(2_399, 30_162).suppressing(170);
/// assert_eq!((account.read, account.published), (32_561, Some(29_992)));
/// assert_eq!(
///     account.to_string(),
///     "32561 records read, 2399 dropped for missing values, 170 suppressed, 29992 published"
/// );
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Account {
    /// The records read.
    pub read: u64,
    /// The records dropped because a value is missing.
    pub dropped: u64,
    /// The records counted: those read and not dropped.
    pub counted: u64,
    /// The records suppressed, where the account is of one scheme or publication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// The records left: those counted and not suppressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<u64>,
}

impl Account {
    /// The account before anything is suppressed.
    pub fn from_counts(dropped: u64, counted: u64) -> Self {
        Self { read: dropped + counted, dropped, counted, ..Self::default() }
    }

    /// Returns the account where this many of the counted records are suppressed.
    pub fn suppressing(self, suppressed: u64) -> Self {
        let published = self.counted.saturating_sub(suppressed);
        Self { suppressed: Some(suppressed), published: Some(published), ..self }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} records read, {} dropped for missing values", self.read, self.dropped)?;
        match (self.suppressed, self.published) {
            (Some(suppressed), Some(published)) => {
                write!(f, ", {suppressed} suppressed, {published} published")
            }
            _ => write!(f, ", {} counted", self.counted),
        }
    }
}
