//! The one interface of annotated lattices: what is annotated with, and the annotation of a scheme.

use std::ops::Deref;
use std::sync::Arc;

use haggle_model::{Scheme, Space};
use serde::{Deserialize, Serialize};

use crate::{Comparison, Error, Histogram, Kind, Statistic};

/// What is known of a scheme: a histogram for each column of the lattice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Annotation {
    pub(crate) histograms: Box<[Histogram]>,
}

impl Annotation {
    /// The histogram of the column at this position.
    pub fn histogram(&self, column: usize) -> &Histogram {
        &self.histograms[column]
    }
}

/// An annotation that the lattice keeps, or one that was made for the asking.
#[derive(Debug)]
pub enum Annotated<'a> {
    /// Kept by the lattice.
    Kept(&'a Annotation),
    /// Shared with a cache that may drop it.
    Shared(Arc<Annotation>),
}

impl Deref for Annotated<'_> {
    type Target = Annotation;

    fn deref(&self) -> &Annotation {
        match self {
            Self::Kept(annotation) => annotation,
            Self::Shared(annotation) => annotation,
        }
    }
}

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

    /// The position of a column by its name.
    fn column(&self, id: &str) -> Option<usize> {
        self.columns().iter().position(|column| column.id == id)
    }
}
