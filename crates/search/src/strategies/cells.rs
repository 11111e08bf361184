//! Cell suppression: what it costs to publish records alike by starring cells, and groups of records
//! as a recoding.
//!
//! A cell keeps its recorded value, or it is starred: it becomes the attribute's most general value.
//! A star is a value like any other where groups are judged: records are alike only if they show the
//! same values and the same stars. Records with the same recorded values may be published
//! differently where at most one attribute is watched, because only then is it known which records
//! those are; else they stay together.

use haggle_cube::{Applied, BasePart, Group, ValueCount};
use haggle_model::{Level, QuasiIdentifier, Recoding, Region};

use super::{Ending, Grouping, StrategyOutcome, Task};
use crate::Error;

mod greedy;
mod partition;

pub(super) use greedy::{MOST_ATTRIBUTES, greedy};
pub(super) use partition::{MOST_EXACT, least_cost_groups};

/// A weight of 1 is this many units of cost, so that equal costs are equal numbers. Where a weight
/// is greater than [`GREATEST`], all are scaled so that it is equal to that.
const UNIT: f64 = 1e6;

const GREATEST: f64 = 1e3;

/// The bytes of a single record in a list of records, and in a group of its own.
const UNIT_BYTES: usize = 2 * (size_of::<Piece>() + size_of::<Vec<Piece>>());

/// Records of one base group that nothing distinguishes: they have the same value of the watched
/// attribute, or are the whole base group where it cannot be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    pub(super) row: u32,
    pub(super) value: Option<u32>,
    pub(super) records: u64,
}

/// Groups of records, and those that no group has.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups {
    pub(super) groups: Vec<Vec<Piece>>,
    pub(super) left: Vec<Piece>,
}

/// A task whose answer is a set of kept cells.
#[derive(Debug, Clone)]
pub(super) struct Cells<'a, 'b> {
    pub(super) task: &'a Task<'b>,
    /// The cost of a starred cell, by attribute.
    weights: Vec<i64>,
    /// Whether the maximum levels allow an attribute to be starred.
    may_star: Vec<bool>,
    /// Whether records with the same recorded values may be published differently.
    pub(super) splits: bool,
}

impl<'a, 'b> Cells<'a, 'b> {
    pub(super) fn new(task: &'a Task<'b>) -> Self {
        let attributes = task.cube.attributes().iter().enumerate();
        let may_star = attributes.map(|(i, a)| task.caps.level(i) == a.hierarchy.top()).collect();
        let most = task.cell_weights.iter().copied().fold(GREATEST, f64::max);
        let unit = UNIT * GREATEST / most;
        let weights = task.cell_weights.iter().map(|weight| (weight * unit).round() as i64);
        let splits = task.base.can_split() && task.cube.unit().is_none();
        Self { task, weights: weights.collect(), may_star, splits }
    }

