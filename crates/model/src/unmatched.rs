//! Missing values that match nothing, not even each other: labels that no value can have.
//!
//! Values are read without blanks around them, so a label that begins with a blank is nobody's.
//! Such a label tells where its record stands; it is for counting and is never shown.

/// How values that match nothing are told to people, all of them together.
pub const UNMATCHED: &str = "(missing, matches nothing)";

/// What stands for no value at all, where missing values need not be told apart.
pub const UNKNOWN: &str = " ";

/// The label of the missing value of the record at a place of its table.
///
/// ```
/// use haggle_model::{is_unmatched, unmatched};
/// assert_ne!(unmatched(17), unmatched(18));
/// assert!(is_unmatched(&unmatched(17)));
/// assert!(!is_unmatched("17"));
/// ```
pub fn unmatched(place: u64) -> String {
    format!("{UNKNOWN}{place}")
}

/// Whether a label stands for a missing value that matches nothing.
pub fn is_unmatched(label: &str) -> bool {
    label.starts_with(UNKNOWN)
}
