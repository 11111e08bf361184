//! One pass over every column: how many values, which, how often, and what they look like.

use std::collections::BTreeMap;

use haggle_model::Progress;

use crate::fields::{Fields, Visit};
use crate::records::Reading;
use crate::{Error, Table};

mod sample;
mod shape;

pub use sample::Sample;
pub use shape::Shape;

/// What the columns of a table look like.
///
/// ```
/// use haggle_data::{CsvOptions, Input, Table, profile};
///
/// let input = Input::embedded("people.csv", b"age,city\n37,Ulm\n41,?\n37,Bonn\n");
/// let table = Table::open(input, &CsvOptions::default())?;
/// let profile = profile(&table, &["?".into()], &haggle_model::Silent)?;
/// assert_eq!(profile.records, 3);
/// let [age, city] = &profile.columns[..] else { panic!() };
/// assert!(age.shape.is_number() && age.sample.distinct() == 2);
/// assert_eq!(city.missing["?"], 1);
/// # Ok::<(), haggle_data::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// How many records there are, those with a wrong number of fields aside.
    pub records: u64,
    /// The columns, in the order of the table.
    pub columns: Vec<ColumnProfile>,
}

/// What a column looks like, missing values aside.
#[derive(Debug, Clone, Default)]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// How many records have a value.
    pub known: u64,
    /// The marks of missing values that occur, and how often.
    pub missing: BTreeMap<String, u64>,
    /// Different values, and how often each occurs.
    pub sample: Sample,
    /// What all values have in common.
    pub shape: Shape,
}

impl ColumnProfile {
    fn add(&mut self, value: &str, marks: &[String]) {
        if let Some(mark) = marks.iter().find(|mark| *mark == value) {
            *self.missing.entry(mark.clone()).or_default() += 1;
            return;
        }
        self.known += 1;
        if self.sample.add(value) {
            self.shape.add(value);
        }
    }

    fn merge(&mut self, other: Self) {
        self.known += other.known;
        for (mark, count) in other.missing {
            *self.missing.entry(mark).or_default() += count;
        }
        self.sample.merge(other.sample);
        self.shape.merge(&other.shape);
    }
}

/// Profiles every column of a table. Fields that are one of the marks are missing; `progress`
/// receives the number of bytes read.
pub fn profile(table: &Table, marks: &[String], progress: &dyn Progress) -> Result<Profile, Error> {
    let reading = Reading::open(table, table.readable(), progress)?;
    let work = || -> Result<ProfileWorker<'_>, Error> {
        let mut worker = ProfileWorker::new(table, marks);
        while let Some(block) = reading.next()? {
            if progress.step(block.bytes()).is_break() {
                return Err(Error::cancelled());
            }
            block.visit(&mut worker)?;
        }
        Ok(worker)
    };
    let workers: Vec<Result<ProfileWorker<'_>, Error>> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            (0..rayon::current_num_threads()).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(|h| h.join().expect("a worker does not panic")).collect()
    });
    let mut all = ProfileWorker::new(table, marks).profile;
    for worker in workers {
        let Profile { records, columns } = worker?.profile;
        all.records += records;
        for (column, more) in all.columns.iter_mut().zip(columns) {
            column.merge(more);
        }
    }
    Ok(all)
}

/// What one thread has counted.
struct ProfileWorker<'a> {
    profile: Profile,
    marks: &'a [String],
}

impl<'a> ProfileWorker<'a> {
    fn new(table: &Table, marks: &'a [String]) -> Self {
        let all = table.columns().len();
        let column = |name: &String| ColumnProfile {
            name: name.clone(),
            sample: Sample::among(all),
            ..ColumnProfile::default()
        };
        let columns = table.columns().iter().map(column).collect();
        Self { profile: Profile { records: 0, columns }, marks }
    }
}

impl Visit for ProfileWorker<'_> {
    fn record(&mut self, record: &impl Fields, _line: u64) -> Result<(), Error> {
        let Profile { records, columns } = &mut self.profile;
        if record.count() == columns.len() {
            *records += 1;
            for (i, column) in columns.iter_mut().enumerate() {
                column.add(record.get(i), self.marks);
            }
        }
        Ok(())
    }
}
