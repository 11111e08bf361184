//! The data to look at: every column with its role and how its values are spread.

use haggle_data::{Column, profile};
use haggle_model::Role;
use serde::Serialize;

use crate::{Error, Project};

/// So many values are told apart; the rest is summed.
const SHOWN: usize = 100;

/// The columns of a project's data.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Columns {
    /// The records, before any is left out for a missing value.
    pub records: u64,
    /// The columns, in the order of the table.
    pub attributes: Vec<ColumnView>,
}

/// A column and its values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ColumnView {
    /// Its name.
    pub name: String,
    /// Its role.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub role: Role,
    /// How many different values it has; an estimate beyond some thousands.
    pub distinct: u64,
    /// How many records have none.
    pub missing: u64,
    /// How many records have which value, the most frequent values told apart, in the values' order;
    /// of identifiers none is told.
    pub distribution: Vec<ValueRecords>,
    /// Whether it has a hierarchy to look at.
    pub hierarchy: bool,
}

/// A value and how many records have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValueRecords {
    /// The value; none for all those that are not told apart.
    pub value: Option<String>,
    /// Its records.
    pub records: u64,
}

impl Project {
    /// What the columns of the data hold.
    ///
    /// ```
    /// let columns = haggle::Project::open("demo:adult")?.columns()?;
    /// let workclass = columns.attributes.iter().find(|c| c.name == "workclass").unwrap();
    /// assert_eq!((columns.records, workclass.missing), (32_561, 1_836));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn columns(&self) -> Result<Columns, Error> {
        let found = profile(&self.table()?, &self.data.missing.marks, &|_| ())?;
        let attributes = found.columns.iter().map(|column| self.column(column)).collect();
        Ok(Columns { records: found.records, attributes })
    }

    fn column(&self, column: &Column) -> ColumnView {
        let stated = self.attributes.iter().find(|a| a.name == column.name);
        let role = stated.map_or(Role::Insensitive, |attribute| attribute.role);
        // Who is named is no distribution, and nobody's to see.
        let names = role == Role::Identifier || self.data.unit.as_ref() == Some(&column.name);
        let values = column.sample.values().into_iter();
        let values = values.map(|(value, records)| (value.to_owned(), records)).collect();
        ColumnView {
            name: column.name.clone(),
            role,
            distinct: column.sample.distinct(),
            missing: column.missing.values().sum(),
            distribution: if names { Vec::new() } else { spread(values, column.known) },
            hierarchy: role == Role::QuasiIdentifier
                || stated.is_some_and(|attribute| attribute.hierarchy.is_some()),
        }
    }
}

/// The most frequent values in their own order, and what is left of all records.
pub(crate) fn spread(values: Vec<(String, u64)>, all: u64) -> Vec<ValueRecords> {
    let mut counts: Vec<u64> = values.iter().map(|(_, records)| *records).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let least = counts.get(SHOWN).map_or(0, |next| next + 1);
    let told = values.into_iter().filter(|(_, records)| *records >= least);
    let told = told.map(|(value, records)| ValueRecords { value: Some(value), records });
    let mut told: Vec<ValueRecords> = told.collect();
    let rest = all - told.iter().map(|one| one.records).sum::<u64>();
    if rest > 0 {
        told.push(ValueRecords { value: None, records: rest });
    }
    told
}
