//! The schemes of a lattice from the bottom up and from the top down, with the minimum set covers
//! that each direction needs.

use std::collections::BTreeSet;
use std::time::Instant;

use haggle::lattice::{Group, ValueCount};
use haggle::{Ask, Engine, Scheme};

/// In which order schemes are evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Direction {
    /// Those above a feasible scheme are feasible.
    BottomUp,
    /// Those below an infeasible scheme are infeasible.
    TopDown,
}

/// What a walk through the schemes took.
pub(crate) struct Walk {
    pub(crate) minimal: BTreeSet<Vec<u8>>,
    pub(crate) evaluated: usize,
    /// The groups that were judged.
    pub(crate) groups: usize,
    /// The different sets of sensitive values among them: each needs one cover.
    pub(crate) sets: BTreeSet<Vec<u32>>,
}

impl Walk {
    /// Finds the minimal feasible schemes, with nothing suppressed.
    pub(crate) fn of(engine: &Engine, ask: &Ask, direction: Direction) -> Self {
        let (minimal, sets) = (BTreeSet::new(), BTreeSet::new());
        let mut walk = Self { minimal, evaluated: 0, groups: 0, sets };
        let all = engine.cube().space().all();
        let mut heights: Vec<u32> = all.heights().collect();
        if matches!(direction, Direction::TopDown) {
            heights.reverse();
        }
        let (mut feasible, mut failing): (Vec<Scheme>, Vec<Scheme>) = (Vec::new(), Vec::new());
        for scheme in heights.into_iter().flat_map(|height| all.at_height(height)) {
            let known = match direction {
                Direction::BottomUp => feasible.iter().any(|low| low.is_under(&scheme)),
                Direction::TopDown => failing.iter().any(|high| scheme.is_under(high)),
            };
            if !known {
                let found =
                    if walk.passes(engine, ask, &scheme) { &mut feasible } else { &mut failing };
                found.push(scheme);
            }
        }
        let is_minimal = |scheme: &&Scheme| {
            !feasible.iter().any(|other| other != *scheme && other.is_under(scheme))
        };
        let levels = |scheme: &Scheme| scheme.levels().iter().map(|&level| level.into()).collect();
        walk.minimal = feasible.iter().filter(is_minimal).map(levels).collect();
        walk
    }

    /// Judges the groups of a scheme until one fails.
    fn passes(&mut self, engine: &Engine, ask: &Ask, scheme: &Scheme) -> bool {
        let criteria = engine.criteria(ask).expect("it can be asked");
        self.evaluated += 1;
        let mut passes = true;
        engine.cube().for_each_group(scheme, criteria[0].watches(), |_, group| {
            if passes {
                self.groups += 1;
                self.sets.insert(group.values.iter().map(|value| value.code).collect());
                passes = criteria[0].passes(group);
            }
        });
        passes
    }

    /// Returns the seconds that the covers of all sets take, each computed once.
    pub(crate) fn cover_seconds(&self, engine: &Engine, ask: &Ask) -> f64 {
        let criteria = engine.criteria(ask).expect("it can be asked");
        let one = |code: &u32| ValueCount { code: *code, count: 1 };
        let sets: Vec<Vec<ValueCount>> =
            self.sets.iter().map(|set| set.iter().map(one).collect()).collect();
        let start = Instant::now();
        for values in &sets {
            let group = Group { records: values.len() as u64, values };
            std::hint::black_box(criteria[0].judge().of(&group));
        }
        start.elapsed().as_secs_f64()
    }

    /// Returns the mean number of values in a set.
    pub(crate) fn mean_values(&self) -> f64 {
        let values: usize = self.sets.iter().map(Vec::len).sum();
        values as f64 / self.sets.len().max(1) as f64
    }
}
