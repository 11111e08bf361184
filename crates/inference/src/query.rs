//! What a publication answers to a query: without correction, and corrected by what is known of the
//! table.
//!
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008,
//! section 2.5. Definition 2.5.6 splits a condition into one for each attribute; here the
//! probability of the whole condition under independent attributes is computed, which is the same
//! for such conditions and is defined for all others too.

mod errors;
mod knowledge;
mod reader;
mod rest;
mod tally;

use haggle_cube::query::{Condition, Variable};
use haggle_model::{Error, ErrorKind};

pub use errors::{Errors, GroundDistance, errors};
pub use knowledge::{Domain, Knowledge};
pub use reader::{QueryOutcome, Reader};
pub use tally::QueryTally;

use crate::PublishedGroups;

/// A condition, and the column whose distribution among the records that satisfy it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Which records.
    pub condition: Condition,
    /// The column; without one, only the number of records is asked for.
    pub target: Option<String>,
}

/// Returns the columns of a publication in the order in which conditions ask them: those that are
/// published as recorded first, since a record has one value there.
pub(crate) fn variables<'a>(groups: &PublishedGroups<'a>) -> Vec<Variable<'a>> {
    let recorded = groups.columns().iter().map(|c| Variable::of_values(&c.name, &c.values));
    let attributes = groups.attributes().iter();
    let attributes = attributes.map(|a| Variable::of_hierarchy(&a.name, &a.hierarchy));
    recorded.chain(attributes).collect()
}

/// Returns the position of a column by its name.
pub(crate) fn position(variables: &[Variable<'_>], name: &str) -> Result<usize, Error> {
    variables.iter().position(|variable| variable.name() == name).ok_or_else(|| {
        let names: Vec<&str> = variables.iter().map(Variable::name).collect();
        Error::of_kind(
            ErrorKind::NotFound,
            format!("there is no column '{name}'"),
            format!("choose from: {}", names.join(", ")),
        )
    })
}
