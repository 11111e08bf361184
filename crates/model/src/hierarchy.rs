//! How an attribute's values are generalized, level by level, up to a single top value.
//!
//! The values under one general value have neighbouring codes at every level. So climbing a level
//! never changes the order of sorted groups in that attribute.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::{ANY, Error, Level, Problem, Problems, UNKNOWN, UNMATCHED, is_unmatched};

mod build;
mod rows;

pub(crate) use build::day_line;
pub use build::{
    Bounds, Builder, DateFormat, DateUnit, Dates, Decimal, Groups, Intervals, Node, Occurrence,
    OpenEnds, Pad, ParseDateFormatError, ParseDecimalError, Prefix, Tree, ValueGroup,
};
pub use rows::Row;

/// The values of each level, and the parent of each value at the next level.
///
/// Codes are contiguous: the values below one general value have neighbouring codes at every level,
/// so climbing a level never changes the order of sorted groups in that attribute.
///
/// ```
/// use haggle_model::Hierarchy;
///
/// // A short path is padded with its own label, and a missing top is added.
/// let work = Hierarchy::from_paths(
///     "work",
///     [vec!["Federal", "Government"], vec!["Local", "Government"], vec!["Private"]],
/// )?;
/// assert_eq!(work.top(), 2.into());
/// let private = work.code("Private").unwrap();
/// assert_eq!(work.path(private).collect::<Vec<_>>(), ["Private", "Private", "*"]);
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredHierarchy", into = "StoredHierarchy")]
pub struct Hierarchy {
    labels: Vec<Vec<Box<str>>>,
    /// For each level, the code there of every recorded value; non-decreasing.
    ancestors: Vec<Vec<u32>>,
    /// For each level below the top, the code at the next level; non-decreasing.
    parents: Vec<Vec<u32>>,
    codes: FxHashMap<Box<str>, u32>,
    /// The labels that stand for different recorded values on different levels.
    ambiguous: FxHashSet<Box<str>>,
    /// The recorded values that are numbers, in ascending order.
    numbers: Vec<f64>,
}

impl Hierarchy {
    /// A hierarchy from the rows of a file: each a recorded value and its generalizations.
    /// Every violation is reported, each with the attribute, the values and the fix.
    pub fn from_rows(attribute: &str, rows: Vec<Row>) -> Result<Self, Error> {
        let paths = rows::full_paths(attribute, rows)?;
        Ok(Self::from_full_paths(paths))
    }

    /// A hierarchy from paths written in code.
    pub fn from_paths<P, L>(attribute: &str, paths: P) -> Result<Self, Error>
    where
        P: IntoIterator<Item = L>,
        L: IntoIterator<Item: Into<String>>,
    {
        let row = |(i, path): (usize, L)| Row::new(i as u64 + 1, path);
        Self::from_rows(attribute, paths.into_iter().enumerate().map(row).collect())
    }

    /// The values as recorded, and above them only [`ANY`]: for an attribute without a hierarchy.
    pub fn flat<S: Into<Box<str>>>(values: impl IntoIterator<Item = S>) -> Self {
        let paths = values.into_iter().map(|value| vec![value.into(), ANY.into()]);
        let paths: Vec<_> = paths.collect();
        if paths.is_empty() {
            return Self::assemble(vec![vec![], vec![ANY.into()]], vec![vec![]; 2]);
        }
        Self::from_full_paths(paths)
    }

    /// Paths must be of one length, free of contradictions, and end in one value.
    fn from_full_paths(mut paths: Vec<Vec<Box<str>>>) -> Self {
        let depth = paths.first().map_or(0, Vec::len);
        sort_by_ancestry(&mut paths, depth);
        paths.dedup();
        let mut labels: Vec<Vec<Box<str>>> = vec![Vec::new(); depth];
        let mut ancestors = vec![Vec::with_capacity(paths.len()); depth];
        for path in paths {
            for (level, label) in path.into_iter().enumerate() {
                if labels[level].last() != Some(&label) {
                    labels[level].push(label);
                }
                ancestors[level].push(labels[level].len() as u32 - 1);
            }
        }
        Self::assemble(labels, ancestors)
    }