    fn attributes(&self) -> &'a [QuasiIdentifier] {
        self.task.cube.attributes()
    }

    /// The recorded codes of a piece.
    pub(super) fn codes(&self, piece: &Piece) -> &'a [u32] {
        self.task.base.codes(piece.row as usize)
    }

    /// Returns all records, as pieces by what the maximum levels keep apart: no group has records of
    /// two blocks.
    pub(super) fn blocks(&self) -> Vec<Vec<Piece>> {
        let kept = |row: u32| -> Vec<u32> {
            let codes = self.task.base.codes(row as usize).iter().zip(&self.may_star);
            codes.filter(|(_, may_star)| !**may_star).map(|(&code, _)| code).collect()
        };
        let grouping = Grouping::by_key(&self.task.rows(), kept);
        let pieces = |rows: &[u32]| rows.iter().flat_map(|&row| self.pieces(row)).collect();
        grouping.iter().map(pieces).collect()
    }

    /// The pieces of a base group.
    fn pieces(&self, row: u32) -> Vec<Piece> {
        let base = self.task.base;
        let records = base.records(row as usize);
        if !self.splits {
            return vec![Piece { row, value: None, records }];
        }
        let values = base.values(row as usize, 0);
        let known: u64 = values.iter().map(|value| value.count).sum();
        let counted = values.iter().map(|v| (Some(v.code), v.count));
        let all = counted.chain([(None, records - known)]).filter(|(_, records)| *records > 0);
        all.map(|(value, records)| Piece { row, value, records }).collect()
    }

    /// How many [`units`](Self::units) pieces have.
    pub(super) fn count_units(&self, pieces: &[Piece]) -> u64 {
        if self.splits { records(pieces) } else { pieces.len() as u64 }
    }

    /// Fails if single records of these pieces, in groups, take more memory than allowed.
    pub(super) fn check_memory(&self, who: &str, pieces: &[Piece]) -> Result<(), Error> {
        let units = usize::try_from(self.count_units(pieces)).unwrap_or(usize::MAX);
        self.task.check_memory(who, units.saturating_mul(UNIT_BYTES))
    }

    /// Returns what can be put into different groups: single records, or pieces where base groups
    /// cannot be split.
    pub(super) fn units(&self, pieces: &[Piece]) -> Vec<Piece> {
        let copies = |piece: &Piece| if self.splits { piece.records } else { 1 };
        let one = |piece: &Piece| {
            let records = if self.splits { 1 } else { piece.records };
            Piece { records, ..*piece }
        };
        pieces.iter().flat_map(|p| (0..copies(p)).map(move |_| one(p))).collect()
    }

    /// Returns the attributes in which some of the records differ, which must be starred.
    fn starred(&self, group: &[Piece]) -> Vec<bool> {
        let first = group.first().map(|piece| self.codes(piece));
        let differs =
            |i: usize| group.iter().any(|p| Some(self.codes(p)[i]) != first.map(|f| f[i]));
        (0..self.weights.len()).map(differs).collect()
    }

    /// The cost of one record with these stars.
    fn weight(&self, starred: impl IntoIterator<Item = bool>) -> i64 {
        let weights = self.weights.iter().zip(starred);
        weights.filter(|(_, starred)| *starred).map(|(weight, _)| weight).sum()
    }

    /// The cost of a suppressed record: all of its cells.
    pub(super) fn whole_weight(&self) -> i64 {
        self.weights.iter().sum()
    }

    /// The cost of the cells in which two pieces differ, for one record.
    pub(super) fn distance(&self, one: &Piece, other: &Piece) -> i64 {
        let codes = self.codes(one).iter().zip(self.codes(other));
        self.weight(codes.map(|(a, b)| a != b))
    }

    /// The cost of a group: the starred cells of all of its records.
    pub(super) fn cost(&self, group: &[Piece]) -> i64 {
        times(records(group), self.weight(self.starred(group)))
    }

    /// The cost of groups, with every cell of the records that are left starred.
    pub(super) fn cost_of(&self, all: &Groups) -> i64 {
        let groups: i64 = all.groups.iter().map(|group| self.cost(group)).sum();
        groups + times(records(&all.left), self.whole_weight())
    }

    /// Whether a group shows nothing of its records. The value of a constant attribute is shown.
    pub(super) fn shows_nothing(&self, group: &[Piece]) -> bool {
        let says_nothing = |a: &QuasiIdentifier| {
            a.hierarchy.len(Level::RECORDED) == 1
                && Region::node(&a.hierarchy, 0, Level::RECORDED).is_whole(&a.hierarchy)
        };
        let mut attributes = self.attributes().iter().zip(self.starred(group));
        attributes.all(|(a, starred)| starred || says_nothing(a))
    }

    /// Whether a group passes all criteria.
    pub(super) fn passes(&self, group: &[Piece]) -> bool {
        if !self.splits {
            let rows: Vec<u32> = group.iter().map(|piece| piece.row).collect();
            return !rows.is_empty() && self.task.passes(&rows);
        }
        let values = values(group);
        let counted = Group { records: records(group), values: &values };
        counted.records > 0 && self.task.criteria.iter().all(|c| c.passes(&counted))
    }

    /// Refuses a table in which it is not known which records have which values that are judged.
    pub(super) fn must_split(&self, who: &str) -> Result<(), Error> {
        if self.splits {
            return Ok(());
        }
        let why = "puts records with the same quasi-identifiers into different groups, for which at \
                   most one sensitive attribute may be counted, and records instead of persons";
        Err(Error::unsupported(format!("{who} {why}"), "choose local-suppression"))
    }

    /// Returns groups as the result of a strategy; nothing if too many records are left or shown as
    /// stars only.
    pub(super) fn ending(&self, groups: Groups, evaluated: u64, proven: bool) -> Ending {
        let Groups { groups, left } = groups;
        if groups.is_empty() {
            return Ending::Nothing { evaluated };
        }
        let anything = self.attributes().iter().map(|a| Region::whole(&a.hierarchy)).collect();
        let mut sides: Vec<Vec<Region>> = groups.iter().map(|group| self.sides(group)).collect();
        sides.push(anything);
        let parts = parts(groups.iter().chain([&left]));
        let base = self.task.base;
        let is_split = parts.windows(2).any(|pair| pair[0].1.row == pair[1].1.row);
        let split = is_split
            .then(|| base.split(&parts.iter().map(|(_, part)| part.clone()).collect::<Vec<_>>()));
        let applied = Applied::boxes(self.attributes(), split.as_ref().unwrap_or(base), |row| {
            &sides[parts[row].0]
        });
        let settled = self.task.settle_on(split.as_ref().unwrap_or(base), &applied);
        if !self.task.allows(settled.suppressed) {
            return Ending::Nothing { evaluated };
        }
        let recoding = Recoding::Cells { patterns: self.patterns(&applied) };
        Ending::Found(StrategyOutcome { recoding, applied, split, evaluated, proven }.into())
    }

    /// What a group shows.
    fn sides(&self, group: &[Piece]) -> Vec<Region> {
        let first = group.first().map_or(&[][..], |piece| self.codes(piece));
        let cells = self.attributes().iter().zip(first).zip(self.starred(group));
        let side = |((a, &code), starred): ((&QuasiIdentifier, &u32), bool)| {
            let kept = || Region::node(&a.hierarchy, code, Level::RECORDED);
            if starred { Region::whole(&a.hierarchy) } else { kept() }
        };
        cells.map(side).collect()
    }

    /// What is published, what keeps the most cells first: on other data a record takes the first
    /// pattern that it fits.
    fn patterns(&self, applied: &Applied) -> Vec<Vec<haggle_model::Span>> {
        let stars = |part: usize| {
            let cells = applied.codes(part).iter().zip(&**applied.regions()).zip(self.attributes());
            let is_whole = |((&code, regions), a): ((&u32, &Vec<Region>), &QuasiIdentifier)| {
                regions[code as usize].is_whole(&a.hierarchy)
            };
            cells.filter(|cell| is_whole(*cell)).count()
        };
        let spans = applied.spans(self.attributes());
        let mut patterns: Vec<_> = spans.into_iter().enumerate().collect();
        patterns.sort_by_key(|(part, _)| stars(*part));
        patterns.into_iter().map(|(_, spans)| spans).collect()
    }
}

