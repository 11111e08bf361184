//! Many schemes, packed so that all can be compared with one quickly.

/// Levels that one word holds.
const LANES: usize = 4;
/// The highest bit of each lane: levels stay below it.
const HIGH: u64 = 0x8000_8000_8000_8000;

/// A scheme's levels, several per word.
pub(crate) struct Packed(Vec<u64>);

impl Packed {
    pub(crate) fn of(levels: &[u8]) -> Self {
        let word = |levels: &[u8]| {
            levels.iter().rev().fold(0, |word, &level| word << 16 | u64::from(level))
        };
        Self(levels.chunks(LANES).map(word).collect())
    }
}

/// Returns whether no level is above that of the other: with its highest bit set, no lane borrows.
fn is_under(low: &[u64], high: &[u64]) -> bool {
    low.iter().zip(high).all(|(low, high)| ((high | HIGH) - low) & HIGH == HIGH)
}

/// Schemes in the order in which they were added; all have the same attributes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Schemes {
    /// How many attributes they have.
    width: usize,
    levels: Vec<u8>,
    packed: Vec<u64>,
}

impl Schemes {
    pub(crate) fn push(&mut self, levels: &[u8]) {
        self.packed.extend(Packed::of(levels).0);
        self.levels.extend_from_slice(levels);
        self.width = levels.len();
    }

    pub(crate) fn len(&self) -> usize {
        self.levels.len() / self.width.max(1)
    }

    pub(crate) fn get(&self, position: usize) -> &[u8] {
        &self.levels[position * self.width..(position + 1) * self.width]
    }

    /// The bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.levels.capacity() + self.packed.capacity() * size_of::<u64>()
    }

    /// Returns whether the scheme at this position is above or equal to another.
    pub(crate) fn is_above(&self, position: usize, scheme: &Packed) -> bool {
        let words = scheme.0.len();
        is_under(&scheme.0, &self.packed[position * words..(position + 1) * words])
    }

    /// Returns whether one of the schemes is above or equal to another.
    pub(crate) fn any_above(&self, levels: &[u8]) -> bool {
        let scheme = Packed::of(levels).0;
        self.packed.chunks_exact(scheme.len().max(1)).any(|other| is_under(&scheme, other))
    }

    /// Returns whether one of the schemes is below or equal to another.
    pub(crate) fn any_below(&self, levels: &[u8]) -> bool {
        let scheme = Packed::of(levels).0;
        self.packed.chunks_exact(scheme.len().max(1)).any(|other| is_under(other, &scheme))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Levels;

    #[test]
    fn packed_levels_compare_as_levels_do() {
        let of = |n: usize, by: usize| (0..n).map(|i| (i * by % 5 * 60) as u8).collect::<Levels>();
        for n in [1, 3, 4, 5, 17] {
            for (one, other) in (0..25).map(|i| (of(n, i % 5), of(n, i / 5))) {
                let under = one.iter().zip(&other).all(|(one, other)| one <= other);
                let over = one.iter().zip(&other).all(|(one, other)| one >= other);
                let mut others = Schemes::default();
                others.push(&other);
                assert_eq!(others.any_above(&one), under, "{one:?} {other:?}");
                assert_eq!(others.any_below(&one), over, "{one:?} {other:?}");
                assert_eq!((others.len(), others.get(0)), (1, other.as_slice()));
                assert_eq!(others.is_above(0, &Packed::of(&one)), under, "{one:?} {other:?}");
            }
        }
    }
}
