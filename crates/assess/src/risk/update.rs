//! What publishing again after an update reveals: the records that came and those that went.
//!
//! An attacker who holds a publication and its successor, both with the same recoding, subtracts
//! them group by group. What is left are the changed records, as groups of their own, and the
//! promise is judged on those.

use std::collections::BTreeMap;

use haggle_api::{Ask, Privacy, UpdateRevealed};
use haggle_cube::{Applied, Base, Group, ValueCount};
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_model::Error;
use haggle_project::Project;

use super::together::{CountedBase, apply};
use crate::publications::{PublicationRecord, Publications};

/// The table before or after an update.
struct Version<'e> {
    engine: &'e Engine,
    base: Base,
}

/// A recorded publication on one version of the table: the groups that it shows, by their labels.
struct Shown<'v> {
    version: &'v Version<'v>,
    applied: Applied,
    parts: BTreeMap<Vec<String>, usize>,
    criteria: Vec<Criterion>,
}

impl<'v> Shown<'v> {
    /// None if the recoding cannot be applied.
    fn new(version: &'v Version<'v>, record: &PublicationRecord) -> Option<Self> {
        let table = CountedBase::new(version.engine, &version.base);
        let (applied, kept) = apply(&table, record).ok().flatten()?;
        let labels = |part: usize| applied.labels(part).into_iter().map(str::to_owned).collect();
        let shown = (0..applied.len()).filter(|&part| kept[part]);
        let parts = shown.map(|part| (labels(part), part)).collect();
        let promises: Result<Vec<Privacy>, Error> =
            record.promises.iter().map(|words| words.parse()).collect();
        let ask = Ask { privacy: promises.ok()?, ..Ask::default() };
        let criteria = version.engine.criteria(&ask).ok()?;
        Some(Self { version, applied, parts, criteria })
    }

    /// The records of a group by the value of a watched attribute; all of them under one name if
    /// nothing is watched.
    fn counts(&self, part: usize, watched: usize) -> BTreeMap<String, u64> {
        let group = |rows: &[u32]| {
            let mut merger = self.version.base.merger(watched);
            let group = merger.merge(rows.iter().copied());
            (group.records, group.values.to_vec())
        };
        let (records, values) = group(self.applied.rows(part));
        let Some(attribute) = self.version.engine.cube().watched().get(watched) else {
            return BTreeMap::from([(String::new(), records)]);
        };
        let named = |v: &ValueCount| (attribute.values.value(v.code).to_owned(), v.count);
        values.iter().map(named).collect()
    }

    /// The records that this version shows in a group and the other does not.
    fn more_than(&self, other: &Self, (here, there): (usize, usize), watched: usize) -> Difference {
        let before = other.counts(there, watched);
        let more = |(value, count): (String, u64)| {
            let more = count.saturating_sub(before.get(&value).copied().unwrap_or(0));
            (more > 0).then_some((value, more))
        };
        Difference(self.counts(here, watched).into_iter().filter_map(more).collect())
    }

    /// The records that only this version shows, and those of them below the promise.
    fn alone(&self, other: &Self) -> (u64, u64) {
        let both = self.parts.iter().filter_map(|(l, &here)| Some((here, *other.parts.get(l)?)));
        let revealed = |parts: (usize, usize)| {
            let records = self.more_than(other, parts, 0).records();
            let fails = |criterion: &Criterion| {
                let watched = criterion.watches();
                !self.more_than(other, parts, watched).passes(criterion, self.version, watched)
            };
            let below = records > 0 && self.criteria.iter().any(fails);
            (records, if below { records } else { 0 })
        };
        both.map(revealed).fold((0, 0), |sum, (all, below)| (sum.0 + all, sum.1 + below))
    }
}

/// Records by the value of a watched attribute.
struct Difference(BTreeMap<String, u64>);

impl Difference {
    fn records(&self) -> u64 {
        self.0.values().sum()
    }

    /// Whether these records alone would keep a threshold.
    fn passes(&self, criterion: &Criterion, version: &Version<'_>, watched: usize) -> bool {
        let attribute = version.engine.cube().watched().get(watched);
        let coded = |(value, &count): (&String, &u64)| {
            let code = attribute?.values.code(value)?;
            Some(ValueCount { code, count })
        };
        let mut values: Vec<ValueCount> = self.0.iter().filter_map(coded).collect();
        values.sort_by_key(|value| value.code);
        criterion.passes(&Group { records: self.records(), values: &values })
    }
}

/// Returns what each recorded publication of a project and its repetition after an update reveal
/// of the changed records.
pub fn revealed_by_update(
    project: &Project,
    before: &Engine,
    after: &Engine,
) -> Result<Vec<UpdateRevealed>, Error> {
    let version = |engine| Version { engine, base: Base::of(Engine::cube(engine)) };
    let (before, after) = (version(before), version(after));
    let one = |record: &PublicationRecord| {
        let (old, new) = (Shown::new(&before, record)?, Shown::new(&after, record)?);
        let (added, new_below) = new.alone(&old);
        let (deleted, old_below) = old.alone(&new);
        Some(UpdateRevealed {
            output: record.output.clone(),
            time: record.time.clone(),
            promises: record.promises.clone(),
            added,
            deleted,
            below: new_below + old_below,
        })
    };
    let mut revealed = Vec::new();
    Publications::of(project).visit_records(usize::MAX, |record| {
        revealed.extend(record.as_ref().and_then(one));
    })?;
    Ok(revealed)
}
