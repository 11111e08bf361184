//! The one interface of annotated lattices: what is annotated with, and the annotation of a scheme.

use std::sync::Arc;

use haggle_model::{Scheme, Space};

use crate::table::{Rows, Table};
use crate::{Column, Error, Histogram};

/// What is known of one scheme: a histogram for each column of the lattice, and, where verdicts of
/// several columns must be joined, a row for each group.
#[derive(Debug, Clone, Copy)]
pub struct Annotated<'a> {
    pub(crate) tables: &'a [Arc<Table>],
    pub(crate) sizes: Option<&'a Rows>,
    pub(crate) position: usize,
}

impl<'a> Annotated<'a> {
    /// The histogram of the column at this position.
    pub fn histogram(&self, column: usize) -> Histogram<'a> {
        self.tables[column].histograms.get(self.position)
    }

    /// For each group, in the order that all columns share, the position of its bin in the column's
    /// histogram; `None` if the lattice keeps no rows.
    pub fn rows(&self, column: usize) -> Option<&'a [u32]> {
        Some(self.tables[column].rows.as_ref()?.get(self.position))
    }

    /// For each group its records; `None` if the lattice keeps no rows.
    pub fn sizes(&self) -> Option<&'a [u32]> {
        Some(self.sizes?.get(self.position))
    }
}

/// How many records each scheme suppresses at a threshold, by the scheme's index.
pub type Costs = Arc<[u32]>;

/// All schemes of a table, each with its annotation for the asking.
pub trait Lattice: Send + Sync {
    /// The schemes.
    fn space(&self) -> &Space;

    /// How many records every scheme covers.
    fn records(&self) -> u64;

    /// What a column of the annotations is, by its position.
    fn column(&self, position: usize) -> &Column;

    /// The annotation of a scheme of the space.
    fn annotate(&self, scheme: &Scheme) -> Result<Annotated<'_>, Error>;

    /// What every scheme suppresses at a threshold, if the lattice can tell them all at once.
    fn costs(&self, column: usize, threshold: f64) -> Option<Costs> {
        let _ = (column, threshold);
        None
    }
}
