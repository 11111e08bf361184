//! A database that counts more equal records than 32 bits can hold.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use haggle_cube::DatabaseStatistics;
use haggle_cube::Source;
use haggle_data::{CsvOptions, Database, Error, Input, Missing, Plan, Table, TableSource, scan};
use haggle_model::{Hierarchy, Progress, QuasiIdentifier, Scheme, Silent};
use haggle_sql::{
    Access, Connector, Dialect, Relation, SqlColumn, SqlEngine, SqlRow, SqlTarget, StagedTable,
    VisitRow, dialects,
};

/// Age, disease and records of each group; a negative number stands for what no engine counts.
type Rows = &'static [(&'static str, &'static str, i64)];

const MANY: Rows = &[
    ("37", "flu", 5_000_000_000),
    ("37", "asthma", 3),
    ("41", "flu", 4_294_967_295),
    ("41", "asthma", 1),
];

/// An engine that answers every query with the same groups.
struct Counting(Rows);

struct Row {
    texts: [&'static str; 2],
    /// The codes of a generalizing query.
    code: i64,
    records: i64,
}

impl SqlRow for Row {
    fn text(&self, column: usize) -> Option<&str> {
        self.texts.get(column).copied()
    }

    fn integer(&self, column: usize) -> Option<i64> {
        Some(if column == 0 { self.code } else { self.records })
    }

    fn boolean(&self, _: usize) -> bool {
        false
    }
}

fn refused<T>() -> Result<T, Error> {
    Err(Error::new("this engine only counts", "count"))
}

impl SqlEngine for Counting {
    fn dialect(&self) -> &'static dyn Dialect {
        dialects::POSTGRESQL
    }

    fn columns(&self, _: &str) -> Result<Vec<SqlColumn>, Error> {
        let column = |name: &str| SqlColumn { name: name.into(), kind: "text".into() };
        Ok(["age", "disease"].map(column).to_vec())
    }

    fn estimate(&self, _: &str) -> Result<Option<f64>, Error> {
        Ok(None)
    }

    fn for_each(&self, _: &str, visit: VisitRow<'_>) -> Result<(), Error> {
        for &(age, disease, records) in self.0 {
            visit(&Row { texts: [age, disease], code: 0, records })?;
        }
        Ok(())
    }

    fn execute(&self, _: &str) -> Result<(), Error> {
        refused()
    }

    fn begin(&self) -> Result<(), Error> {
        refused()
    }

    fn upload(&self, _: &Relation) -> Result<(), Error> {
        refused()
    }

    fn stage(&self, _: &SqlTarget, _: &str) -> Result<StagedTable, Error> {
        refused()
    }

    fn event(&self, _: &StagedTable) -> Result<String, Error> {
        refused()
    }

    fn commit(&self, _: &StagedTable) -> Result<(), Error> {
        refused()
    }

    fn abandon(&self, _: &StagedTable) -> Result<(), Error> {
        refused()
    }
}

impl Connector for Counting {
    fn dialect(&self) -> &'static dyn Dialect {
        dialects::POSTGRESQL
    }

    fn session<'p>(
        &self,
        _: &Path,
        _: Access,
        _: &'p dyn Progress,
    ) -> Result<Box<dyn SqlEngine + 'p>, Error> {
        Ok(Box::new(Self(self.0)))
    }

    fn records<'p>(
        &self,
        _: &Database,
        _: &'p dyn Progress,
    ) -> Result<Box<dyn Read + Send + 'p>, Error> {
        refused()
    }

    fn at_this_moment(&self, _: &Path) -> Result<Option<Arc<dyn Connector>>, Error> {
        Ok(None)
    }

    fn stamp(&self, _: &Database) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn statistics(&self, _: &Database) -> Result<DatabaseStatistics, Error> {
        refused()
    }

    fn happened(&self, _: &Path, _: &str) -> Result<haggle_output::Event, Error> {
        refused()
    }
}

fn table(rows: Rows) -> (Table, Plan) {
    let connector = Arc::new(Counting(rows));
    let database = Database::found(connector, "people".into(), "db".into(), &Silent).unwrap();
    let table = Table::open(Input::database(database), &CsvOptions::default()).unwrap();
    let plan = Plan {
        counted: vec![0],
        watched: vec![1],
        checked: vec![0, 1],
        missing: Missing::default(),
    };
    (table, plan)
}

fn age() -> Vec<QuasiIdentifier> {
    vec![QuasiIdentifier { name: "age".into(), hierarchy: Hierarchy::flat(["37", "41"]) }]
}

#[test]
fn groups_of_a_database_have_as_many_records_as_it_counted() {
    let (table, plan) = table(MANY);
    let scanned = scan(&table, &plan, usize::MAX, &Silent).unwrap();
    assert_eq!(scanned.kept(), 9_294_967_299);
    let cube = scanned.into_cube(age());
    let mut groups = Vec::new();
    cube.for_each_group(&Scheme::new([0]), 0, |_, group| {
        let values = group.values.iter().map(|value| value.count).collect::<Vec<u64>>();
        groups.push((group.records, values));
    });
    let expected =
        [(5_000_000_003, vec![3, 5_000_000_000]), (4_294_967_296, vec![1, 4_294_967_295])];
    assert_eq!(groups, expected);
    let mut all = 0;
    cube.for_each_group(&Scheme::new([1]), 0, |_, group| all += group.records);
    assert_eq!(all, 9_294_967_299);
}

#[test]
fn a_generalized_scheme_of_a_database_has_as_many_records_as_it_counted() {
    let (table, plan) = table(MANY);
    let counted =
        TableSource::new(table, plan, age(), usize::MAX).count(&Scheme::new([1]), &Silent).unwrap();
    let mut values = Vec::new();
    counted.for_each_group(0, |_, group| values.extend(group.values.iter().map(|v| v.count)));
    assert_eq!(values, [4, 9_294_967_295]);
}

#[test]
fn a_database_that_counts_less_than_nothing_is_refused() {
    let (table, plan) = table(&[("37", "flu", -1)]);
    let error = scan(&table, &plan, usize::MAX, &Silent).unwrap_err();
    assert!(error.to_string().contains("the database counted -1 equal records"), "{error}");
}
