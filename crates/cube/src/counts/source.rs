//! Data sources that count groups scheme by scheme, and statistics that need no counting.
//!
//! A file generalizes while it is read, a database by joining codes to its table. Neither returns
//! more than the groups of the scheme.

use haggle_model::{Progress, QuasiIdentifier, Scheme, Watched};

use crate::counts::cells;
use crate::counts::count::{marginals, records};
use crate::counts::cube::{Marginal, any_width};
use crate::{CountedPart, Group};

/// A data source that counts the groups of a scheme on request.
///
/// It never returns records, and it counts its own scans, so that the number of scans of an
/// algorithm can be checked.
pub trait Source {
    /// The error of counting.
    type Error;

    /// The quasi-identifiers, in the order of a scheme's levels.
    fn attributes(&self) -> &[QuasiIdentifier];

    /// Counts the groups of a scheme in one scan of the data, which `progress` can cancel.
    fn count(&mut self, scheme: &Scheme, progress: &dyn Progress) -> Result<Counted, Self::Error>;

    /// How many scans were made so far.
    fn scans(&self) -> u64;
}

/// The groups of one scheme, with the counts of each watched value.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    watched: Vec<Watched>,
    records: u64,
    marginals: Vec<Marginal>,
}

impl Counted {
    /// Builds the groups of the parts' counts, for attributes with these numbers of values at their
    /// level.
    ///
    /// ```
    /// use haggle_cube::{Counted, Counter, CountedPart};
    ///
    /// let mut counter = Counter::new(1, 0);
    /// [0, 1, 1].iter().for_each(|&decade| counter.add(&[decade]));
    /// let counted = Counted::of(&[2], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1]] }]);
    /// let mut sizes = Vec::new();
    /// counted.for_each_group(0, |_, group| sizes.push(group.records));
    /// assert_eq!((counted.records(), sizes), (3, vec![1, 2]));
    /// ```
    pub fn of(domains: &[usize], watched: Vec<Watched>, parts: &[CountedPart]) -> Self {
        let marginals = marginals(domains, &watched, parts);
        Self { watched, records: records(parts), marginals }
    }

    /// The watched attributes.
    pub fn watched(&self) -> &[Watched] {
        &self.watched
    }

    /// How many records were counted.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Calls `visit` with every group, with the counts of one watched attribute's values.
    pub fn for_each_group(&self, watched: usize, mut visit: impl FnMut(&[u32], &Group<'_>)) {
        let Marginal { layout, cells } = &self.marginals[watched];
        let mut codes = Vec::new();
        any_width!(cells, cells => {
            cells::for_each_group(cells, layout, |cells, group| {
                cells::read_codes(cells, layout, &mut codes);
                visit(&codes, group);
            });
        });
    }
}

/// The result of one cheap pass over the data: how often each value occurs, and some records.
///
/// Columns are the quasi-identifiers in order, then the watched attributes; values are codes, of
/// the hierarchy or of the watched attribute.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overview {
    /// How many records there are.
    pub records: u64,
    /// How many records have each value, by column.
    pub counts: Vec<Vec<u64>>,
    /// Records drawn at random, concatenated; a watched value that is missing has the code after
    /// the last.
    pub sample: Vec<u32>,
}

impl Overview {
    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.counts.len()
    }

    /// The records of the sample.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.sample.chunks_exact(self.columns().max(1))
    }
}

/// What a database stores about a table for planning its queries.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DatabaseStatistics {
    /// The estimated number of records.
    pub records: f64,
    /// By column.
    pub columns: Vec<ColumnStatistics>,
    /// Statistics of several columns together.
    pub joint: Vec<JointStatistics>,
}

/// What a database stores about one column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ColumnStatistics {
    /// The column.
    pub name: String,
    /// The share of records that have no value.
    pub nulls: f64,
    /// How many different values there are, if that is known.
    pub distinct: Option<f64>,
    /// The most common values and their shares.
    pub common: Vec<(String, f64)>,
    /// Bounds between which equally many of the other records lie.
    pub bounds: Vec<String>,
}

/// What a database stores about several columns together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JointStatistics {
    /// The columns.
    pub columns: Vec<String>,
    /// The most common combinations and their shares; a value may be missing.
    pub common: Vec<(Vec<Option<String>>, f64)>,
    /// How far columns determine others.
    pub dependencies: Vec<Dependency>,
}

/// How strongly some columns determine another: 1 if they always do.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependency {
    /// The determining columns.
    pub from: Vec<String>,
    /// The determined column.
    pub to: String,
    /// The degree, from 0 to 1.
    pub degree: f64,
}
