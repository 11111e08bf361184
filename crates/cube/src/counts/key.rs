//! A group's codes packed into one comparable number, as narrow as the domains allow.

use std::cmp::Ordering;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

/// The position of one attribute's code within a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeyField {
    word: u32,
    shift: u32,
    mask: u64,
}

/// Codes in a fixed order of fields; keys compare as the lists of their codes do.
pub(crate) trait Key: Ord + Clone + Hash + Send + Sync {
    fn empty(layout: &KeyLayout) -> Self;
    fn get(&self, field: KeyField) -> u32;
    fn set(&mut self, field: KeyField, code: u32);
    /// Returns whether a key read from a file has space for all fields.
    fn fits(&self, _: &KeyLayout) -> bool {
        true
    }
    /// Whether both keys agree in this field and in all fields before it.
    fn agrees_through(&self, other: &Self, field: KeyField) -> bool;
    /// Compares the keys in the fields after this one.
    fn behind(&self, other: &Self, field: KeyField) -> Ordering;
    /// How many words of 32 bits a key takes.
    fn words(layout: &KeyLayout) -> usize;
    /// Writes the key to this many words.
    fn write(&self, words: &mut [u32]);
    /// Reads a key that was written.
    fn read(words: &[u32]) -> Self;
}

macro_rules! packed_key {
    ($word:ty) => {
        impl Key for $word {
            fn empty(_: &KeyLayout) -> Self {
                0
            }

            #[inline]
            fn get(&self, field: KeyField) -> u32 {
                ((self >> field.shift) as u64 & field.mask) as u32
            }

            #[inline]
            fn set(&mut self, field: KeyField, code: u32) {
                let hole = !(<$word>::from(field.mask) << field.shift);
                *self = (*self & hole) | (<$word>::from(code) << field.shift);
            }

            #[inline]
            fn agrees_through(&self, other: &Self, field: KeyField) -> bool {
                (self ^ other) >> field.shift == 0
            }

            #[inline]
            fn behind(&self, other: &Self, field: KeyField) -> Ordering {
                let low = ((1 as $word) << field.shift) - 1;
                (self & low).cmp(&(other & low))
            }

            #[inline]
            fn words(_: &KeyLayout) -> usize {
                size_of::<Self>() / size_of::<u32>()
            }

            #[inline]
            fn write(&self, words: &mut [u32]) {
                for (i, word) in words.iter_mut().enumerate() {
                    *word = (self >> (i as u32 * u32::BITS)) as u32;
                }
            }

            #[inline]
            fn read(words: &[u32]) -> Self {
                words.iter().rev().fold(0, |key, &word| key << u32::BITS | Self::from(word))
            }
        }
    };
}

packed_key!(u64);
packed_key!(u128);

/// A key of any length, for more attributes than 128 bits can hold.
pub(crate) type WideKey = Box<[u64]>;

impl Key for WideKey {
    fn empty(layout: &KeyLayout) -> Self {
        vec![0; layout.words].into()
    }

    fn fits(&self, layout: &KeyLayout) -> bool {
        self.len() == layout.words
    }

    fn get(&self, field: KeyField) -> u32 {
        self[field.word as usize].get(field)
    }

    fn set(&mut self, field: KeyField, code: u32) {
        self[field.word as usize].set(field, code);
    }

    fn agrees_through(&self, other: &Self, field: KeyField) -> bool {
        let word = field.word as usize;
        self[..word] == other[..word] && self[word].agrees_through(&other[word], field)
    }

    fn behind(&self, other: &Self, field: KeyField) -> Ordering {
        let word = field.word as usize;
        let here = self[word].behind(&other[word], field);
        here.then_with(|| self[word + 1..].cmp(&other[word + 1..]))
    }

    fn words(layout: &KeyLayout) -> usize {
        2 * layout.words
    }

    fn write(&self, words: &mut [u32]) {
        self.iter().zip(words.chunks_exact_mut(2)).for_each(|(word, words)| word.write(words));
    }

    fn read(words: &[u32]) -> Self {
        words.chunks_exact(2).map(u64::read).collect()
    }
}

/// The required width of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Width {
    Word,
    Double,
    Any,
}

/// The fields of a key: one for each quasi-identifier, and last the watched value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeyLayout {
    pub(crate) width: Width,
    words: usize,
    /// By quasi-identifier, regardless of their order within the key.
    pub(crate) fields: Vec<KeyField>,
    /// The last field of the key that belongs to a quasi-identifier: groups differ up to here.
    pub(crate) last: KeyField,
    pub(crate) value: KeyField,
    /// The code of records that have no value; the highest, so that it comes last in its group.
    pub(crate) unknown: Option<u32>,
}

impl KeyLayout {
    /// Builds a layout for quasi-identifiers with these numbers of values, and this number of
    /// watched values; records without a value have the code after the last.
    ///
    /// Large domains come last: a key's long prefix is then shared by many neighbours, and climbing
    /// a level of a large domain reorders few of them.
    pub(crate) fn new(domains: &[usize], watched: usize, unknown: bool) -> Self {
        let codes = watched + usize::from(unknown);
        let mut order: Vec<usize> = (0..domains.len()).collect();
        order.sort_by_key(|&i| domains[i]);
        let bits: Vec<u32> =
            order.iter().map(|&i| bits_for(domains[i]).max(1)).chain([bits_for(codes)]).collect();
        let total: u32 = bits.iter().sum();
        let width = match total {
            0..=64 => Width::Word,
            65..=128 => Width::Double,
            _ => Width::Any,
        };
        let (places, words) = if width == Width::Any { spread(&bits) } else { pack(&bits, total) };
        let mut fields = vec![places[places.len() - 1]; domains.len()];
        for (&attribute, &place) in order.iter().zip(&places) {
            fields[attribute] = place;
        }
        let value = places[places.len() - 1];
        let last = places.len().checked_sub(2).map_or(value, |i| places[i]);
        Self { width, words, fields, last, value, unknown: unknown.then_some(watched as u32) }
    }
}

impl KeyLayout {
    /// Returns the same layout for keys without a watched value.
    pub(crate) fn without_values(&self) -> Self {
        Self { value: KeyField { mask: 0, ..self.value }, unknown: None, ..self.clone() }
    }

    /// Returns whether no field of a key comes after this one.
    pub(crate) fn ends_with(&self, field: KeyField) -> bool {
        self.watches_nothing() && field == self.last
    }

    /// Returns whether keys have no watched value, so that every cell is a group.
    pub(crate) fn watches_nothing(&self) -> bool {
        self.value.mask == 0 && self.unknown.is_none()
    }
}

fn bits_for(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).leading_zeros()
}

fn pack(bits: &[u32], total: u32) -> (Vec<KeyField>, usize) {
    let mut shift = total;
    let place = |&bits: &u32| {
        shift -= bits;
        KeyField { word: 0, shift, mask: (1 << bits) - 1 }
    };
    (bits.iter().map(place).collect(), 1)
}

/// Distributes fields over as many words as needed; no field is split.
fn spread(bits: &[u32]) -> (Vec<KeyField>, usize) {
    let (mut word, mut shift) = (0, 64);
    let place = |&bits: &u32| {
        if bits > shift {
            (word, shift) = (word + 1, 64);
        }
        shift -= bits;
        KeyField { word, shift, mask: (1 << bits) - 1 }
    };
    let places: Vec<KeyField> = bits.iter().map(place).collect();
    let words = places.last().map_or(0, |field| field.word) as usize + 1;
    (places, words)
}