    fn assemble(labels: Vec<Vec<Box<str>>>, ancestors: Vec<Vec<u32>>) -> Self {
        let parents = ancestors.windows(2).map(|pair| step(&pair[0], &pair[1])).collect();
        let codes = labels[0].iter().zip(0..).map(|(label, code)| (label.clone(), code)).collect();
        let ambiguous = ambiguous(&labels, &ancestors, &codes);
        let mut numbers: Vec<f64> = labels[0].iter().filter_map(|l| number(l)).collect();
        numbers.sort_unstable_by(f64::total_cmp);
        Self { labels, ancestors, parents, codes, ambiguous, numbers }
    }

    /// The most general level; always at least 1.
    pub fn top(&self) -> Level {
        Level::from((self.labels.len() - 1) as u8)
    }

    /// How many values a level has.
    pub fn len(&self, level: Level) -> usize {
        self.labels[level.index()].len()
    }

    /// The code of a recorded value, if the hierarchy covers it.
    pub fn code(&self, value: &str) -> Option<u32> {
        self.codes.get(value).copied()
    }

    /// Returns the recorded values that a label means: a recorded value itself, else the largest set
    /// below a value with this label. A label stands on several levels where a short path repeats
    /// it.
    ///
    /// ```
    /// use haggle_model::Hierarchy;
    ///
    /// let paths = ["Company;Private", "Inc;Own;Private", "Own;Own;Private", "Local;Government"];
    /// let work = Hierarchy::from_paths("work", paths.map(|path| path.split(';')))?;
    /// assert_eq!(work.named("Private").map(|codes| codes.len()), Some(3), "not Company alone");
    /// assert_eq!(work.named("Own").map(|codes| codes.len()), Some(1), "the recorded value");
    /// assert_eq!(work.named("Public"), None);
    /// # Ok::<(), haggle_model::Error>(())
    /// ```
    pub fn named(&self, label: &str) -> Option<Range<u32>> {
        let recorded = self.code(label).map(|code| code..code + 1);
        recorded.or_else(|| self.below(label).max_by_key(ExactSizeIterator::len))
    }

    /// Returns the recorded values below each value of a level above the recorded one that has this
    /// label, from the lowest level up.
    pub fn below(&self, label: &str) -> impl Iterator<Item = Range<u32>> {
        (1..=u8::from(self.top())).map(Level::from).filter_map(move |level| {
            let labels = &self.labels[level.index()];
            let code = labels.iter().position(|known| **known == *label)?;
            Some(self.leaves(code as u32, level))
        })
    }

    /// Returns whether a label stands for different recorded values on different levels.
    pub fn is_ambiguous(&self, label: &str) -> bool {
        self.ambiguous.contains(label)
    }

    /// The value with this code at a level.
    pub fn label(&self, code: u32, level: Level) -> &str {
        &self.labels[level.index()][code as usize]
    }

    /// The code at a level of a recorded value's code.
    pub fn ancestor(&self, code: u32, level: Level) -> u32 {
        self.ancestors[level.index()][code as usize]
    }

    /// For every recorded value's code, its code at a level.
    pub fn ancestors(&self, level: Level) -> &[u32] {
        &self.ancestors[level.index()]
    }

    /// For every code of a level below the top, the code at the next level.
    pub fn parents(&self, level: Level) -> &[u32] {
        &self.parents[level.index()]
    }

    /// Returns the recorded values below a value of a level; their codes are contiguous.
    ///
    /// ```
    /// use haggle_model::Hierarchy;
    ///
    /// let age = Hierarchy::from_paths("age", [["37", "30-39"], ["38", "30-39"], ["41", "40-49"]])?;
    /// assert_eq!([age.leaves(0, 1.into()), age.leaves(1, 1.into())], [0..2, 2..3]);
    /// # Ok::<(), haggle_model::Error>(())
    /// ```
    pub fn leaves(&self, code: u32, level: Level) -> Range<u32> {
        let ancestors = &self.ancestors[level.index()];
        let first = |code: u32| ancestors.partition_point(|&ancestor| ancestor < code) as u32;
        first(code)..first(code + 1)
    }

    /// The lowest value that a range of recorded values lies below: its code and its level.
    pub fn above(&self, leaves: &Range<u32>) -> (u32, Level) {
        let (first, last) = (leaves.start as usize, leaves.end as usize - 1);
        let same = |codes: &&Vec<u32>| codes[first] == codes[last];
        let level = self.ancestors.iter().take_while(|codes| !same(codes)).count();
        (self.ancestors[level][first], Level::from(level as u8))
    }

