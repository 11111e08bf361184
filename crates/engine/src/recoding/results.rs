//! What strategies found, kept for a while: what is published is what was compared.
//!
//! A comparison names each recoding by a digest of what every base group becomes. A publication
//! that names one applies it as it was found; if it is no longer kept, the strategy must find the
//! same again.

use std::sync::Arc;

use haggle_cube::{Applied, Base};
use haggle_model::{Cache, Capacity, Recoding, Scheme, Span};

/// Some comparisons with every strategy; the oldest results go first.
const MOST: usize = 64;

/// A recoding apart from the groups that it was found on.
#[derive(Debug)]
pub enum CachedResult {
    /// Every attribute at its level.
    Scheme(Scheme),
    /// Any other, with whom it publishes alike.
    Parts {
        /// The recoding.
        recoding: Recoding,
        /// The groups that it makes.
        applied: Arc<Applied>,
        /// The counted groups, where records with the same recorded values differ in it.
        split: Option<Arc<Base>>,
    },
}

impl CachedResult {
    /// About how much memory it takes.
    fn bytes(&self) -> usize {
        let Self::Parts { recoding, applied, split } = self else { return 0 };
        let sides: usize = match recoding {
            Recoding::Cuts { cuts: lists }
            | Recoding::Boxes { boxes: lists, .. }
            | Recoding::Cells { patterns: lists } => lists.iter().map(Vec::len).sum(),
            Recoding::Levels { .. } | Recoding::Parts { .. } => 0,
        };
        let split = split.as_ref().map_or(0, |base| base.bytes());
        sides * size_of::<Span>() + applied.bytes() + split
    }
}

/// A result as it was found.
#[derive(Debug)]
pub struct KeptResult {
    /// The recoding.
    pub recoding: CachedResult,
    /// Whether the time limit ended the search for it.
    pub stopped: bool,
}

impl KeptResult {
    fn bytes(&self) -> usize {
        self.recoding.bytes()
    }
}

/// What a result is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultKey {
    /// The strategy that found it, as it was asked for.
    pub strategy: String,
    /// The maximum levels that it was found under.
    pub caps: Scheme,
    /// The recoding's name.
    pub name: String,
}

/// The results by their keys.
#[derive(Debug, Default)]
pub struct Results(Cache<ResultKey, KeptResult>);

impl Results {
    /// Keeps a result; older ones are dropped until all take no more than `room` bytes.
    pub(crate) fn keep(&self, key: ResultKey, result: KeptResult, room: usize) {
        let capacity = Capacity::bytes(room, KeptResult::bytes).and_entries(MOST);
        self.0.insert(key, result.into(), &capacity);
    }

    /// A result, if it is still kept.
    pub fn get(&self, key: &ResultKey) -> Option<Arc<KeptResult>> {
        self.0.get(key)
    }
}

#[cfg(test)]
mod tests {
    use haggle_cube::{Base, CountedPart, Counter, Cube};
    use haggle_model::{Hierarchy, QuasiIdentifier, Region};

    use super::*;

    fn key(name: &str) -> ResultKey {
        ResultKey { strategy: "mondrian".into(), caps: Scheme::new([1]), name: name.into() }
    }

    fn scheme(level: u8) -> KeptResult {
        KeptResult { recoding: CachedResult::Scheme(Scheme::new([level])), stopped: false }
    }

    fn boxes(boxes: usize) -> KeptResult {
        let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
        let side = Region::whole(&sex.hierarchy);
        let boxes = vec![vec![Span::new(&side, &sex.hierarchy)]; boxes];
        let recoding = Recoding::Boxes { boxes, tight: false };
        let mut counter = Counter::new(1, 0);
        counter.add(&[0]);
        let part = CountedPart { counter, recode: vec![vec![0, 1]] };
        let cube = Cube::from_parts(vec![sex], Vec::new(), &[part]);
        let base = Base::of(&cube);
        let applied = Applied::cuts(cube.attributes(), &base, vec![vec![side]]).into();
        let recoding = CachedResult::Parts { recoding, applied, split: None };
        KeptResult { recoding, stopped: false }
    }

    #[test]
    fn results_are_bounded_by_the_bytes_of_their_recodings() {
        let results = Results::default();
        let room = boxes(1).bytes() + boxes(2).bytes();
        for (name, some) in [("a", 2), ("b", 1), ("c", 2)] {
            results.keep(key(name), boxes(some), room);
        }
        let there = ["a", "b", "c"].map(|name| results.get(&key(name)).is_some());
        assert_eq!(there, [false, true, true], "b and c fit together");
        results.keep(key("d"), scheme(1), room);
        assert!(results.get(&key("b")).is_some(), "schemes take next to nothing");
    }
}
