//! The cells of annotated schemes, kept in blocks of one size: any freed block can be reused, and
//! the bytes that are reported are those that are allocated.

use std::collections::HashMap;
use std::sync::Arc;

use haggle_model::Scheme;

use crate::counts::cells::Cell;
use crate::counts::key::{Key, KeyLayout};

/// The words of a block; 16 KB, so that little space is left unused at the end of a scheme's cells.
const WORDS: usize = 4096;
/// At most this many schemes' cells are kept: with more, searching for the nearest would take
/// longer than a longer climb.
const MOST_SCHEMES: usize = 2000;

type CellBlock = Box<[u32]>;

/// How many words a cell takes: its count, and its key.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellWords {
    /// Two if there are so many records that a count may need them.
    count: usize,
    key: usize,
}

impl CellWords {
    /// Returns the words of a cell of a cube of this many records.
    pub(super) fn of<K: Key>(layout: &KeyLayout, records: u64) -> Self {
        Self { count: if u32::try_from(records).is_ok() { 1 } else { 2 }, key: K::words(layout) }
    }

    fn all(self) -> usize {
        self.count + self.key
    }

    /// Returns how many cells fit in a block.
    fn per_block(self) -> usize {
        WORDS / self.all()
    }

    /// Returns how many blocks this many cells take.
    pub(super) fn blocks_for(self, cells: usize) -> usize {
        cells.div_ceil(self.per_block())
    }

    fn write<K: Key>(self, cell: &Cell<K>, words: &mut [u32]) {
        let (count, key) = words.split_at_mut(self.count);
        count[0] = cell.count as u32;
        if let Some(high) = count.get_mut(1) {
            *high = (cell.count >> u32::BITS) as u32;
        }
        cell.key.write(key);
    }

    fn read<K: Key>(self, words: &[u32]) -> Cell<K> {
        let (count, key) = words.split_at(self.count);
        let high = count.get(1).map_or(0, |&high| u64::from(high) << u32::BITS);
        Cell { key: K::read(key), count: high | u64::from(count[0]), extra: () }
    }
}

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
        words: CellWords,
    ) -> Self {
        for (block, cells) in blocks.iter_mut().zip(cells.chunks(words.per_block())) {
            for (place, cell) in block.chunks_exact_mut(words.all()).zip(cells) {
                words.write(cell, place);
            }
        }
        Self { blocks, cells: cells.len() }
    }

    /// Writes the cells to `out`.
    pub(super) fn read<K: Key>(&self, words: CellWords, out: &mut Vec<Cell<K>>) {
        out.clear();
        out.reserve(self.cells);
        for block in &self.blocks {
            let cells = words.per_block().min(self.cells - out.len());
            let places = block.chunks_exact(words.all()).take(cells);
            out.extend(places.map(|place| words.read(place)));
        }
    }
}

/// The scheme and watched attribute that cells belong to.
#[derive(Debug)]
struct ShelfKey {
    watched: usize,
    scheme: Scheme,
    stored: Arc<PackedCells>,
    /// How many cells are stored.
    cells: usize,
    last: u64,
}

impl ShelfKey {
    fn key(&self) -> (usize, Box<[u8]>) {
        (self.watched, self.scheme.levels().iter().map(|&level| level.into()).collect())
    }
}

/// The cells of many schemes; the least recently used are evicted first.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    places: Vec<ShelfKey>,
    /// The position of each entry, by its watched attribute and levels.
    positions: HashMap<(usize, Box<[u8]>), usize>,
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
        let top: Vec<u8> = scheme.levels().iter().map(|&level| level.into()).collect();
        let mut nearest: Option<(usize, usize)> = None;
        let entries = self.levels.chunks_exact(top.len()).zip(&self.places).enumerate();
        for (position, (levels, place)) in entries {
            let (cells, least) = (place.cells, nearest.map_or(usize::MAX, |(least, _)| least));
            if cells < least
                && place.watched == watched
                && levels.iter().zip(&top).all(|(low, high)| low <= high)
            {
                nearest = Some((cells, position));
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
        self.positions.remove(&gone.key());
        if let Some(moved) = self.places.get(position) {
            self.positions.insert(moved.key(), position);
        }
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
        self.clock += 1;
        let (cells, last) = (stored.cells, self.clock);
        let stored = Arc::new(stored);
        let place = ShelfKey { watched, scheme: scheme.clone(), stored, cells, last };
        let key = place.key();
        if let Some(&same) = self.positions.get(&key) {
            self.remove(same);
        }
        self.levels.extend(&key.1);
        self.positions.insert(key, self.places.len());
        self.places.push(place);
    }
}

/// Returns how many blocks fit into this many bytes.
pub(super) fn blocks_in(bytes: usize) -> usize {
    bytes / (WORDS * size_of::<u32>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(layout: &KeyLayout, number: u32, times: u64) -> Vec<Cell<u128>> {
        let cell = |i: u32| {
            let mut key = u128::empty(layout);
            key.set(layout.fields[0], i % 90_000);
            key.set(layout.fields[1], i / 7);
            Cell { key, count: u64::from(i + 1) * times, extra: () }
        };
        (0..number).map(cell).collect()
    }

    #[test]
    fn cells_are_read_back_unchanged_for_any_number_of_cells() {
        let layout = KeyLayout::new(&[90_000, 1 << 30, 1 << 30], 0, false);
        for (number, times) in [0, 1, 681, 682, 683, 818, 819, 820, 5000]
            .into_iter()
            .flat_map(|n| [(n, 1), (n, 1 << 33)])
        {
            let cells = cells(&layout, number, times);
            let records = cells.iter().map(|cell| cell.count).sum();
            let words = CellWords::of::<u128>(&layout, records);
            let blocks = vec![vec![7; WORDS].into(); words.blocks_for(cells.len())];
            let mut back = vec![cells.first().cloned(); 3].into_iter().flatten().collect();
            PackedCells::fill(blocks, &cells, words).read(words, &mut back);
            assert_eq!(back, cells);
        }
    }

    #[test]
    fn a_full_shelf_evicts_the_oldest_and_never_exceeds_its_limit() {
        let layout = KeyLayout::new(&[90_000, 1 << 30, 1 << 30], 0, false);
        let (mut shelf, most) = (Shelf::default(), 10);
        let two = cells(&layout, 1000, 1);
        let words = CellWords::of::<u128>(&layout, 1_000_000);
        for level in 0..8 {
            let blocks = shelf.blocks(words.blocks_for(two.len()), most).unwrap();
            shelf.keep(&Scheme::new([level, 0]), 0, PackedCells::fill(blocks, &two, words));
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
