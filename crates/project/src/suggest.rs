//! A hierarchy proposed for a column from its values.

use haggle_data::{ColumnProfile, profile};
use haggle_model::{Builder, Error, Occurrence, Progress};
use serde::Serialize;

use crate::meaning::Meaning;
use crate::project::write;
use crate::survey::no_column;
use crate::{Project, meaning};

mod categories;
mod codes;
mod dates;
mod numbers;

/// A hierarchy proposed for an attribute, to be pasted into the project.
#[derive(Debug, Clone, Serialize)]
pub struct Suggestion {
    /// The attribute.
    pub attribute: String,
    /// How many different values it has; an estimate if there are very many.
    pub values: u64,
    /// The hierarchy as a project states it; none if the values and `*` are enough.
    pub hierarchy: Option<String>,
    /// Why.
    pub why: String,
}

impl Suggestion {
    /// What to paste below the attribute's name and role.
    ///
    /// ```
    /// let project = haggle::Project::open("demo:adult")?;
    /// let age = project.suggest("age", &haggle::Silent)?;
    /// assert_eq!(age.toml(), "hierarchy = { intervals = [5, 10, 20] }");
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn toml(&self) -> String {
        match &self.hierarchy {
            Some(hierarchy) => format!("hierarchy = {hierarchy}"),
            None => "# no hierarchy: the value, or *".into(),
        }
    }
}

/// A rule, or none, and why.
#[derive(Debug, Clone)]
pub(crate) struct Proposal {
    pub(crate) rule: Option<Builder>,
    pub(crate) why: String,
}

impl Proposal {
    fn new(rule: impl Into<Builder>, why: impl Into<String>) -> Self {
        Self { rule: Some(rule.into()), why: why.into() }
    }

    fn none(why: impl Into<String>) -> Self {
        Self { rule: None, why: why.into() }
    }
}

/// The hierarchy that suits a column, whose meaning may be known.
pub(crate) fn propose(column: &ColumnProfile, meaning: Option<Meaning>) -> Proposal {
    let kind = meaning.map_or("", |meaning| meaning.kind);
    let few = few_values(column);
    let proposal = few
        .or_else(|| dates::propose(column))
        .or_else(|| codes::propose(column, kind == "postcode"))
        .or_else(|| numbers::propose(column))
        .unwrap_or_else(|| categories::propose(column));
    let fits = proposal.rule.as_ref().is_none_or(|rule| builds(rule, column));
    if fits { proposal } else { Proposal::none("its values follow no rule that would help") }
}

fn few_values(column: &ColumnProfile) -> Option<Proposal> {
    match column.sample.distinct() {
        0 => Some(Proposal::none("it has no values")),
        1 => Some(Proposal::none("it has a single value")),
        n @ 2..=3 => Some(Proposal::none(format!("with {n} values, the value or * is enough"))),
        _ => None,
    }
}

/// Whether the rule makes a hierarchy of the values that are known.
fn builds(rule: &Builder, column: &ColumnProfile) -> bool {
    let values = column.sample.values();
    let values: Vec<_> = values.iter().map(|&(value, _)| Occurrence { value, line: 1 }).collect();
    rule.build(&column.name, &values, None).is_ok()
}

impl Project {
    /// Proposes a hierarchy for an attribute of any role, in one scan of the data.
    pub fn suggest(&self, attribute: &str, progress: &dyn Progress) -> Result<Suggestion, Error> {
        let table = self.table(progress)?;
        let position = table.column(attribute).ok_or_else(|| no_column(self, &table, attribute))?;
        let profile = profile(&table, &self.data.missing.marks, progress)?;
        let column = &profile.columns[position];
        let Proposal { rule, why } = propose(column, meaning::of_name(attribute));
        Ok(Suggestion {
            attribute: attribute.into(),
            values: column.sample.distinct(),
            hierarchy: rule.as_ref().map(write::rule),
            why,
        })
    }
}
