//! The one interface of annotated lattices: what is annotated with, and the annotation of a scheme.

use std::sync::Arc;

use haggle_model::{Scheme, Space};
use serde::{Deserialize, Serialize};

use crate::{Comparison, Error, Histogram, Histograms, Kind, Statistic};

/// What is known of one scheme: a histogram for each column of the lattice.
#[derive(Debug)]
pub enum Annotated<'a> {
    /// Kept by the lattice, among all schemes' histograms.
    Kept {
        /// Every scheme's histograms, by column.
        histograms: &'a [Histograms],
        /// The scheme's position among them.
        position: usize,
    },
    /// Made for the asking and shared with a cache that may drop it: one histogram a column.
    Shared(Arc<[Histograms]>),
}

impl<'a> Annotated<'a> {
    pub(crate) fn kept(histograms: &'a [Histograms], position: usize) -> Self {
        Self::Kept { histograms, position }
    }

    /// The histogram of the column at this position.
    pub fn histogram(&self, column: usize) -> Histogram<'_> {
        match self {
            Self::Kept { histograms, position } => histograms[column].get(*position),
            Self::Shared(histograms) => histograms[column].get(0),
        }
    }
}

/// How many records each scheme suppresses at a threshold, by the scheme's index.
pub type Costs = Arc<[u32]>;

/// What a search must know of a statistic that a lattice carries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// The model's name with its fixed parameters.
    pub id: String,
    /// Which side of a threshold passes.
    pub comparison: Comparison,
    /// What merging groups does to the verdict.
    pub kind: Kind,
    /// The weakest threshold that still protects anybody.
    pub weakest: f64,
}

impl From<&dyn Statistic> for Column {
    fn from(statistic: &dyn Statistic) -> Self {
        Self {
            id: statistic.id(),
            comparison: statistic.comparison(),
            kind: statistic.kind(),
            weakest: statistic.weakest(),
        }
    }
}

/// All schemes of a table, each with its annotation for the asking.
pub trait Lattice: Send + Sync {
    /// The schemes.
    fn space(&self) -> &Space;

    /// How many records every scheme covers.
    fn records(&self) -> u64;

    /// The statistics that annotations carry, in the order of their histograms.
    fn columns(&self) -> &[Column];

    /// The annotation of a scheme of the space.
    fn annotate(&self, scheme: &Scheme) -> Result<Annotated<'_>, Error>;

    /// What every scheme suppresses at a threshold, if the lattice can tell them all at once.
    fn costs(&self, column: usize, threshold: f64) -> Option<Costs> {
        let _ = (column, threshold);
        None
    }

    /// The position of a column by its name.
    fn column(&self, id: &str) -> Option<usize> {
        self.columns().iter().position(|column| column.id == id)
    }
}
