//! Incognito: finds every feasible scheme, from smaller sets of attributes to larger ones.
//!
//! A scheme over some attributes can only be feasible if it is feasible without each of them, so
//! candidates come from the feasible schemes over fewer attributes. Bottom-up, as published,
//! schemes above a feasible one need not be evaluated; top-down, those below an infeasible one. Of
//! the feasible schemes, the minimal ones (with no feasible scheme below) are compared, and the one
//! with the least loss is taken.

use std::collections::{BTreeMap, BTreeSet};

use haggle_model::{Level, Scheme};

use super::frequency_sets::FrequencySets;
use super::{Ending, LossUse, Strategy, StrategyEntry, Task};
use crate::Error;

pub(super) const BOTTOM_UP: Strategy = Strategy {
    about: StrategyEntry {
        id: "incognito",
        title: "Incognito",
        recoding: "levels",
        definition: "Finds every feasible scheme over larger and larger sets of attributes, each time from the most detailed schemes up; schemes above a feasible one are feasible without being evaluated.",
        finds: "the least loss among the minimal feasible schemes",
        citation: "K. LeFevre, D. DeWitt, R. Ramakrishnan: Incognito: efficient full-domain k-anonymity. SIGMOD 2005",
        needs: "a model under which more general schemes suppress no more, or nothing suppressed",
        loss: LossUse::Measure,
    },
    run: |task| run(task, BOTTOM_UP.about.title, false),
};

pub(super) const TOP_DOWN: Strategy = Strategy {
    about: StrategyEntry {
        id: "incognito-top-down",
        title: "Incognito, top down",
        definition: "Like Incognito, but from the most general schemes down; schemes below an infeasible one are infeasible without being evaluated.",
        citation: "B. Fung, K. Wang, P. Yu: Top-down specialization for information and privacy preservation. ICDE 2005; after K. LeFevre et al., SIGMOD 2005",
        ..BOTTOM_UP.about
    },
    run: |task| run(task, TOP_DOWN.about.title, true),
};

/// The levels of some attributes.
type Levels = Vec<u8>;

fn run(task: &Task<'_>, title: &str, down: bool) -> Result<Ending, Error> {
    task.must_rise(title)?;
    let sets = FrequencySets::new(task);
    let mut search = IncognitoSearch { task, title, sets, evaluated: 0, bytes: 0, down };
    let Some(feasible) = search.all()? else {
        return Ok(Ending::GaveUp { evaluated: search.evaluated });
    };
    let minimal: Vec<Scheme> = feasible
        .iter()
        .filter(|levels| lower(levels).all(|below| !feasible.contains(&below)))
        .map(|levels| Scheme::new(levels.iter().copied()))
        .collect();
    let evaluated = search.evaluated;
    let best = task.least_loss(minimal)?;
    let found = |(scheme, proven)| task.scheme(scheme, evaluated, proven);
    Ok(best.map_or(Ending::Nothing { evaluated }, found))
}

/// Returns the levels that are one lower in one attribute.
fn lower(levels: &[u8]) -> impl Iterator<Item = Levels> {
    let below = |position: usize| {
        let mut below = levels.to_vec();
        below[position] = below[position].checked_sub(1)?;
        Some(below)
    };
    (0..levels.len()).filter_map(below)
}

struct IncognitoSearch<'a, 'b> {
    task: &'a Task<'b>,
    title: &'a str,
    sets: FrequencySets<'a, 'b>,
    evaluated: u64,
    /// The bytes of the feasible levels of all sets of attributes of the last two sizes.
    bytes: usize,
    down: bool,
}

impl IncognitoSearch<'_, '_> {
    /// Returns the feasible levels of all attributes; none if time ran out.
    fn all(&mut self) -> Result<Option<BTreeSet<Levels>>, Error> {
        let attributes = self.task.caps.levels().len();
        let mut known: BTreeMap<Vec<usize>, BTreeSet<Levels>> = BTreeMap::new();
        known.insert(Vec::new(), BTreeSet::from([Vec::new()]));
        for size in 1..=attributes {
            let (mut next, before) = (BTreeMap::new(), self.bytes);
            let mut set: Vec<usize> = (0..size).collect();
            loop {
                let Some(candidates) = self.candidates(&set, &known)? else { return Ok(None) };
                let Some(feasible) = self.feasible(&set, candidates)? else { return Ok(None) };
                self.keep(1 + feasible.len(), size)?;
                next.insert(set.clone(), feasible);
                if !advance(&mut set, attributes) {
                    break;
                }
            }
            self.bytes -= before;
            known = next;
        }
        Ok(known.into_values().next())
    }

