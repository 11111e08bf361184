// Where schemes stand: a row for each height. Small lattices keep every scheme in its place, so that
// edges can be followed; large ones put the schemes under the maximum levels in the middle of each
// row, least suppressed innermost, so that the part asked for is one shape.

import type { SchemeSet } from '../schemes/space';

/** Up to so many schemes a lattice is drawn with its edges. */
export const SMALL = 200;

export interface Layout {
  x: Float32Array;
  y: Float32Array;
  /** The distance between neighbours. */
  pitch: { x: number; y: number };
  /** The middle of each row and half its height, lowest height first. */
  bands: { y: number; half: number }[];
  /** Half the width of the part under the maximum levels, for each row of a large lattice. */
  part: number[] | null;
  /** The same for the schemes that meet the whole request. */
  core: number[] | null;
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

const MARGIN = { x: 26, y: 16 };

/** On each side of a neighbourhood, whose widest row may be next to the buttons that zoom. */
export const BESIDE_BUTTONS = 50;

/** Every scheme in its place, with room for the axis on the left. */
export function small(space: SchemeSet, size: Size): Layout {
  const rows = space.rows;
  const widest = Math.max(1, ...rows.map((row) => row.length));
  // Of a neighbourhood only the heights that it has are in the picture.
  const lowest = Math.max(0, rows.findIndex((row) => row.length > 0));
  const highest = rows.reduce((last, row, height) => (row.length > 0 ? height : last), lowest);
  const isPart = lowest > 0 || highest < rows.length - 1;
  const pitch = {
    x: (size.width - 2 * (isPart ? BESIDE_BUTTONS : MARGIN.x)) / widest,
    y: (size.height - 2 * MARGIN.y) / (highest - lowest + 1),
  };
  const layout = empty(space, size, pitch);
  rows.forEach((row, height) => {
    const y = size.height - MARGIN.y - (height - lowest + 0.5) * pitch.y;
    layout.bands.push({ y, half: pitch.y / 2 });
    const left = size.width / 2 - ((row.length - 1) / 2) * pitch.x;
    // Levels of the first attribute first, as in the literature's pictures.
    [...row].reverse().forEach((index, i) => {
      layout.x[index] = left + i * pitch.x;
      layout.y[index] = y;
    });
  });
  return layout;
}

const empty = (space: SchemeSet, size: Size, pitch: { x: number; y: number }): Layout => ({
  x: new Float32Array(space.size),
  y: new Float32Array(space.size),
  pitch,
  bands: [],
  part: null,
  core: null,
  ...size,
});

/** What decides where the schemes of a large lattice stand. */
export interface Costs {
  inside: Uint8Array;
  suppressed: Float64Array;
  limit: number;
}

/** Rows as blocks of points; the order within a row follows from what is inside and by suppression. */
export function large(space: SchemeSet, size: Size, costs: Costs): Layout {
  const band = (size.height - 2 * MARGIN.y) / space.rows.length;
  const lines = linesThatFit(space, size, band);
  const pitch = Math.min(band / (lines + 0.8), (size.width - 2 * MARGIN.x) / columnsOf(space, lines));
  const layout = empty(space, size, { x: pitch, y: pitch });
  const halves = space.rows.map((row, height) => {
    const y = size.height - MARGIN.y - (height + 0.5) * band;
    layout.bands.push({ y, half: band / 2 });
    return place(layout, ranked(row, costs), costs, y, lines);
  });
  layout.part = halves.map(({ part }) => part);
  layout.core = halves.map(({ core }) => core);
  return layout;
}

const columnsOf = (space: SchemeSet, lines: number) =>
  Math.max(...space.rows.map((row) => Math.ceil(row.length / lines)));

/** How many lines a row needs so that its points become as large as possible. */
function linesThatFit(space: SchemeSet, size: Size, band: number): number {
  const width = size.width - 2 * MARGIN.x;
  let best = 1;
  let most = 0;
  for (let lines = 1; lines <= 64; lines++) {
    const pitch = Math.min(band / (lines + 0.8), width / columnsOf(space, lines));
    if (pitch > most) [best, most] = [lines, pitch];
  }
  return best;
}

/** Below this, what a scheme suppresses and its place in a row fit into one exact number. */
const PACKED = 2 ** 32;

/** Inside before outside, then least suppressed first; ties by number. */
function ranked(row: Uint32Array, costs: Costs): Uint32Array {
  const { inside, suppressed } = costs;
  if (row.some((index) => (suppressed[index] ?? 0) >= PACKED)) return rankedOneByOne(row, costs);
  const keys = new Float64Array(row.length);
  for (let i = 0; i < row.length; i++) {
    const index = row[i]!;
    keys[i] = (1 - inside[index]!) * 2 ** 52 + (suppressed[index] ?? 0) * 2 ** 20 + i;
  }
  keys.sort();
  const order = new Uint32Array(row.length);
  for (let i = 0; i < keys.length; i++) order[i] = row[keys[i]! % 2 ** 20]!;
  return order;
}

/** The same for any numbers of records, by comparing them. */
const rankedOneByOne = (row: Uint32Array, { inside, suppressed }: Costs): Uint32Array =>
  Uint32Array.from(row).sort((a, b) => inside[b]! - inside[a]! || suppressed[a]! - suppressed[b]! || a - b);

/** Fills columns from the middle outwards; half the widths of part and core come back. */
function place(layout: Layout, order: Uint32Array, costs: Costs, y: number, lines: number) {
  const pitch = layout.pitch.x;
  const columns = Math.ceil(order.length / lines);
  const even = columns % 2 === 0 ? pitch / 2 : 0;
  const half = { part: 0, core: 0 };
  for (let i = 0; i < order.length; i++) {
    const column = Math.floor(i / lines);
    const offset = side(column) * pitch - even;
    const tall = Math.min(lines, order.length - column * lines);
    const index = order[i]!;
    layout.x[index] = layout.width / 2 + offset;
    layout.y[index] = y + ((i % lines) - (tall - 1) / 2) * pitch;
    if (!costs.inside[index]) continue;
    half.part = Math.max(half.part, Math.abs(offset) + pitch / 2);
    if (costs.suppressed[index]! <= costs.limit) half.core = half.part;
  }
  return half;
}

/** 0, 1, -1, 2, -2 … */
const side = (column: number) => (column % 2 === 1 ? (column + 1) / 2 : -column / 2);

/** The scheme at a point, if one is near enough. */
export function at(space: SchemeSet, layout: Layout, x: number, y: number, reach: number): number | null {
  let best: number | null = null;
  let nearest = reach;
  layout.bands.forEach((band, height) => {
    if (Math.abs(band.y - y) > band.half + reach) return;
    for (const index of space.rows[height]!) {
      const distance = Math.max(Math.abs(layout.x[index]! - x), Math.abs(layout.y[index]! - y));
      if (distance < nearest) [best, nearest] = [index, distance];
    }
  });
  return best;
}

export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** The scheme that an arrow key leads to. */
export function neighbour(space: SchemeSet, layout: Layout, from: number, direction: Direction): number {
  const height = space.heights[from]!;
  if (direction === 'up' || direction === 'down') {
    const rows = direction === 'up' ? space.rows.slice(height + 1) : space.rows.slice(0, height).reverse();
    const row = rows.find((one) => one.length > 0);
    return row ? nearestIn(row, layout, layout.x[from]!) : from;
  }
  const row = [...space.rows[height]!].sort((a, b) => layout.x[a]! - layout.x[b]! || layout.y[a]! - layout.y[b]!);
  const here = row.indexOf(from);
  const to = { left: here - 1, right: here + 1, first: 0, last: row.length - 1 }[direction];
  return row[to] ?? from;
}

function nearestIn(row: Uint32Array, layout: Layout, x: number): number {
  let best = row[0]!;
  for (const index of row) if (Math.abs(layout.x[index]! - x) < Math.abs(layout.x[best]! - x)) best = index;
  return best;
}
