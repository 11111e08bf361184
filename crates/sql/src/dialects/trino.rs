//! Trino.

use crate::dialect::Dialect;

/// Trino.
#[derive(Debug)]
pub(crate) struct Trino;

impl Dialect for Trino {
    fn id(&self) -> &'static str {
        "trino"
    }

    fn title(&self) -> &'static str {
        "Trino"
    }
}
