//! The loss measures as plain sums over records: what each published record could mean, and which
//! records look like it.
//!
//! Nothing is added up by group or looked up by code; the earth mover's distance is the solution of
//! its linear program. A suppressed record counts as published with every cell standing for
//! anything, unless the measure says otherwise.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::full_paths;
use crate::Table;

mod cells;
mod groups;
mod published;
mod queries;
mod relations;

pub use published::Published;
use published::Weighed;

/// A measure of a publication.
type Definition = fn(&Weighed<'_>) -> f64;

const DEFINITIONS: [(&str, Definition); 18] = [
    ("height", cells::height),
    ("precision", cells::precision),
    ("redaction", cells::redaction),
    ("lm", cells::lm),
    ("normalised-loss", cells::normalised_loss),
    ("entropy", cells::entropy),
    ("monotone-entropy", cells::monotone_entropy),
    ("non-uniform-entropy", cells::non_uniform_entropy),
    ("ambiguity", cells::ambiguity),
    ("discernibility", groups::discernibility),
    ("average-class-size", groups::average_class_size),
    ("classification", groups::classification),
    ("kl-divergence", groups::kl_divergence),
    ("volume-inflation", groups::volume_inflation),
    ("entropy-volume-inflation", groups::entropy_volume_inflation),
    ("variance", relations::variance),
    ("hybrid", relations::hybrid),
    ("query-error", queries::query_error),
];

/// The ids of all measures that are defined here.
///
/// ```
/// assert!(haggle_testkit::oracle::losses::MEASURES.contains(&"lm"));
/// ```
pub const MEASURES: &[&str] = &{
    let mut ids = [""; DEFINITIONS.len()];
    let mut next = 0;
    while next < ids.len() {
        ids[next] = DEFINITIONS[next].0;
        next += 1;
    }
    ids
};

/// What a measure makes of a table published at these levels, if just the groups whose labels are
/// `kept` are kept. Each quasi-identifier has a weight, which measures of cells use; classes and
/// sensitive values are those of the sensitive attribute at the position given, any two as far
/// apart as their places in order if they are numbers, else alike.
///
/// # Panics
///
/// If no measure has this id, or it looks at a sensitive attribute that is not there.
///
/// ```
/// use haggle_testkit::{oracle::losses::loss, published::philosophers};
///
/// let table = philosophers();
/// let everybody = loss("discernibility", &table, &[1, 1, 3], &|_| true, &[1.0; 3], 0);
/// assert_eq!(everybody, 9.0 + 9.0 + 16.0);
/// let private = |labels: &[&str]| labels[1] == "Private";
/// assert_eq!(loss("discernibility", &table, &[1, 1, 3], &private, &[1.0; 3], 0), 16.0 + 60.0);
/// ```
pub fn loss(
    id: &str,
    table: &Table,
    levels: &[u8],
    kept: &dyn Fn(&[&str]) -> bool,
    weights: &[f64],
    sensitive: usize,
) -> f64 {
    Losses::of(table).published(levels, kept).loss(id, weights, sensitive)
}

/// A table whose publications can be measured.
///
/// ```
/// use haggle_testkit::{oracle::losses::Losses, published::philosophers};
///
/// let table = philosophers();
/// let losses = Losses::of(&table);
/// let as_recorded = losses.published(&[0, 0, 0], &|_| true);
/// assert_eq!(as_recorded.loss("lm", &[1.0; 3], 0), 0.0);
/// assert_eq!(as_recorded.loss("average-class-size", &[1.0; 3], 0), 1.0);
/// ```
#[derive(Debug)]
pub struct Losses<'a> {
    table: &'a Table,
    /// The path of each recorded value of each quasi-identifier.
    paths: Vec<BTreeMap<String, Vec<String>>>,
    /// How many records have it.
    counts: Vec<BTreeMap<&'a str, u64>>,
    /// Distances that were computed, by sensitive attribute and by how many records of a group have
    /// each of its values.
    distances: RefCell<BTreeMap<(usize, Vec<u64>), f64>>,
}

impl<'a> Losses<'a> {
    /// Of a table whose hierarchies are sound and cover its records.
    pub fn of(table: &'a Table) -> Self {
        let paths = |rows: &Vec<Vec<String>>| full_paths(rows).expect("the hierarchy is sound");
        let count = |column: usize| {
            let mut counts = BTreeMap::new();
            for record in &table.records {
                *counts.entry(record[column].as_str()).or_default() += 1;
            }
            counts
        };
        Self {
            table,
            paths: table.attributes.iter().map(|attribute| paths(&attribute.rows)).collect(),
            counts: (0..table.attributes.len()).map(count).collect(),
            distances: RefCell::default(),
        }
    }

    /// The most frequent value of a quasi-identifier; of several, the first by label.
    fn usual(&self, column: usize) -> &'a str {
        let most = self.counts[column].values().max();
        let found = self.counts[column].iter().find(|(_, count)| Some(*count) == most);
        found.map_or("", |(value, _)| value)
    }

    /// The table published at these levels, without the groups whose labels are not `kept`.
    pub fn published(&self, levels: &[u8], kept: &dyn Fn(&[&str]) -> bool) -> Published<'_> {
        Published::new(self, levels, kept)
    }

    /// The table published with each cell standing for any value of a set: by record, and then by
    /// quasi-identifier. The records that are not `kept` are suppressed. The level of a set is the
    /// lowest at which all of its values have one label.
    ///
    /// ```
    /// use haggle_testkit::{oracle::losses::Losses, published::philosophers};
    ///
    /// let table = philosophers();
    /// let as_recorded: Vec<Vec<_>> =
    ///     table.records.iter().map(|r| r[..3].iter().map(|v| [v.clone()].into()).collect()).collect();
    /// let losses = Losses::of(&table);
    /// assert_eq!(losses.published_as(&as_recorded, &|_| true).loss("lm", &[1.0; 3], 0), 0.0);
    /// ```
    pub fn published_as(
        &self,
        sets: &[Vec<std::collections::BTreeSet<String>>],
        kept: &dyn Fn(usize) -> bool,
    ) -> Published<'_> {
        Published::as_sets(self, sets, kept)
    }
}

impl Published<'_> {
    /// What a measure makes of it; see [`loss`].
    ///
    /// # Panics
    ///
    /// If no measure has this id, or it looks at a sensitive attribute that is not there.
    pub fn loss(&self, id: &str, weights: &[f64], sensitive: usize) -> f64 {
        let Some((_, definition)) = DEFINITIONS.iter().find(|(known, _)| *known == id) else {
            panic!("no measure is called '{id}'; there are {MEASURES:?}");
        };
        definition(&self.weighed(weights, sensitive))
    }

    /// What hybrid loss makes of it over a set of quasi-identifiers, by position, with a volume
    /// measure by name; without one, the variance loss over that set.
    ///
    /// # Panics
    ///
    /// If no volume measure has this name.
    pub fn relational(&self, volume: Option<&str>, over: &[usize], sensitive: usize) -> f64 {
        let of = self.weighed(&[], sensitive);
        match volume {
            None => relations::variance_over(&of, over),
            Some(volume) => relations::hybrid_by(&of, volume, over),
        }
    }
}
