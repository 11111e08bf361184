//! The position of each scheme: rows by height, those under the maximum levels together in the
//! middle.

use super::Lattice;
use crate::font;
use crate::scene::Position;

/// The width of the page.
pub(super) const WIDTH: f64 = 1000.0;
/// Where the rows begin.
pub(super) const LEFT: f64 = 76.0;
const RIGHT: f64 = WIDTH - 84.0;
/// The size of a scheme's name in its box.
pub(super) const LABEL: f64 = 11.5;
/// How tall the rows may be together before marks get smaller.
const MAX_ROWS_HEIGHT: f64 = 760.0;
/// Between schemes under the maximum levels and the others.
const GAP: f64 = 12.0;
const BETWEEN_ROWS: f64 = 10.0;
const BOX_TALL: f64 = 34.0;

/// A row of schemes of the same height.
#[derive(Debug)]
pub(super) struct Band {
    pub(super) height: u32,
    pub(super) schemes: usize,
    pub(super) middle: f64,
    /// Where those under the maximum levels begin and end.
    inside: Option<(f64, f64)>,
}

/// Places for all schemes.
#[derive(Debug)]
pub(super) struct Layout {
    /// By scheme, in the lattice's order.
    pub(super) places: Vec<Position>,
    /// From the bottom.
    pub(super) bands: Vec<Band>,
    /// From one mark to the next.
    pub(super) pitch: f64,
    /// The size of a box, if there is room for boxes.
    pub(super) box_size: Option<Position>,
    tall: f64,
    /// Where the rows end.
    pub(super) bottom: f64,
}

/// The schemes of each height, by their positions.
fn heights(lattice: &Lattice) -> Vec<(u32, Vec<usize>)> {
    let mut rows: Vec<(u32, Vec<usize>)> = Vec::new();
    let mut order: Vec<usize> = (0..lattice.schemes.len()).collect();
    order.sort_by_key(|&i| (lattice.schemes[i].0.height(), i));
    for i in order {
        let height = lattice.schemes[i].0.height();
        match rows.last_mut() {
            Some((last, row)) if *last == height => row.push(i),
            _ => rows.push((height, vec![i])),
        }
    }
    rows
}

fn widest(rows: &[(u32, Vec<usize>)]) -> usize {
    rows.iter().map(|(_, row)| row.len()).max().unwrap_or(1)
}

/// The width of a place for a box, if all boxes of the widest row have room.
fn box_slot(lattice: &Lattice, rows: &[(u32, Vec<usize>)]) -> Option<f64> {
    let names = lattice.schemes.iter().map(|(scheme, _)| font::width(&scheme.to_string(), LABEL));
    let name = names.take(400).fold(0.0, f64::max);
    let slot = ((RIGHT - LEFT - 4.0 * GAP) / widest(rows) as f64).min(96.0);
    (slot >= name + 16.0).then_some(slot)
}

/// The largest marks with which all rows have room, and how many lines a row takes.
fn pitch_and_lines(rows: &[(u32, Vec<usize>)]) -> (f64, usize) {
    let lines = |pitch: f64| {
        let columns = ((RIGHT - LEFT - 4.0 * GAP) / pitch).floor() - 2.0;
        widest(rows).div_ceil(columns as usize)
    };
    let fits = |pitch: &f64| {
        (lines(*pitch) as f64 * pitch + BETWEEN_ROWS) * rows.len() as f64 <= MAX_ROWS_HEIGHT
    };
    let pitch = (8..=28).rev().map(|half| f64::from(half) / 2.0).find(fits).unwrap_or(4.0);
    (pitch, lines(pitch))
}

impl Layout {
    /// Whether schemes are boxes with their names, not just marks.
    pub(super) fn has_boxes(lattice: &Lattice) -> bool {
        box_slot(lattice, &heights(lattice)).is_some()
    }

