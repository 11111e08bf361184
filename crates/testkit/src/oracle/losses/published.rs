//! A publication record by record.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Losses;

/// What a published cell says.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// Its level, which is the top if the record is suppressed, and the top.
    pub(super) level: usize,
    pub(super) top: usize,
    /// Whether it is published as `*`, though something else was recorded.
    pub(super) starred: bool,
    /// How many values the attribute has.
    pub(super) domain: usize,
    /// For each recorded value that it could mean, the records that have it.
    pub(super) could_be: Rc<Vec<u64>>,
    /// The records that have the recorded value that it does mean.
    pub(super) own: u64,
    /// Whether it could mean the attribute's most frequent value.
    pub(super) could_be_usual: bool,
}

impl Cell {
    /// How many recorded values it could mean.
    pub(super) fn values(&self) -> f64 {
        self.could_be.len() as f64
    }

    /// How many records have one of those.
    pub(super) fn records(&self) -> f64 {
        self.could_be.iter().sum::<u64>() as f64
    }
}

/// A record as published.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// One cell for each quasi-identifier.
    pub(super) cells: Vec<Cell>,
    /// The records that look like it, itself included; none if it is suppressed.
    pub(super) group: Option<Rc<Vec<usize>>>,
    /// The records that were recorded like it, itself included.
    pub(super) alike: Rc<Vec<usize>>,
}

/// A table published at some levels, with some groups suppressed.
#[derive(Debug)]
pub struct Published<'a> {
    losses: &'a Losses<'a>,
    /// The mean level of the records kept, by attribute.
    levels: Vec<f64>,
    /// The groups kept.
    groups: usize,
    records: Vec<Record>,
}

/// A publication with the inputs of a measure.
#[derive(Debug)]
pub(super) struct Weighed<'a> {
    pub(super) losses: &'a Losses<'a>,
    pub(super) levels: &'a [f64],
    pub(super) groups: usize,
    pub(super) records: &'a [Record],
    pub(super) weights: &'a [f64],
    pub(super) sensitive: usize,
}

impl Weighed<'_> {
    /// The sensitive value of a record.
    pub(super) fn class(&self, record: usize) -> &str {
        let table = self.losses.table;
        &table.records[record][table.attributes.len() + self.sensitive]
    }

    /// Every sensitive value, numbers by size.
    pub(super) fn sensitive_values(&self) -> Vec<&str> {
        let all: BTreeSet<&str> =
            (0..self.records.len()).map(|record| self.class(record)).collect();
        let mut all: Vec<&str> = all.into_iter().collect();
        let number = |value: &str| value.parse::<f64>().unwrap_or(f64::NAN);
        if all.iter().all(|value| value.parse::<f64>().is_ok()) {
            all.sort_by(|a, b| number(a).total_cmp(&number(b)));
        }
        all
    }
}

impl<'a> Published<'a> {
    pub(super) fn new(
        losses: &'a Losses<'a>,
        levels: &[u8],
        kept: &dyn Fn(&[&str]) -> bool,
    ) -> Self {
        let as_recorded = vec![0; levels.len()];
        let (recorded, looks) = (looks(losses, &as_recorded), looks(losses, levels));
        let (alike, groups) = (gather(&recorded), gather(&looks));
        let is_kept: BTreeMap<&Look<'_>, bool> =
            groups.keys().map(|labels| (labels, kept(labels))).collect();
        let mut stand_for = BTreeMap::new();
        let record = |(recorded, look): (&Look<'a>, &Look<'a>)| {
            let labels = is_kept[look].then_some(look);
            let cell = |column: usize| {
                let label = labels.map(|labels| labels[column]);
                let path = losses.paths[column].values().next().expect("it has values");
                let could_be = stand_for
                    .entry((column, label))
                    .or_insert_with(|| Rc::new(could_be(losses, column, levels[column], label)));
                Cell {
                    level: label.map_or(path.len() - 1, |_| levels[column].into()),
                    top: path.len() - 1,
                    starred: label.is_none_or(|label| levels[column] > 0 && label == "*"),
                    domain: losses.paths[column].len(),
                    could_be: could_be.clone(),
                    own: losses.counts[column][recorded[column]],
                    could_be_usual: label.is_none_or(|label| {
                        losses.paths[column][losses.usual(column)][usize::from(levels[column])]
                            == label
                    }),
                }
            };
            Record {
                cells: (0..levels.len()).map(cell).collect(),
                group: labels.map(|labels| groups[labels].clone()),
                alike: alike[recorded].clone(),
            }
        };
        Self {
            losses,
            levels: levels.iter().copied().map(f64::from).collect(),
            groups: is_kept.values().filter(|&&kept| kept).count(),
            records: recorded.iter().zip(&looks).map(record).collect(),
        }
    }

