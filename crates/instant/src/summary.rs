//! What a summary of a table estimates: how likely a random record falls into a generalized cell.

use std::ops::Range;

use haggle_cube::{DatabaseStatistics, Overview};
use haggle_model::{Hierarchy, Level, QuasiIdentifier, Scheme, Watched};

use crate::Error;

/// What each recorded value of an attribute becomes: the code of the part that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueMap {
    /// The part of each recorded value.
    pub codes: Vec<u32>,
    /// The number of parts.
    pub size: usize,
}

impl ValueMap {
    /// Returns the map to a level of a hierarchy.
    pub fn to_level(hierarchy: &Hierarchy, level: Level) -> Self {
        Self { codes: hierarchy.ancestors(level).to_vec(), size: hierarchy.len(level) }
    }

    /// Returns the map to a cut: ranges that cover the recorded values, in order.
    pub fn to_ranges(ranges: &[Range<u32>]) -> Self {
        let part = |(code, range): (u32, &Range<u32>)| std::iter::repeat_n(code, range.len());
        Self { codes: (0..).zip(ranges).flat_map(part).collect(), size: ranges.len() }
    }

    /// Returns the maps to the levels of a scheme.
    pub fn to_scheme(attributes: &[QuasiIdentifier], scheme: &Scheme) -> Vec<Self> {
        let levels = attributes.iter().zip(scheme.levels());
        levels.map(|(a, &level)| Self::to_level(&a.hierarchy, level)).collect()
    }
}

/// A cell of a partition of the domain: a combination of parts, with what is likely in it.
#[derive(Debug, Clone, Copy)]
pub struct LikelyCell<'a> {
    /// Its part in each quasi-identifier.
    pub codes: &'a [u32],
    /// The probability that a random record falls into it.
    pub probability: f64,
    /// The probability of the cell together with each sensitive value, if these were asked for.
    pub sensitive: &'a [f64],
}

/// A summary function over one table.
pub trait Summary: std::fmt::Debug + Send + Sync {
    /// Returns how many records the table has, or is estimated to have.
    fn records(&self) -> f64;

    /// The quasi-identifiers, in the order of a scheme's levels.
    fn attributes(&self) -> &[QuasiIdentifier];

    /// Returns how many values the sensitive attribute has; 0 if there is no sensitive attribute.
    fn sensitive(&self) -> usize;

    /// The probability that a random record falls into a cell, and if a value is given, that it
    /// also has that sensitive value.
    fn probability(&self, scheme: &Scheme, codes: &[u32], sensitive: Option<u32>) -> f64;

    /// Calls `visit` with every cell of a partition that has a positive probability. The partition
    /// has a map for each quasi-identifier; `sensitive` asks for the sensitive values of cells.
    fn for_each_cell(
        &self,
        partition: &[ValueMap],
        sensitive: bool,
        visit: &mut dyn FnMut(&LikelyCell<'_>),
    ) -> Result<(), Error>;

    /// Returns the probability that a random record falls into a box, given by its side in each
    /// quasi-identifier as codes of recorded values: for each value of one side if an attribute is
    /// named, and within that for each sensitive value if requested.
    fn within(&self, sides: &[Range<u32>], along: Option<usize>, sensitive: bool) -> Vec<f64>;

    /// Draws a record at random: a recorded code for each quasi-identifier, then that of the
    /// sensitive value, if there is one.
    fn draw(&self, random: &mut rand::rngs::StdRng) -> Vec<u32>;

    /// The probability of each value of an attribute at the recorded level.
    fn marginal(&self, attribute: usize) -> Vec<f64>;
}

/// The input from which a summary is built.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryInput {
    /// The quasi-identifiers, in the order of a scheme's levels.
    pub attributes: Vec<QuasiIdentifier>,
    /// The sensitive attribute, if one is needed.
    pub sensitive: Option<Watched>,
    /// The result of one cheap pass.
    pub overview: Option<Overview>,
    /// The statistics of a database, which was not read.
    pub statistics: Option<DatabaseStatistics>,
}

impl SummaryInput {
    /// The number of recorded values of each quasi-identifier, then of the sensitive attribute.
    pub(crate) fn domains(&self) -> Vec<usize> {
        let quasi = self.attributes.iter().map(|a| a.hierarchy.len(0.into()));
        quasi.chain(self.sensitive.iter().map(|s| s.values.len())).collect()
    }

    pub(crate) fn overview(&self) -> Result<&Overview, Error> {
        let missing = || Error::new("the data was not read", "read it once first");
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

/// What must be known before a summary can be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// One cheap pass over the data.
    Overview,
    /// Records drawn at random.
    Sample,
    /// Only what a database stores for itself.
    Statistics,
}

/// A kind of summary, as described in the catalog.
#[derive(Debug)]
pub struct SummaryKind {
    /// The name on the command line and in JSON.
    pub id: &'static str,
    /// A short title.
    pub title: &'static str,
    /// The definition.
    pub definition: &'static str,
    /// What must be known before it can be built.
    pub needs: Needs,
    pub(crate) make: fn(&SummaryInput) -> Result<Box<dyn Summary>, Error>,
}

impl SummaryKind {
    /// Returns whether it is learned from a random sample.
    pub fn draws(&self) -> bool {
        self.needs == Needs::Sample
    }
}

impl SummaryKind {
    /// Builds the summary of a table.
    pub fn build(&self, basis: &SummaryInput) -> Result<Box<dyn Summary>, Error> {
        (self.make)(basis)
    }
}
