//! What a summary of a table tells: how likely a random record falls into a generalized cell.

use std::ops::Range;

use haggle_cube::{DatabaseStatistics, Overview};
use haggle_model::{QuasiIdentifier, Scheme, Watched};

use crate::Error;

/// A summary function over one table.
pub trait Summary: std::fmt::Debug + Send + Sync {
    /// How many records the table has, or is believed to have.
    fn records(&self) -> f64;

    /// The quasi-identifiers, in the order of a scheme's levels.
    fn attributes(&self) -> &[QuasiIdentifier];

    /// How many values the sensitive attribute has; none if nothing is known of one.
    fn sensitive(&self) -> usize;

    /// The probability that a random record falls into a cell, and if a value is given, that it
    /// also has that sensitive value.
    fn probability(&self, scheme: &Scheme, codes: &[u32], sensitive: Option<u32>) -> f64;

    /// Shows `visit` every cell of a scheme that is likely at all: its probability and, if
    /// `sensitive` is asked for, that of each sensitive value with it.
    fn for_each_cell(
        &self,
        scheme: &Scheme,
        sensitive: bool,
        visit: &mut dyn FnMut(f64, &[f64]),
    ) -> Result<(), Error>;

    /// The probability that a random record falls into a box, given by its side in each
    /// quasi-identifier as codes of recorded values: for each value of one side if an attribute is
    /// named, and within that for each sensitive value if they are asked for.
    fn within(&self, sides: &[Range<u32>], along: Option<usize>, sensitive: bool) -> Vec<f64>;

    /// A record drawn at random: a recorded code for each quasi-identifier, then the sensitive
    /// value's, if one is known of.
    fn draw(&self, random: &mut rand::rngs::StdRng) -> Vec<u32>;

    /// The probability of each value of an attribute at the recorded level.
    fn marginal(&self, attribute: usize) -> Vec<f64>;
}

/// What a summary is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis {
    /// The quasi-identifiers, in the order of a scheme's levels.
    pub attributes: Vec<QuasiIdentifier>,
    /// The sensitive attribute, if one is asked about.
    pub sensitive: Option<Watched>,
    /// What a cheap pass told.
    pub overview: Option<Overview>,
    /// What a database told, without being read.
    pub statistics: Option<DatabaseStatistics>,
}

impl Basis {
    /// The number of recorded values of each quasi-identifier, then of the sensitive attribute.
    pub(crate) fn domains(&self) -> Vec<usize> {
        let quasi = self.attributes.iter().map(|a| a.hierarchy.len(0.into()));
        quasi.chain(self.sensitive.iter().map(|s| s.values.len())).collect()
    }

    pub(crate) fn overview(&self) -> Result<&Overview, Error> {
        let missing = || Error::new("nothing was read of the data", "read it once beforehand");
        self.overview.as_ref().ok_or_else(missing)
    }

    /// The share of each value, by column.
    pub(crate) fn shares(&self) -> Result<Vec<Vec<f64>>, Error> {
        let overview = self.overview()?;
        let shares = |(counts, size): (&Vec<u64>, usize)| {
            let known = &counts[..size.min(counts.len())];
            let all = known.iter().sum::<u64>().max(1) as f64;
            known.iter().map(|&count| count as f64 / all).collect()
        };
        Ok(overview.counts.iter().zip(self.domains()).map(shares).collect())
    }
}

/// What has to be known before a summary can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// One cheap pass over the data.
    Overview,
    /// Records drawn at random.
    Sample,
    /// Nothing but what a database keeps for itself.
    Statistics,
}

/// A kind of summary, as the catalog tells it.
#[derive(Debug)]
pub struct SummaryKind {
    /// The name on the command line and in JSON.
    pub id: &'static str,
    /// A short title.
    pub title: &'static str,
    /// What it is.
    pub definition: &'static str,
    /// What has to be known beforehand.
    pub needs: Needs,
    pub(crate) make: fn(&Basis) -> Result<Box<dyn Summary>, Error>,
}

impl SummaryKind {
    /// Whether it is learned from a sample that is drawn.
    pub fn draws(&self) -> bool {
        self.needs == Needs::Sample
    }
}

impl SummaryKind {
    /// The summary of a table.
    pub fn build(&self, basis: &Basis) -> Result<Box<dyn Summary>, Error> {
        (self.make)(basis)
    }
}
