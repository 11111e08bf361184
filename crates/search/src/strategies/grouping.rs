//! Groups base groups by what their values become, attribute by attribute.

use std::hash::Hash;

use haggle_cube::Base;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Base groups, ordered by group.
#[derive(Debug, Clone)]
pub struct Grouping {
    rows: Vec<u32>,
    ends: Vec<usize>,
}

impl Grouping {
    /// Groups the rows whose codes become equal; `maps` has for each attribute what every recorded
    /// code becomes, and how many such codes there are.
    pub fn new(base: &Base, rows: &[u32], maps: &[(&[u32], usize)]) -> Self {
        let size = maps.iter().try_fold(1_u64, |size, (_, n)| size.checked_mul((*n).max(1) as u64));
        let number = |row: u32| {
            let codes = base.codes(row as usize).iter().zip(maps);
            codes.fold(0_u64, |key, (&code, (map, n))| {
                key * (*n).max(1) as u64 + u64::from(map[code as usize])
            })
        };
        match size {
            // A table with an entry for every combination is fastest, if it is small.
            Some(size) if size <= 16 * rows.len() as u64 + 1024 => {
                let mut places = vec![u32::MAX; size as usize];
                Self::by_place(rows, |row, next| {
                    let place = &mut places[number(row) as usize];
                    if *place == u32::MAX {
                        *place = next;
                    }
                    *place
                })
            }
            Some(_) => Self::by_key(rows, number),
            None => Self::by_key(rows, |row: u32| -> Box<[u32]> {
                let codes = base.codes(row as usize).iter().zip(maps);
                codes.map(|(&code, (map, _))| map[code as usize]).collect()
            }),
        }
    }

    /// Groups the rows of equal keys, in the order of first occurrence.
    pub fn by_key<K: Hash + Eq>(rows: &[u32], key: impl Fn(u32) -> K) -> Self {
        let mut parts: HashMap<K, u32, FxBuildHasher> = HashMap::default();
        Self::by_place(rows, |row, next| *parts.entry(key(row)).or_insert(next))
    }

    /// Groups the rows of the same number; a new number is the next.
    fn by_place(rows: &[u32], mut place: impl FnMut(u32, u32) -> u32) -> Self {
        let mut sizes: Vec<usize> = Vec::new();
        let mut part_of = Vec::with_capacity(rows.len());
        for &row in rows {
            let part = place(row, sizes.len() as u32);
            if part as usize == sizes.len() {
                sizes.push(0);
            }
            sizes[part as usize] += 1;
            part_of.push(part);
        }
        let mut ends = sizes;
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut sorted = vec![0; rows.len()];
        for (&row, &part) in rows.iter().zip(&part_of) {
            sorted[ends[part as usize]] = row;
            ends[part as usize] += 1;
        }
        Self { rows: sorted, ends }
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The base groups of each group.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start..end])
    }
}
