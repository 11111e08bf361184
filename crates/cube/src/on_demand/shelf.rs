//! The cells of annotated schemes, kept in blocks of one size: any freed block can be reused, and
//! the bytes that are reported are those that are allocated.

use std::sync::Arc;

use haggle_model::Scheme;

use crate::cells::Cell;
use crate::key::{Key, KeyLayout};

/// The words of a block; 16 KB, so that little space is left unused at the end of a scheme's cells.
const WORDS: usize = 4096;
/// At most this many schemes' cells are kept: with more, searching for the nearest would take
/// longer than a longer climb.
const MOST_SCHEMES: usize = 2000;

type CellBlock = Box<[u32]>;

/// The packed cells of a scheme, without the padding that they have while they are processed.
#[derive(Debug)]
pub(super) struct PackedCells {
    blocks: Vec<CellBlock>,
    cells: usize,
}

impl PackedCells {
    /// Fills blocks, of which there are enough.
    pub(super) fn fill<K: Key>(
        mut blocks: Vec<CellBlock>,
        cells: &[Cell<K>],
        layout: &KeyLayout,
    ) -> Self {
        let (key, per_block) = shape::<K>(layout);
        for (block, cells) in blocks.iter_mut().zip(cells.chunks(per_block)) {
            for (words, cell) in block.chunks_exact_mut(key + 1).zip(cells) {
                words[0] = cell.count;
                cell.key.write(&mut words[1..]);
            }
        }
        Self { blocks, cells: cells.len() }
    }

    /// Writes the cells to `out`.
    pub(super) fn read<K: Key>(&self, layout: &KeyLayout, out: &mut Vec<Cell<K>>) {
        let (key, per_block) = shape::<K>(layout);
        out.clear();
        out.reserve(self.cells);
        for block in &self.blocks {
            let cells = block.chunks_exact(key + 1).take(per_block.min(self.cells - out.len()));
            out.extend(cells.map(|words| Cell {
                key: K::read(&words[1..]),
                count: words[0],
                extra: (),
            }));
        }
    }
}

/// Returns the words of a key, and how many cells fit in a block.
fn shape<K: Key>(layout: &KeyLayout) -> (usize, usize) {
    let key = K::words(layout);
    (key, WORDS / (key + 1))
}

/// Returns how many blocks this many cells take.
pub(super) fn blocks_for<K: Key>(cells: usize, layout: &KeyLayout) -> usize {
    cells.div_ceil(shape::<K>(layout).1)
}

/// The scheme and watched attribute that cells belong to.
#[derive(Debug)]
struct ShelfKey {
    watched: usize,
    scheme: Scheme,
    stored: Arc<PackedCells>,
    last: u64,
}

/// The cells of many schemes; the least recently used are evicted first.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    places: Vec<ShelfKey>,
    /// The levels of all entries, concatenated, to be compared in one pass.
    levels: Vec<u8>,
    free: Vec<CellBlock>,
    /// How many blocks there are, free or not.
    blocks: usize,
    clock: u64,
}

impl Shelf {
    /// Returns the fewest cells of a scheme that is not above this one.
    pub(super) fn nearest(
        &mut self,
        scheme: &Scheme,
        watched: usize,
    ) -> Option<(Scheme, Arc<PackedCells>)> {
        let width = scheme.levels().len();
        let mut nearest: Option<(usize, usize)> = None;
        for (position, place) in self.places.iter().enumerate() {
            let cells = place.stored.cells;
            if place.watched == watched && nearest.is_none_or(|(least, _)| cells < least) {
                let levels = &self.levels[position * width..(position + 1) * width];
                let under = |(&low, &high): (&u8, _)| low <= u8::from(high);
                if levels.iter().zip(scheme.levels()).all(under) {
                    nearest = Some((cells, position));
                }
            }
        }
        let (_, position) = nearest?;
        self.clock += 1;
        let place = &mut self.places[position];
        place.last = self.clock;
        Some((place.scheme.clone(), place.stored.clone()))
    }