    /// Places below `top`.
    pub(super) fn new(lattice: &Lattice, top: f64) -> Self {
        let rows = heights(lattice);
        let slot = box_slot(lattice, &rows);
        let (pitch, lines) = slot.map_or_else(|| pitch_and_lines(&rows), |slot| (slot, 1));
        let tall = match slot {
            Some(_) => BOX_TALL + 2.0 * GAP,
            None => pitch * lines as f64 + BETWEEN_ROWS,
        };
        let mut layout = Self {
            places: vec![(0.0, 0.0); lattice.schemes.len()],
            bands: Vec::new(),
            pitch,
            box_size: slot.map(|slot| (slot - 8.0, BOX_TALL)),
            tall,
            bottom: top + 18.0 + tall * rows.len() as f64,
        };
        for (i, (height, row)) in rows.into_iter().enumerate() {
            let middle = layout.bottom - 10.0 - tall * (i as f64 + 0.5);
            layout.row(lattice, height, row, middle, lines);
        }
        layout.bottom += 6.0;
        layout
    }

    /// A row: half of the others, those under the maximum levels, the other half.
    fn row(&mut self, lattice: &Lattice, height: u32, row: Vec<usize>, middle: f64, lines: usize) {
        let schemes = row.len();
        let (mut inside, mut outside): (Vec<usize>, Vec<usize>) =
            row.into_iter().partition(|&i| lattice.inside(&lattice.schemes[i].0));
        if self.box_size.is_none() {
            // Marks have no names to find; sorted, their shades can be compared.
            inside.sort_by_key(|&i| lattice.schemes[i].1);
            outside.sort_by_key(|&i| lattice.schemes[i].1);
        }
        let half = if inside.is_empty() { outside.len() } else { outside.len().div_ceil(2) };
        let others = outside.split_off(half);
        let blocks = [outside, inside, others];
        let pitch = self.pitch;
        let wide = |block: &Vec<usize>| block.len().div_ceil(lines) as f64 * pitch;
        let gaps = blocks.iter().filter(|block| !block.is_empty()).count().saturating_sub(1);
        let all = blocks.iter().map(wide).sum::<f64>() + gaps as f64 * GAP;
        let mut x = f64::midpoint(LEFT, RIGHT) - all / 2.0;
        let mut band = Band { height, schemes, middle, inside: None };
        for (i, block) in blocks.iter().enumerate().filter(|(_, block)| !block.is_empty()) {
            let end = x + wide(block);
            if i == 1 {
                band.inside = Some((x - GAP * 0.4, end + GAP * 0.4));
            }
            self.block(block, x, middle, lines);
            x = end + GAP;
        }
        self.bands.push(band);
    }

    /// Columns from the left, each centered on the row.
    fn block(&mut self, block: &[usize], left: f64, middle: f64, lines: usize) {
        for (column, members) in block.chunks(lines).enumerate() {
            let x = left + self.pitch * (column as f64 + 0.5);
            let first = middle - self.pitch * (members.len() as f64 - 1.0) / 2.0;
            for (line, &scheme) in members.iter().enumerate() {
                self.places[scheme] = (x, first + self.pitch * line as f64);
            }
        }
    }

    /// The outline around all schemes under the maximum levels, which are on neighbouring rows.
    pub(super) fn frame(&self) -> Vec<Position> {
        let half = self.tall / 2.0;
        let rows = self.bands.iter().filter_map(|band| Some((band.inside?, band.middle)));
        let rows: Vec<((f64, f64), f64)> = rows.collect();
        let left = rows.iter().flat_map(|((left, _), y)| [(*left, y + half), (*left, y - half)]);
        let right = rows.iter().rev();
        let right = right.flat_map(|((_, right), y)| [(*right, y - half), (*right, y + half)]);
        left.chain(right).collect()
    }

    /// Where the offer at a position among several of the same scheme is marked: at a corner of its
    /// box, or on the mark itself.
    pub(super) fn corner(&self, (x, y): Position, position: usize, several: usize) -> Position {
        const APART: f64 = 17.0;
        let Some((wide, tall)) = self.box_size else {
            return (x, y + APART * (position as f64 - (several as f64 - 1.0) / 2.0));
        };
        let (right, up) = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)][position % 4];
        (x + right * (wide / 2.0 - 1.0), y - up * tall / 2.0)
    }
}