    /// How many recorded values are numbers from one to another, both included.
    pub(crate) fn numbers_between(&self, low: f64, high: f64) -> usize {
        let up_to = |end: f64| self.numbers.partition_point(|number| *number <= end);
        up_to(high) - self.numbers.partition_point(|number| *number < low)
    }

    /// A recorded value's code as labels, from the value itself to the top.
    pub fn path(&self, code: u32) -> impl Iterator<Item = &str> {
        let codes = self.ancestors.iter().map(move |level| level[code as usize]);
        codes.zip(&self.labels).map(|(code, labels)| labels[code as usize].as_ref())
    }

    /// Returns the hierarchy with one more recorded value, on a path of its own below the top. A
    /// value that is covered already stays where it is.
    pub fn with_value(&self, attribute: &str, value: &str) -> Result<Self, Error> {
        if self.code(value).is_some() {
            return Ok(self.clone());
        }
        let known = (0..self.len(Level::RECORDED) as u32).map(|c| self.path(c).collect::<Vec<_>>());
        let own = vec![value, self.label(0, self.top())];
        Self::from_paths(attribute, known.chain([own]))
    }

    /// Returns the hierarchy with more recorded values that match nothing below the top, not even
    /// each other; their labels are those of [`unmatched`](crate::unmatched).
    ///
    /// ```
    /// use haggle_model::{Hierarchy, UNMATCHED, unmatched};
    ///
    /// let age = Hierarchy::from_paths("age", [["37", "30-39", "*"], ["41", "40-49", "*"]])?;
    /// let age = age.with_unmatched([unmatched(4), unmatched(9)]);
    /// assert_eq!((age.len(1.into()), age.matched(1.into())), (4, 2));
    /// assert_eq!(age.shown(3, 1.into()), UNMATCHED);
    /// assert_eq!(age.len(2.into()), 1);
    /// # Ok::<(), haggle_model::Error>(())
    /// ```
    pub fn with_unmatched(self, labels: impl IntoIterator<Item = String>) -> Self {
        let Self { labels: mut by_level, mut ancestors, .. } = self;
        let top = by_level.len() - 1;
        for label in labels {
            for (level, ancestors) in ancestors[..top].iter_mut().enumerate() {
                ancestors.push(by_level[level].len() as u32);
                // Values are looked up only at the recorded level, so these labels need not differ.
                let own = if level == 0 { label.as_str() } else { UNKNOWN };
                by_level[level].push(own.into());
            }
            ancestors[top].push(0);
        }
        Self::assemble(by_level, ancestors)
    }

    /// Returns the recorded values with their codes, and above them these parts as level 1. The parts
    /// are ranges of codes, in order, and cover every value.
    ///
    /// ```
    /// use haggle_model::{Hierarchy, unmatched};
    ///
    /// let ward = Hierarchy::flat(["a", "b"]).with_unmatched([unmatched(4)]);
    /// let parts = ward.in_parts(&[0..2, 2..3]);
    /// assert_eq!((parts.code(&unmatched(4)), parts.ancestors(1.into())), (Some(2), &[0, 0, 1][..]));
    /// ```
    pub fn in_parts(&self, parts: &[std::ops::Range<u32>]) -> Self {
        let recorded = self.labels[0].clone();
        let names: Vec<Box<str>> =
            (0..parts.len()).map(|part| format!("part {part}").into()).collect();
        let own: Vec<u32> = (0..recorded.len() as u32).collect();
        let members = parts.iter().zip(0..).flat_map(|(leaves, part)| vec![part; leaves.len()]);
        let members: Vec<u32> = members.collect();
        let top = vec![0; recorded.len()];
        Self::assemble(vec![recorded, names, vec![ANY.into()]], vec![own, members, top])
    }

    /// Returns the number of values of a level without the missing values that match nothing. Those
    /// have the codes after them.
    pub fn matched(&self, level: Level) -> usize {
        self.labels[level.index()].partition_point(|label| !is_unmatched(label))
    }