    pub(super) fn as_sets(
        losses: &'a Losses<'a>,
        sets: &[Vec<BTreeSet<String>>],
        kept: &dyn Fn(usize) -> bool,
    ) -> Self {
        let recorded = looks(losses, &vec![0; losses.paths.len()]);
        let alike = gather(&recorded);
        let look_alike = |record: usize| -> Rc<Vec<usize>> {
            Rc::new((0..sets.len()).filter(|&other| sets[other] == sets[record]).collect())
        };
        let groups: Vec<Rc<Vec<usize>>> = (0..sets.len()).map(look_alike).collect();
        let record = |record: usize| {
            let cell = |column: usize| {
                let known = &losses.paths[column];
                let (all, top) = (known.keys().cloned().collect(), known.values().next());
                let set = if kept(record) { &sets[record][column] } else { &all };
                let count = |value| losses.counts[column].get(value).copied().unwrap_or(0);
                let top = top.expect("it has values").len() - 1;
                let level = if kept(record) { lowest_common(losses, column, set) } else { top };
                let path = known.get(set.iter().next().expect("it has values"));
                let label = path.map_or("", |path| path[level].as_str());
                let below = known.values().filter(|path| path[level] == label).count();
                let is_star = level > 0 && label == "*" && below == set.len();
                Cell {
                    level,
                    top,
                    starred: !kept(record) || is_star,
                    domain: losses.paths[column].len(),
                    could_be: Rc::new(set.iter().map(|value| count(value.as_str())).collect()),
                    own: losses.counts[column][recorded[record][column]],
                    could_be_usual: set.contains(losses.usual(column)),
                }
            };
            Record {
                cells: (0..losses.paths.len()).map(cell).collect(),
                group: kept(record).then(|| groups[record].clone()),
                alike: alike[&recorded[record]].clone(),
            }
        };
        let any = (0..sets.len()).any(kept);
        let counted: Vec<usize> = (0..sets.len()).filter(|&record| !any || kept(record)).collect();
        let level = |column: usize| {
            let levels = counted.iter().map(|&r| lowest_common(losses, column, &sets[r][column]));
            levels.sum::<usize>() as f64 / counted.len() as f64
        };
        let different: BTreeSet<_> =
            (0..sets.len()).filter(|&record| kept(record)).map(|record| &sets[record]).collect();
        Self {
            losses,
            levels: (0..losses.paths.len()).map(level).collect(),
            groups: different.len(),
            records: (0..sets.len()).map(record).collect(),
        }
    }

    /// Returns the publication with the inputs of a measure.
    pub(super) fn weighed(&'a self, weights: &'a [f64], sensitive: usize) -> Weighed<'a> {
        let Self { losses, levels, groups, records } = self;
        Weighed { losses, levels, groups: *groups, records, weights, sensitive }
    }

    /// How many records are suppressed.
    pub fn suppressed(&self) -> usize {
        self.records.iter().filter(|record| record.group.is_none()).count()
    }
}

/// The lowest level at which all values of a set have the same label.
fn lowest_common(losses: &Losses<'_>, column: usize, set: &BTreeSet<String>) -> usize {
    let paths: Vec<&Vec<String>> = set.iter().map(|value| &losses.paths[column][value]).collect();
    let same = |level: &usize| paths.iter().all(|path| path[*level] == paths[0][*level]);
    (0..paths[0].len()).find(same).expect("all values are below the top")
}

/// The labels of a record.
type Look<'a> = Vec<&'a str>;

/// What each record looks like at these levels.
fn looks<'a>(losses: &'a Losses<'_>, levels: &[u8]) -> Vec<Look<'a>> {
    let look = |record: &Vec<String>| {
        let cells = losses.paths.iter().zip(levels).zip(record);
        cells.map(|((paths, &level), value)| paths[value][level as usize].as_str()).collect()
    };
    losses.table.records.iter().map(look).collect()
}

/// The records of each look.
fn gather<'a>(looks: &[Look<'a>]) -> BTreeMap<Look<'a>, Rc<Vec<usize>>> {
    let mut gathered: BTreeMap<Look<'a>, Vec<usize>> = BTreeMap::new();
    for (record, look) in looks.iter().enumerate() {
        gathered.entry(look.clone()).or_default().push(record);
    }
    gathered.into_iter().map(|(look, records)| (look, Rc::new(records))).collect()
}

/// The records of each recorded value that a label could mean; of every value if there is none.
fn could_be(losses: &Losses<'_>, column: usize, level: u8, label: Option<&str>) -> Vec<u64> {
    let below = |path: &Vec<String>| label.is_none_or(|label| path[level as usize] == label);
    let values = losses.paths[column].iter().filter(|(_, path)| below(path));
    let count = |value: &String| losses.counts[column].get(value.as_str()).copied().unwrap_or(0);
    values.map(|(value, _)| count(value)).collect()
}