    /// Returns this many blocks to be filled, if at most `most` are allocated in total. Other
    /// entries are evicted for them, but not half of everything.
    pub(super) fn blocks(&mut self, count: usize, most: usize) -> Option<Vec<CellBlock>> {
        if count > most / 2 {
            return None;
        }
        while self.places.len() >= MOST_SCHEMES
            || self.free.len() + most.saturating_sub(self.blocks) < count
        {
            self.forget();
        }
        let again = self.free.split_off(self.free.len().saturating_sub(count));
        let new = count - again.len();
        self.blocks += new;
        Some(again.into_iter().chain((0..new).map(|_| vec![0; WORDS].into())).collect())
    }

    /// Evicts the least recently used entry.
    fn forget(&mut self) {
        let places = self.places.iter().enumerate();
        let oldest = places.min_by_key(|(_, place)| place.last).map(|(position, _)| position);
        if let Some(oldest) = oldest {
            self.remove(oldest);
        }
    }

    fn remove(&mut self, position: usize) {
        let gone = self.places.swap_remove(position);
        let width = gone.scheme.levels().len();
        let last = self.levels.len() - width;
        self.levels.copy_within(last.., position * width);
        self.levels.truncate(last);
        match Arc::try_unwrap(gone.stored) {
            Ok(stored) => self.free.extend(stored.blocks),
            Err(read) => self.blocks -= read.blocks.len(), // freed when its last reader drops it
        }
    }

    /// Keeps a scheme's cells.
    pub(super) fn keep(&mut self, scheme: &Scheme, watched: usize, stored: PackedCells) {
        let levels: Vec<u8> = scheme.levels().iter().map(|&level| level.into()).collect();
        let mut others = self.levels.chunks_exact(levels.len()).zip(&self.places);
        let same = others.position(|(other, place)| other == levels && place.watched == watched);
        if let Some(same) = same {
            self.remove(same);
        }
        self.clock += 1;
        let (stored, last) = (Arc::new(stored), self.clock);
        self.levels.extend(levels);
        self.places.push(ShelfKey { watched, scheme: scheme.clone(), stored, last });
    }
}

/// Returns how many blocks fit into this many bytes.
pub(super) fn blocks_in(bytes: usize) -> usize {
    bytes / (WORDS * size_of::<u32>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(layout: &KeyLayout, count: u32) -> Vec<Cell<u128>> {
        let cell = |i: u32| {
            let mut key = u128::empty(layout);
            key.set(layout.fields[0], i % 90_000);
            key.set(layout.fields[1], i / 7);
            Cell { key, count: i + 1, extra: () }
        };
        (0..count).map(cell).collect()
    }

    #[test]
    fn cells_are_read_back_unchanged_for_any_number_of_cells() {
        let layout = KeyLayout::new(&[90_000, 1 << 30, 1 << 30], 0, false);
        for count in [0, 1, 818, 819, 820, 5000] {
            let cells = cells(&layout, count);
            let blocks = vec![vec![7; WORDS].into(); blocks_for::<u128>(cells.len(), &layout)];
            let mut back = vec![cells.first().cloned(); 3].into_iter().flatten().collect();
            PackedCells::fill(blocks, &cells, &layout).read(&layout, &mut back);
            assert_eq!(back, cells);
        }
    }

    #[test]
    fn a_full_shelf_evicts_the_oldest_and_never_exceeds_its_limit() {
        let layout = KeyLayout::new(&[90_000, 1 << 30, 1 << 30], 0, false);
        let (mut shelf, most) = (Shelf::default(), 10);
        let two = cells(&layout, 1000);
        for level in 0..8 {
            let blocks = shelf.blocks(blocks_for::<u128>(two.len(), &layout), most).unwrap();
            shelf.keep(&Scheme::new([level, 0]), 0, PackedCells::fill(blocks, &two, &layout));
            if level == 3 {
                let used = shelf.nearest(&Scheme::new([0, 5]), 0).unwrap();
                assert_eq!(used.0, Scheme::new([0, 0]), "the only one below");
            }
            assert!(shelf.blocks <= most);
        }
        let kept: Vec<Scheme> = shelf.places.iter().map(|place| place.scheme.clone()).collect();
        for level in [0, 4, 5, 6, 7] {
            assert!(kept.contains(&Scheme::new([level, 0])), "{level} of {kept:?}");
        }
        assert!(shelf.nearest(&Scheme::new([0, 0]), 1).is_none(), "another watched attribute");
        assert!(shelf.blocks(6, most).is_none(), "more than half");
    }
}
