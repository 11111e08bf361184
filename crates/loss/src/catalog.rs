//! The description of a measure, and how it is built.

use haggle_cube::Loss;
use serde::Serialize;

use crate::{Basis, Error};

/// An option of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MeasureOption {
    /// Its name, as in `variance:over=age,sex`.
    pub name: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// The valid words; quasi-identifiers of the table if there are none.
    pub options: &'static [&'static str],
}

/// What the loss of a scheme can be expected from, before anything is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExpectedFrom {
    /// Nothing: it depends on more than expected sums over groups.
    Nothing,
    /// Any summary of the data.
    AnySummary,
    /// A summary that counted how often each value occurs: the costs themselves depend on that.
    CountedValues,
}

/// A catalog entry.
#[derive(Debug, Clone, Copy, Serialize)]
#[allow(clippy::struct_excessive_bools)] // independent facts, each with a name
pub struct Measure {
    /// The name used in requests, files and addresses.
    pub id: &'static str,
    /// The name used in sentences.
    pub title: &'static str,
    /// What it measures.
    pub definition: &'static str,
    /// The definition as a formula.
    pub formula: &'static str,
    /// Its least and its largest value, in words.
    pub range: &'static str,
    /// The publication that proposed it.
    pub citation: &'static str,
    /// A worked example.
    pub example: &'static str,
    /// How suppressed records count.
    pub suppressed: &'static str,
    /// Whether it needs a watched attribute: the class, or a sensitive one.
    pub watches: bool,
    /// Whether attributes can have weights; if not, weights do not change it.
    pub weighted: bool,
    /// Whether it is about queries that can be stated.
    pub workload: bool,
    /// Whether a more general scheme never loses less, with nothing suppressed.
    pub monotone: bool,
    /// Whether suppressing a record never lowers it.
    pub suppressing_costs: bool,
    /// Whether the loss of each group does not depend on the other groups. Other measures are
    /// computed from sums over groups too, but are not such a sum.
    pub additive: bool,
    /// Whether it is an estimate, with a standard error.
    pub estimate: bool,
    /// Its options.
    pub options: &'static [MeasureOption],
    /// What it can be expected from, before anything is counted.
    pub expected_from: ExpectedFrom,
    /// Builds the measure of a table.
    #[serde(skip)]
    pub loss: fn(&Basis<'_>) -> Result<Box<dyn Loss>, Error>,
}