/// The cost of records that all have stars of this weight.
fn times(records: u64, weight: i64) -> i64 {
    weight.saturating_mul(i64::try_from(records).unwrap_or(i64::MAX))
}

/// How many records a group has.
pub(super) fn records(group: &[Piece]) -> u64 {
    group.iter().map(|piece| piece.records).sum()
}

/// The watched values of a group, by code.
fn values(group: &[Piece]) -> Vec<ValueCount> {
    let known = group.iter().filter_map(|p| Some((p.value?, p.records)));
    let mut values: Vec<ValueCount> =
        known.map(|(code, count)| ValueCount { code, count }).collect();
    values.sort_unstable_by_key(|value| value.code);
    values.dedup_by(|next, kept| {
        let same = next.code == kept.code;
        kept.count += if same { next.count } else { 0 };
        same
    });
    values
}

/// Returns how many records of each base group are in which group, by base group.
fn parts<'g>(groups: impl Iterator<Item = &'g Vec<Piece>>) -> Vec<(usize, BasePart)> {
    let mut parts = Vec::new();
    for (number, group) in groups.enumerate() {
        let mut sorted = group.clone();
        sorted.sort_unstable();
        for pieces in sorted.chunk_by(|a, b| a.row == b.row) {
            let part =
                BasePart { row: pieces[0].row, records: records(pieces), values: values(pieces) };
            parts.push((number, part));
        }
    }
    parts.sort_by_key(|(number, part)| (part.row, *number));
    parts
}
