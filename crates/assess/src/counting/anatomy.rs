//! A publication in two tables that are joined by group: who is in which group, with
//! quasi-identifiers as recorded, and how often each sensitive value occurs in each group.

use std::collections::BTreeMap;

use haggle_cube::{CountedPart, Counter, Cube};
use haggle_data::Table;
use haggle_model::{
    Dictionary, Error, ErrorKind, Hierarchy, Problem, Progress, QuasiIdentifier, Watched,
};
use serde::{Deserialize, Serialize};

use crate::measure::{Measured, in_no_field};

/// The column with how often a value occurs in a group.
pub const COUNT: &str = "count";

/// The table of sensitive values of a publication in two tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SensitiveTable {
    /// Its file, in the folder of the other table.
    pub file: String,
    /// Its SHA-256.
    pub sha256: String,
    /// The column of both tables that joins them.
    pub group: String,
    /// The sensitive attribute.
    pub attribute: String,
    /// The columns of the other table that are published exactly, so that no size of groups is
    /// promised.
    pub exact: Vec<String>,
}

/// Refuses to look at a publication in two tables as if it were one.
pub(crate) fn must_be_one_table(table: Option<&SensitiveTable>, what: &str) -> Result<(), Error> {
    let Some(table) = table else { return Ok(()) };
    let problem = format!("{what} of a publication in two tables is not supported");
    let fix = "verify or assess it, or publish one table";
    Err(Problem::new(problem).of_kind(ErrorKind::Unsupported).file(&table.file).fix(fix).into())
}

/// The two tables, and the columns that matter.
pub struct TwoTables<'a> {
    /// A record for every person.
    pub records: &'a Table,
    /// A record for every value in a group.
    pub counts: &'a Table,
    /// The column that both share.
    pub group: &'a str,
    /// The sensitive attribute.
    pub attribute: &'a str,
}

impl TwoTables<'_> {
    /// Counts the sensitive values of each group. Fails if the tables do not fit together, or if the
    /// sensitive attribute is also in the table of records.
    pub fn measured(&self, memory: usize, progress: &dyn Progress) -> Result<Measured, Error> {
        if self.records.column(self.attribute).is_some() {
            let what = format!("'{}' is next to the quasi-identifiers as well", self.attribute);
            return Err(self.misfit(&what));
        }
        let read = |table: &Table, columns: &[&str]| {
            let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
            let missing = in_no_field();
            Measured::count(table, &columns, &[], None, &missing, memory, progress)
                .map(|measured| measured.with_stars_as_values().groups())
        };
        let sizes = read(self.records, &[self.group])?;
        let counts = read(self.counts, &[self.group, self.attribute, COUNT])?;
        let values = self.values(&counts)?;
        self.check_sizes(&sizes, &values)?;
        Ok(Measured::of_cube(self.cube(&values)))
    }

    /// How often each value occurs, by group.
    fn values<'r>(
        &self,
        rows: &'r BTreeMap<Vec<String>, u64>,
    ) -> Result<BTreeMap<&'r str, BTreeMap<&'r str, u64>>, Error> {
        let mut values: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
        for (row, &times) in rows {
            let [group, value, count] = &row[..] else { continue };
            let count = count.parse().ok().filter(|&count: &u64| count > 0 && times == 1);
            let group = values.entry(group).or_default();
            let Some(count) = count.filter(|_| !group.contains_key(value.as_str())) else {
                return Err(self.misfit("a value of a group is not counted exactly once"));
            };
            group.insert(value, count);
        }
        Ok(values)
    }

    /// Every group has as many records as values.
    fn check_sizes(
        &self,
        sizes: &BTreeMap<Vec<String>, u64>,
        values: &BTreeMap<&str, BTreeMap<&str, u64>>,
    ) -> Result<(), Error> {
        let counted = |group: &str| {
            let counts = values.get(group).into_iter().flat_map(BTreeMap::values);
            counts.copied().try_fold(0, u64::checked_add)
        };
        let wrong = sizes.iter().find(|(group, size)| counted(&group[0]) != Some(**size));
        match wrong {
            Some(_) => Err(self.misfit("a group has more or fewer records than values")),
            None if sizes.len() != values.len() => {
                Err(self.misfit("a group has values and no records"))
            }
            None => Ok(()),
        }
    }

    fn cube(&self, values: &BTreeMap<&str, BTreeMap<&str, u64>>) -> Cube {
        let hierarchy = Hierarchy::flat(values.keys().copied());
        let mut dictionary = Dictionary::default();
        for value in values.values().flat_map(BTreeMap::keys) {
            dictionary.code_or_add(value);
        }
        let dictionary = dictionary.sorted();
        let mut counter = Counter::new(1, 1);
        for (group, values) in values {
            for (value, &count) in values {
                let codes = hierarchy.code(group).zip(dictionary.code(value));
                let (group, value) = codes.expect("both are known");
                counter.add_many(&[group, value], count);
            }
        }
        let all = |n: usize| (0..n as u32).collect::<Vec<u32>>();
        let recode = vec![all(values.len()), all(dictionary.len())];
        let group = QuasiIdentifier { name: self.group.into(), hierarchy };
        let watched = Watched { name: self.attribute.into(), values: dictionary };
        Cube::from_parts(vec![group], vec![watched], &[CountedPart { counter, recode }])
    }

    fn misfit(&self, what: &str) -> Error {
        let files =
            [self.records, self.counts].map(|table| table.input().name().display().to_string());
        let problem =
            Problem::new(format!("{} and {} do not fit together: {what}", files[0], files[1]));
        problem.fix("publish both again").into()
    }
}
