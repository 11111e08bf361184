//! A table small enough to write down, and the cube that the product counts from it.

use std::collections::BTreeMap;
use std::fmt;

use haggle_cube::{CountedPart, Counter, Cube};
use haggle_model::{Dictionary, Error, Hierarchy, QuasiIdentifier, Row, Watched};

/// A quasi-identifier as a file would give it: rows of a value and its generalizations.
#[derive(Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The attribute's name.
    pub name: String,
    /// Its hierarchy as written: possibly ragged, possibly without a top.
    pub rows: Vec<Vec<String>>,
}

/// At most this many rows of a hierarchy are shown when a test fails.
const SHOWN: usize = 20;

impl fmt::Debug for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = &self.rows[..self.rows.len().min(SHOWN)];
        write!(f, "{:?}, {} rows: {rows:?}", self.name, self.rows.len())
    }
}

impl Attribute {
    /// The hierarchy that the product reads from the rows.
    pub fn hierarchy(&self) -> Result<Hierarchy, Error> {
        let rows = self.rows.iter().zip(1..).map(|(labels, line)| Row::new(line, labels.clone()));
        Hierarchy::from_rows(&self.name, rows.collect())
    }
}

/// Records as strings, with what is known of their attributes.
///
/// ```
/// use haggle_testkit::{Attribute, Table};
///
/// let rows = [["37", "30-39"], ["38", "30-39"], ["41", "40-49"]];
/// let table = Table {
///     attributes: vec![Attribute {
///         name: "age".into(),
///         rows: rows.map(|row| row.map(String::from).to_vec()).to_vec(),
///     }],
///     sensitive: vec!["disease".into()],
///     records: [["41", "flu"], ["37", "flu"], ["37", "asthma"]]
///         .map(|record| record.map(String::from).to_vec())
///         .to_vec(),
/// };
/// let cube = table.cube()?;
/// assert_eq!((cube.records(), cube.base_groups()), (3, 2));
/// assert_eq!(cube, table.cube_in_parts(2)?, "however the records are split");
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The quasi-identifiers.
    pub attributes: Vec<Attribute>,
    /// The names of the sensitive attributes.
    pub sensitive: Vec<String>,
    /// The records: the quasi-identifiers' values, then those of the sensitive attributes.
    pub records: Vec<Vec<String>>,
}

impl Table {
    /// The cube, counted by one counter.
    pub fn cube(&self) -> Result<Cube, Error> {
        self.cube_in_parts(1)
    }

    /// The cube, counted by several counters as threads would: each takes a stretch of the records
    /// and codes values in the order in which it meets them.
    pub fn cube_in_parts(&self, parts: usize) -> Result<Cube, Error> {
        self.counted(parts, &vec![1; self.records.len()])
    }

    /// The cube of a table that has each of these records this many times.
    pub fn cube_of_many(&self, times: &[u64]) -> Result<Cube, Error> {
        self.counted(1, times)
    }

    fn counted(&self, parts: usize, times: &[u64]) -> Result<Cube, Error> {
        let attributes = self.quasi_identifiers()?;
        let watched = self.watched();
        let meaning = |column: usize, value: &str| match attributes.get(column) {
            Some(attribute) => attribute.hierarchy.code(value),
            None => watched[column - attributes.len()].values.code(value),
        };
        let stretch = self.records.len().div_ceil(parts.max(1)).max(1);
        let mut stretches = self.records.chunks(stretch).zip(times.chunks(stretch));
        let parts: Vec<CountedPart> = (0..parts.max(1))
            .map(|_| self.part(stretches.next().unwrap_or_default(), &meaning))
            .collect();
        Ok(Cube::from_parts(attributes, watched, &parts))
    }

    /// The table of some of the quasi-identifiers, in a new order.
    pub fn select(&self, positions: &[usize]) -> Self {
        let sensitive = self.attributes.len()..self.attributes.len() + self.sensitive.len();
        let columns: Vec<usize> = positions.iter().copied().chain(sensitive).collect();
        let pick = |record: &Vec<String>| columns.iter().map(|&i| record[i].clone()).collect();
        Self {
            attributes: positions.iter().map(|&i| self.attributes[i].clone()).collect(),
            sensitive: self.sensitive.clone(),
            records: self.records.iter().map(pick).collect(),
        }
    }

    fn quasi_identifiers(&self) -> Result<Vec<QuasiIdentifier>, Error> {
        let quasi_identifier = |attribute: &Attribute| {
            let hierarchy = attribute.hierarchy()?;
            Ok(QuasiIdentifier { name: attribute.name.clone(), hierarchy })
        };
        self.attributes.iter().map(quasi_identifier).collect()
    }

    fn watched(&self) -> Vec<Watched> {
        let watched = |(i, name): (usize, &String)| {
            let mut values = Dictionary::default();
            for record in &self.records {
                values.code_or_add(&record[self.attributes.len() + i]);
            }
            Watched { name: name.clone(), values: values.sorted() }
        };
        self.sensitive.iter().enumerate().map(watched).collect()
    }

    fn part(
        &self,
        (records, times): (&[Vec<String>], &[u64]),
        meaning: &dyn Fn(usize, &str) -> Option<u32>,
    ) -> CountedPart {
        let columns = self.attributes.len() + self.sensitive.len();
        let mut counter = Counter::new(self.attributes.len(), self.sensitive.len());
        let mut met: Vec<BTreeMap<&str, u32>> = vec![BTreeMap::new(); columns];
        let mut recode: Vec<Vec<u32>> = vec![Vec::new(); columns];
        for (record, &times) in records.iter().zip(times) {
            let mut codes = Vec::with_capacity(columns);
            for ((value, met), recode) in record.iter().zip(&mut met).zip(&mut recode) {
                codes.push(*met.entry(value).or_insert_with(|| {
                    let code = meaning(codes.len(), value).expect("the hierarchy covers the value");
                    recode.push(code);
                    recode.len() as u32 - 1
                }));
            }
            counter.add_many(&codes, times);
        }
        CountedPart { counter, recode }
    }
}