    /// Counts the bytes of this many lists of this size; fails if they are too many.
    fn keep(&mut self, lists: usize, size: usize) -> Result<(), Error> {
        self.bytes += lists * list_bytes(size);
        self.task.check_memory(self.title, self.bytes)
    }

    /// Returns the levels of a set of attributes that are feasible without each single attribute;
    /// none if time ran out.
    fn candidates(
        &self,
        set: &[usize],
        known: &BTreeMap<Vec<usize>, BTreeSet<Levels>>,
    ) -> Result<Option<Vec<Levels>>, Error> {
        let without = |levels: &Levels, left_out: usize| -> Levels {
            let others = levels.iter().enumerate().filter(|(i, _)| *i != left_out);
            others.map(|(_, &level)| level).collect()
        };
        let fewer = |left_out: usize| -> Vec<usize> {
            let others = set.iter().enumerate().filter(|(i, _)| *i != left_out);
            others.map(|(_, &attribute)| attribute).collect()
        };
        let last = set.len() - 1;
        let top = u8::from(self.task.caps.level(set[last]));
        let joined = known[&fewer(last)].iter().flat_map(|levels| {
            (0..=top).map(|level| levels.iter().copied().chain([level]).collect::<Levels>())
        });
        let fewer: Vec<Vec<usize>> = (0..set.len()).map(fewer).collect();
        let fits = |levels: &Levels| {
            (0..set.len()).all(|i| known[&fewer[i]].contains(&without(levels, i)))
        };
        let mut candidates: Vec<Levels> = Vec::new();
        for levels in joined {
            if self.task.is_late() {
                return Ok(None);
            }
            if fits(&levels) {
                candidates.push(levels);
                // Each is listed once more while the feasible ones are found, and once after that.
                let bytes = 3 * candidates.len() * list_bytes(set.len());
                self.task.check_memory(self.title, self.bytes + bytes)?;
            }
        }
        candidates.sort_by_key(|levels| levels.iter().map(|&level| u32::from(level)).sum::<u32>());
        Ok(Some(candidates))
    }

    /// Returns the feasible candidates. Their heights are ascending.
    fn feasible(
        &mut self,
        set: &[usize],
        candidates: Vec<Levels>,
    ) -> Result<Option<BTreeSet<Levels>>, Error> {
        let all: BTreeSet<Levels> = candidates.iter().cloned().collect();
        let (mut found, mut failed) = (BTreeSet::new(), BTreeSet::new());
        let mut ordered = candidates;
        if self.down {
            ordered.reverse();
        }
        for levels in ordered {
            let implied = if self.down {
                upper(&levels, &all).any(|above| failed.contains(&above)).then_some(false)
            } else {
                lower(&levels).any(|below| found.contains(&below)).then_some(true)
            };
            let is_feasible = match implied {
                Some(is_feasible) => is_feasible,
                None if self.task.is_late() => return Ok(None),
                None => self.evaluate(set, &levels)?,
            };
            if is_feasible {
                found.insert(levels)
            } else {
                failed.insert(levels)
            };
        }
        Ok(Some(found))
    }

    /// Returns whether the groups by these attributes alone suppress few enough records.
    fn evaluate(&mut self, set: &[usize], levels: &Levels) -> Result<bool, Error> {
        self.evaluated += 1;
        let scheme = set
            .iter()
            .zip(levels)
            .fold(self.task.cube.space().top().clone(), |scheme, (&attribute, &level)| {
                scheme.with(attribute, Level::from(level))
            });
        self.sets.allow(&scheme)
    }
}

/// Returns the candidates that are one level higher in one attribute.
fn upper<'a>(levels: &'a [u8], all: &'a BTreeSet<Levels>) -> impl Iterator<Item = Levels> + 'a {
    let above = |position: usize| {
        let mut above = levels.to_vec();
        above[position] = above[position].saturating_add(1);
        above
    };
    (0..levels.len()).map(above).filter(|above| all.contains(above))
}

/// The bytes of a list of this many numbers in a tree.
fn list_bytes(numbers: usize) -> usize {
    64 + numbers
}

/// Moves on to the next set of as many of the attributes, in order; returns whether there is one.
fn advance(set: &mut [usize], attributes: usize) -> bool {
    let size = set.len();
    let Some(moved) = (0..size).rev().find(|&i| set[i] < attributes - size + i) else {
        return false;
    };
    let first = set[moved] + 1;
    set[moved..].iter_mut().zip(first..).for_each(|(place, next)| *place = next);
    true
}
