//! Records as their readers hand them out, whatever the format of the file.

use crate::Error;

/// The fields of one record.
pub(crate) trait Fields {
    /// Returns the number of fields.
    fn count(&self) -> usize;
    /// Returns the field at a position, without blanks around it.
    fn get(&self, position: usize) -> &str;
}

/// Receives the records of a block, one after the other.
pub(crate) trait Visit {
    /// Receives a record and its line, as [`Table::place`](crate::Table::place) understands lines.
    fn record(&mut self, record: &impl Fields, line: u64) -> Result<(), Error>;
}

/// Returns the text without blanks around it; the fast path is for text that has none.
#[inline]
pub(crate) fn trimmed(text: &str) -> &str {
    let letter = |byte: u8| (b'!'..=b'~').contains(&byte);
    match text.as_bytes() {
        [only] if letter(*only) => text,
        [first, .., last] if letter(*first) && letter(*last) => text,
        _ => text.trim(),
    }
}
