//! Missing values that match nothing, not even each other: labels that no real value can have.
//!
//! Values are read without surrounding blanks, so no real value begins with a blank. Such a label
//! contains the position of its record; it is used for counting and never shown.

/// The text that is shown for all values that match nothing.
pub const UNMATCHED: &str = "(missing, matches nothing)";

/// The label of a missing value where missing values need not be distinguished.
pub const UNKNOWN: &str = " ";

/// Returns the label of the missing value of the record at this position of its table.
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

/// Returns whether a label is that of a missing value that matches nothing.
pub fn is_unmatched(label: &str) -> bool {
    label.starts_with(UNKNOWN)
}