    /// The value with this code at a level, as it may be shown.
    pub fn shown(&self, code: u32, level: Level) -> &str {
        let label = self.label(code, level);
        if is_unmatched(label) { UNMATCHED } else { label }
    }
}

/// Returns the labels that stand for different recorded values on different levels.
fn ambiguous(
    labels: &[Vec<Box<str>>],
    ancestors: &[Vec<u32>],
    codes: &FxHashMap<Box<str>, u32>,
) -> FxHashSet<Box<str>> {
    let mut ambiguous = FxHashSet::default();
    let mut known: FxHashMap<&str, Range<usize>> = FxHashMap::default();
    for (labels, ancestors) in labels.iter().zip(ancestors).skip(1) {
        // The values below one general value have neighbouring codes, in the order of the labels.
        let mut runs = ancestors.chunk_by(|one, next| one == next);
        let mut start = 0;
        for label in labels.iter().filter(|label| !is_unmatched(label)) {
            let leaves = start..start + runs.next().map_or(0, <[u32]>::len);
            start = leaves.end;
            let recorded = codes.get(label).map(|&code| code as usize).map(|code| code..code + 1);
            let before = known.insert(label, leaves.clone());
            if [recorded, before].into_iter().flatten().any(|other| other != leaves) {
                ambiguous.insert(label.clone());
            }
        }
    }
    ambiguous
}

/// The number that a value is.
pub(crate) fn number(value: &str) -> Option<f64> {
    value.parse::<f64>().ok().filter(|number| !number.is_nan())
}

/// Sorts paths from the top down, each label ranked by its first appearance.
fn sort_by_ancestry(paths: &mut [Vec<Box<str>>], depth: usize) {
    let mut ranks: Vec<FxHashMap<Box<str>, usize>> = vec![FxHashMap::default(); depth];
    for path in paths.iter() {
        for (rank, label) in ranks.iter_mut().zip(path) {
            let next = rank.len();
            rank.entry(label.clone()).or_insert(next);
        }
    }
    paths.sort_by_cached_key(|path| {
        path.iter().zip(&ranks).rev().map(|(label, rank)| rank[label]).collect::<Vec<_>>()
    });
}

/// The map from the codes of one level to those of the next.
fn step(lower: &[u32], upper: &[u32]) -> Vec<u32> {
    let mut map = vec![0; lower.last().map_or(0, |&last| last as usize + 1)];
    for (&from, &to) in lower.iter().zip(upper) {
        map[from as usize] = to;
    }
    map
}

/// The stored form of a hierarchy; the rest is derived from it.
#[derive(Serialize, Deserialize)]
struct StoredHierarchy {
    labels: Vec<Vec<Box<str>>>,
    ancestors: Vec<Vec<u32>>,
}

impl From<Hierarchy> for StoredHierarchy {
    fn from(hierarchy: Hierarchy) -> Self {
        Self { labels: hierarchy.labels, ancestors: hierarchy.ancestors }
    }
}

impl TryFrom<StoredHierarchy> for Hierarchy {
    type Error = Error;

    fn try_from(stored: StoredHierarchy) -> Result<Self, Self::Error> {
        let StoredHierarchy { labels, ancestors } = stored;
        let deep = (2..=256).contains(&labels.len()) && labels.len() == ancestors.len();
        let values = labels.first().map_or(0, Vec::len);
        let dense = |labels: &[Box<str>], codes: &[u32]| {
            codes.len() == values
                && codes.first() == Some(&0)
                && codes.last().is_some_and(|&last| last as usize + 1 == labels.len())
                && codes.windows(2).all(|w| w[1] == w[0] || w[1] == w[0] + 1)
        };
        let sound = deep && labels.iter().zip(&ancestors).all(|(l, a)| dense(l, a));
        let nested = |pair: &[Vec<u32>]| {
            pair[0].windows(2).zip(pair[1].windows(2)).all(|(l, u)| l[0] != l[1] || u[0] == u[1])
        };
        if sound && ancestors.windows(2).all(nested) && labels[labels.len() - 1].len() == 1 {
            let hierarchy = Self::assemble(labels, ancestors);
            if hierarchy.codes.len() == values {
                return Ok(hierarchy);
            }
        }
        Err(Problems::from(Problem::new("a stored hierarchy is inconsistent")).into())
    }
}
