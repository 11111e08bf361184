//! What strategies found, kept for a while: what is published is what was compared.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use haggle_cube::Applied;
use haggle_model::{Recoding, Scheme, Span};

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
    },
}

impl CachedResult {
    /// About how much memory it takes.
    fn bytes(&self) -> usize {
        let Self::Parts { recoding, applied } = self else { return 0 };
        let sides: usize = match recoding {
            Recoding::Cuts { cuts: lists } | Recoding::Boxes { boxes: lists } => {
                lists.iter().map(Vec::len).sum()
            }
            Recoding::Levels { .. } | Recoding::Parts { .. } => 0,
        };
        sides * size_of::<Span>() + applied.bytes()
    }
}

/// What a result is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The strategy that found it, as it was asked for.
    pub strategy: String,
    /// The maximum levels that it was found under.
    pub caps: Scheme,
    /// The recoding's name.
    pub name: String,
}

/// The results, the newest at the back.
#[derive(Debug, Default)]
pub struct Results(Mutex<VecDeque<(Key, Arc<CachedResult>)>>);

impl Results {
    /// Keeps a result, and no more than `room` bytes of older ones as well.
    pub(crate) fn keep(&self, key: Key, kept: CachedResult, room: usize) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(known, _)| *known != key);
        let mut room = room;
        let fits = |(_, kept): &(Key, Arc<CachedResult>)| {
            let fits = kept.bytes() <= room;
            room = room.saturating_sub(kept.bytes());
            fits
        };
        let keep = all.iter().rev().take(MOST - 1).map(fits).take_while(|fits| *fits).count();
        let old = all.len() - keep;
        all.drain(..old);
        all.push_back((key, kept.into()));
    }

    /// A result, if it is still kept.
    pub fn get(&self, key: &Key) -> Option<Arc<CachedResult>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|(known, _)| known == key).map(|(_, kept)| kept.clone())
    }
}

#[cfg(test)]
mod tests {
    use haggle_cube::{Base, CountedPart, Counter, Cube};
    use haggle_model::{Hierarchy, QuasiIdentifier, Region};

    use super::*;

    fn key(name: &str) -> Key {
        Key { strategy: "mondrian".into(), caps: Scheme::new([1]), name: name.into() }
    }

    fn scheme(level: u8) -> CachedResult {
        CachedResult::Scheme(Scheme::new([level]))
    }

    fn boxes(boxes: usize) -> CachedResult {
        let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
        let side = Region::whole(&sex.hierarchy);
        let recoding =
            Recoding::Boxes { boxes: vec![vec![Span::of(&side, &sex.hierarchy)]; boxes] };
        let mut counter = Counter::new(1, 0);
        counter.add(&[0]);
        let part = CountedPart { counter, recode: vec![vec![0, 1]] };
        let cube = Cube::of(vec![sex], Vec::new(), &[part]);
        let base = Base::of(&cube);
        let applied = Applied::cuts(cube.attributes(), &base, vec![vec![side]]).into();
        CachedResult::Parts { recoding, applied }
    }

    #[test]
    fn the_oldest_go_first_and_what_is_found_again_is_young_again() {
        let results = Results::default();
        results.keep(key("first"), scheme(0), 0);
        for i in 1..MOST {
            results.keep(key(&i.to_string()), scheme(1), 0);
        }
        results.keep(key("first"), scheme(0), 0);
        results.keep(key("more"), scheme(2), 0);
        assert!(results.get(&key("first")).is_some() && results.get(&key("more")).is_some());
        assert!(results.get(&key("1")).is_none() && results.get(&key("2")).is_some());
    }

    #[test]
    fn only_so_much_is_kept_beside_the_newest() {
        let results = Results::default();
        let room = boxes(1).bytes() + boxes(2).bytes();
        for (name, some) in [("a", 2), ("b", 1), ("c", 2), ("d", 9)] {
            results.keep(key(name), boxes(some), room);
        }
        let there = ["a", "b", "c", "d"].map(|name| results.get(&key(name)).is_some());
        assert_eq!(there, [false, true, true, true], "b and c fit together with d");
        results.keep(key("e"), boxes(1), room);
        assert!(results.get(&key("d")).is_none(), "it is too large once it is old");
    }
}
