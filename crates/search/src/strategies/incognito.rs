//! Incognito: every scheme that will do, from smaller sets of attributes to larger ones.
//!
//! A scheme over some attributes can only do if it does over each of them left out, so candidates come
//! from the schemes that were found over fewer attributes. Bottom-up, as published, what lies above a
//! scheme that will do need not be looked at; top-down, what lies below one that will not. Of the
//! schemes that will do, the minimal ones (none below them will) are weighed, and the one that loses
//! least is taken.

use std::collections::{BTreeMap, BTreeSet};

use haggle_model::{Level, Scheme};

use super::frequency_sets::FrequencySets;
use super::{About, Ending, Strategy, Task};
use crate::Error;

pub(super) const BOTTOM_UP: Strategy = Strategy {
    about: About {
        id: "incognito",
        title: "Incognito",
        recoding: "levels",
        definition: "Finds every scheme that will do, over ever more attributes, each time from the most detailed schemes up; what lies above one that will do is known without looking.",
        finds: "the least loss among the minimal schemes that will do",
        citation: "K. LeFevre, D. DeWitt, R. Ramakrishnan: Incognito: efficient full-domain k-anonymity. SIGMOD 2005",
        needs: "a model under which more general schemes suppress no more, or nothing suppressed",
    },
    run: |task| run(task, BOTTOM_UP.about.title, false),
};

pub(super) const TOP_DOWN: Strategy = Strategy {
    about: About {
        id: "incognito-top-down",
        title: "Incognito, top down",
        definition: "As Incognito, from the most general schemes down; what lies below one that will not do is known without looking.",
        citation: "B. Fung, K. Wang, P. Yu: Top-down specialization for information and privacy preservation. ICDE 2005; after K. LeFevre et al., SIGMOD 2005",
        ..BOTTOM_UP.about
    },
    run: |task| run(task, TOP_DOWN.about.title, true),
};

/// The levels of some attributes.
type Levels = Vec<u8>;

fn run(task: &Task<'_>, title: &str, down: bool) -> Result<Ending, Error> {
    task.must_rise(title)?;
    let mut search = Search { task, sets: FrequencySets::new(task), evaluated: 0, down };
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
    let proven = true;
    Ok(best.map_or(Ending::Nothing { evaluated }, |scheme| task.scheme(scheme, evaluated, proven)))
}

/// The levels one below in one attribute.
fn lower(levels: &[u8]) -> impl Iterator<Item = Levels> {
    let below = |position: usize| {
        let mut below = levels.to_vec();
        below[position] = below[position].checked_sub(1)?;
        Some(below)
    };
    (0..levels.len()).filter_map(below)
}

struct Search<'a, 'b> {
    task: &'a Task<'b>,
    sets: FrequencySets<'a, 'b>,
    evaluated: u64,
    down: bool,
}

impl Search<'_, '_> {
    /// The levels of all attributes that will do; none if time ran out.
    fn all(&mut self) -> Result<Option<BTreeSet<Levels>>, Error> {
        let attributes = self.task.caps.levels().len();
        let mut known: BTreeMap<Vec<usize>, BTreeSet<Levels>> = BTreeMap::new();
        known.insert(Vec::new(), BTreeSet::from([Vec::new()]));
        for size in 1..=attributes {
            let mut next = BTreeMap::new();
            for set in subsets(attributes, size) {
                let candidates = self.candidates(&set, &known);
                let Some(feasible) = self.feasible(&set, candidates)? else { return Ok(None) };
                next.insert(set, feasible);
            }
            known = next;
        }
        Ok(known.into_values().next())
    }

    /// The levels of a set of attributes that will do with each attribute left out.
    fn candidates(
        &self,
        set: &[usize],
        known: &BTreeMap<Vec<usize>, BTreeSet<Levels>>,
    ) -> Vec<Levels> {
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
        let mut candidates: Vec<Levels> = joined.filter(fits).collect();
        candidates.sort_by_key(|levels| levels.iter().map(|&level| u32::from(level)).sum::<u32>());
        candidates
    }

    /// Those of the candidates that will do. Their heights rise.
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
            let told = if self.down {
                upper(&levels, &all).any(|above| failed.contains(&above)).then_some(false)
            } else {
                lower(&levels).any(|below| found.contains(&below)).then_some(true)
            };
            let will_do = match told {
                Some(known) => known,
                None if self.task.is_late() => return Ok(None),
                None => self.evaluate(set, &levels)?,
            };
            if will_do {
                found.insert(levels)
            } else {
                failed.insert(levels)
            };
        }
        Ok(Some(found))
    }

    /// Whether the groups by these attributes alone suppress few enough.
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

/// Those of the levels one above in one attribute that are candidates.
fn upper<'a>(levels: &'a [u8], all: &'a BTreeSet<Levels>) -> impl Iterator<Item = Levels> + 'a {
    let above = |position: usize| {
        let mut above = levels.to_vec();
        above[position] = above[position].saturating_add(1);
        above
    };
    (0..levels.len()).map(above).filter(|above| all.contains(above))
}

/// The sets of so many of the attributes, each in order.
fn subsets(attributes: usize, size: usize) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = |set: &Vec<usize>| {
            let from = set.last().map_or(0, |last| last + 1);
            let set = set.clone();
            (from..attributes).map(move |next| [&set[..], &[next]].concat()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(longer).collect();
    }
    sets
}
