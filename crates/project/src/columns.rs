//! The columns of the data, each with its role and the distribution of its values.

use haggle_api::{ColumnView, Columns, ValueRecords};
use haggle_data::{ColumnProfile, profile};
use haggle_model::{Error, Role, Silent};

use crate::Project;

/// How many values are listed; the rest is summed.
const SHOWN: usize = 100;

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
        let found = profile(&self.table(&Silent)?, &self.data.missing.marks, &Silent)?;
        let attributes = found.columns.iter().map(|column| self.column(column)).collect();
        Ok(Columns { records: found.records, attributes })
    }

    fn column(&self, column: &ColumnProfile) -> ColumnView {
        let stated = self.attributes.iter().find(|a| a.name == column.name);
        let role = stated.map_or(Role::Insensitive, |attribute| attribute.role);
        // Names have no useful distribution and must not be shown.
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
pub fn spread(values: Vec<(String, u64)>, all: u64) -> Vec<ValueRecords> {
    let mut counts: Vec<u64> = values.iter().map(|(_, records)| *records).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let least = counts.get(SHOWN).map_or(0, |next| next + 1);
    let listed = values.into_iter().filter(|(_, records)| *records >= least);
    let listed = listed.map(|(value, records)| ValueRecords { value: Some(value), records });
    let mut listed: Vec<ValueRecords> = listed.collect();
    let rest = all - listed.iter().map(|one| one.records).sum::<u64>();
    if rest > 0 {
        listed.push(ValueRecords { value: None, records: rest });
    }
    listed
}
