// What the pictures of a lattice are drawn from, and where things are on the screen.

import type { Layout } from './layout';
import type { Mark } from './marks';
import type { Palette } from '../browser/palette';
import type { SchemeSet } from '../schemes/space';

export interface Zoom {
  k: number;
  x: number;
  y: number;
}

export interface Scene {
  space: SchemeSet;
  layout: Layout;
  palette: Palette;
  suppressed: Float64Array;
  /** What colours mean: for each scheme what it suppresses, or what it loses; and the shade of such a number. */
  coloured: ArrayLike<number>;
  shade: (number: number) => number;
  inside: Uint8Array;
  limit: number;
  edges: boolean;
  marks: Mark[];
  hovered: number | null;
  pinned: number | null;
  zoom: Zoom;
  width: number;
  height: number;
  /** The size of small letters in pixels, larger on large screens. */
  letters: number;
}

const FAMILY = 'system-ui, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif';

export const font = (size: number, weight = 400): string => `${weight} ${size}px ${FAMILY}`;

export const toScreen = ({ layout, zoom }: Scene, index: number): [number, number] => [
  layout.x[index]! * zoom.k + zoom.x,
  layout.y[index]! * zoom.k + zoom.y,
];

export interface Box {
  width: number;
  height: number;
  /** Whether there is room for the scheme and its number. */
  labelled: boolean;
}

/** How large a point is on the screen. */
export function boxOf({ layout, zoom, edges, letters }: Scene): Box {
  const width = Math.min(layout.pitch.x * zoom.k * (edges ? 0.86 : 0.84), 7 * letters);
  const height = Math.min(layout.pitch.y * zoom.k * (edges ? 0.6 : 0.84), 3.6 * letters);
  const labelled = width >= 3.4 * letters && height >= 2.3 * letters;
  if (labelled) return { width, height, labelled };
  const side = Math.min(width, height, 22);
  return { width: side, height: side, labelled };
}
