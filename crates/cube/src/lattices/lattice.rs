//! The common interface of annotated lattices: their columns, and the annotation of a scheme.
//!
//! A partial lattice names the schemes that it has (`annotated_at`), so that searches visit those
//! and conclude nothing about others.

use std::sync::Arc;

use haggle_model::{Scheme, Space};

use crate::lattices::table::{Costs, GroupSizes, StatisticTable};
use crate::{Column, Error, Histogram};

/// The annotation of one scheme: a histogram for each column of the lattice, and, where verdicts of
/// several columns must be joined, a row for each group.
#[derive(Debug, Clone)]
pub struct Annotated<'a>(HeldTables<'a>);

/// One position in tables of all schemes, or tables of this scheme alone.
#[derive(Debug, Clone)]
enum HeldTables<'a> {
    Among { tables: &'a [Arc<StatisticTable>], sizes: Option<&'a GroupSizes>, position: usize },
    Alone(Arc<Alone>),
}

/// The annotation of one scheme by itself.
#[derive(Debug)]
pub(crate) struct Alone {
    pub(crate) tables: Vec<Arc<StatisticTable>>,
    pub(crate) sizes: Option<GroupSizes>,
}

impl<'a> Annotated<'a> {
    pub(crate) fn among(
        tables: &'a [Arc<StatisticTable>],
        sizes: Option<&'a GroupSizes>,
        position: usize,
    ) -> Self {
        Self(HeldTables::Among { tables, sizes, position })
    }

    pub(crate) fn alone(alone: Arc<Alone>) -> Self {
        Self(HeldTables::Alone(alone))
    }

    /// Returns an annotation that can outlive the lattice, if it is not part of the tables of all
    /// schemes.
    pub(crate) fn into_alone(self) -> Option<Annotated<'static>> {
        match self.0 {
            HeldTables::Alone(alone) => Some(Annotated::alone(alone)),
            HeldTables::Among { .. } => None,
        }
    }

    fn table(&self, column: usize) -> (&StatisticTable, usize) {
        match &self.0 {
            HeldTables::Among { tables, position, .. } => (&tables[column], *position),
            HeldTables::Alone(alone) => (&alone.tables[column], 0),
        }
    }

    /// The histogram of the column at this position.
    pub fn histogram(&self, column: usize) -> Histogram<'_> {
        let (table, position) = self.table(column);
        table.histogram(position)
    }

    /// For each group, in the order that all columns share, the position of its bin in the column's
    /// histogram; `None` if the lattice keeps no rows.
    pub fn rows(&self, column: usize) -> Option<&[u32]> {
        let (table, position) = self.table(column);
        table.rows(position)
    }

    /// For each group its records; `None` if the lattice keeps no rows.
    pub fn sizes(&self) -> Option<&[u64]> {
        match &self.0 {
            HeldTables::Among { tables, sizes, position } => {
                // Sizes are in the order of the tables that they belong to.
                let position = tables.first().map_or(*position, |table| table.at(*position));
                Some((*sizes)?.get(position))
            }
            HeldTables::Alone(alone) => Some(alone.sizes.as_ref()?.get(0)),
        }
    }
}

/// All schemes of a table, each with its annotation on request.
pub trait Lattice: Send + Sync {
    /// The schemes.
    fn space(&self) -> &Space;

    /// How many records every scheme covers.
    fn records(&self) -> u64;

    /// What a column of the annotations is, by its position.
    fn column(&self, position: usize) -> &Column;

    /// The annotation of a scheme of the space.
    fn annotate(&self, scheme: &Scheme) -> Result<Annotated<'_>, Error>;

    /// Returns the schemes of a height that can be annotated, in the order of levels, if not all
    /// can. Such a lattice never annotates the others, and nothing can be concluded about them.
    fn annotated_at(&self, height: u32) -> Option<&[Scheme]> {
        let _ = height;
        None
    }

    /// Returns what every scheme suppresses at a threshold, if the lattice can compute all at once.
    fn costs(&self, column: usize, threshold: f64) -> Option<Costs> {
        let _ = (column, threshold);
        None
    }

    /// Returns the bytes that a search may use in addition to the lattice.
    fn room(&self) -> usize {
        usize::MAX
    }
}
