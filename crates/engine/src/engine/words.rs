//! A scheme in words: what a value looks like at its level.

use haggle_api::Example;
use haggle_cube::Cube;
use haggle_model::{Hierarchy, Level, QuasiIdentifier, Scheme};

/// So many recorded values of an attribute are shown as examples.
const SHOWN: usize = 3;

/// How often each recorded value of each attribute occurs: examples are frequent values.
#[derive(Debug)]
pub(crate) struct Frequencies(Vec<Vec<(u32, u64)>>);

impl Frequencies {
    /// The codes and records of every attribute alone, values that match nothing aside.
    pub(crate) fn of(cube: &Cube) -> Self {
        let attribute = |(position, attribute): (usize, &QuasiIdentifier)| {
            let alone = cube.space().top().with(position, Level::RECORDED);
            let matched = attribute.hierarchy.matched(Level::RECORDED);
            let mut found = Vec::new();
            cube.for_each_group(&alone, 0, |codes, group| {
                if (codes[position] as usize) < matched {
                    found.push((codes[position], group.records));
                }
            });
            found
        };
        Self(cube.attributes().iter().enumerate().map(attribute).collect())
    }

    /// How every attribute of a cube appears under a scheme.
    pub(crate) fn examples(&self, cube: &Cube, scheme: &Scheme) -> Vec<Example> {
        let attributes = cube.attributes().iter().enumerate();
        attributes
            .map(|(i, attribute)| {
                let level = scheme.level(i);
                let hierarchy = &attribute.hierarchy;
                let code = self.telling_value(i, hierarchy, level);
                Example {
                    attribute: attribute.name.clone(),
                    level: level.into(),
                    top: hierarchy.top().into(),
                    recorded: hierarchy.shown(code, Level::RECORDED).into(),
                    generalized: hierarchy.shown(hierarchy.ancestor(code, level), level).into(),
                    values: hierarchy.matched(level),
                }
            })
            .collect()
    }

    /// The code of the most frequent recorded value that looks different at the level; of the most
    /// frequent one, if none does.
    fn telling_value(&self, position: usize, hierarchy: &Hierarchy, level: Level) -> u32 {
        let changes = |code: u32| {
            let general = hierarchy.label(hierarchy.ancestor(code, level), level);
            hierarchy.label(code, Level::RECORDED) != general
        };
        let mut best = ((false, 0), 0);
        for &(code, records) in &self.0[position] {
            let rank = (changes(code), records);
            if rank > best.0 {
                best = (rank, code);
            }
        }
        best.1
    }

    /// A few recorded values, each followed up all levels: those that change at most levels first,
    /// so that every step shows, and of these the most frequent.
    pub(crate) fn chains(&self, cube: &Cube, position: usize) -> Vec<Vec<String>> {
        let hierarchy = &cube.attributes()[position].hierarchy;
        let path = |code: u32| hierarchy.path(code).map(str::to_owned).collect::<Vec<_>>();
        let steps = |code: u32| {
            let path: Vec<&str> = hierarchy.path(code).collect();
            path.windows(2).filter(|pair| pair[0] != pair[1]).count()
        };
        let ranked = self.0[position].iter().map(|&(code, records)| (steps(code), records, code));
        let mut found: Vec<(usize, u64, u32)> = ranked.collect();
        found.sort_by(|a, b| (b.0, b.1, a.2).cmp(&(a.0, a.1, b.2)));
        found.into_iter().take(SHOWN).map(|(_, _, code)| path(code)).collect()
    }
}
