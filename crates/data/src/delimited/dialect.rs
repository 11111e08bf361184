//! How a delimited file writes its fields.

use csv::{Reader, ReaderBuilder};

/// What separates fields and what quotes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DelimitedFormat {
    /// Between fields.
    pub separator: u8,
    /// Around fields that contain separators; doubled within them.
    pub quote: u8,
    /// Before a quote within quotes, where that is how it is written.
    pub escape: Option<u8>,
}

impl Default for DelimitedFormat {
    fn default() -> Self {
        Self { separator: b',', quote: b'"', escape: None }
    }
}

impl DelimitedFormat {
    /// A reader of records in this format; every record as it is, however long.
    pub(crate) fn reader(self, bytes: &[u8]) -> Reader<&[u8]> {
        ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.separator)
            .quote(self.quote)
            .escape(self.escape)
            .from_reader(bytes)
    }
}
