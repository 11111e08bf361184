// All schemes of a lattice as rows that can be sorted and filtered.

import type { SchemeSet } from './space';

export type Column = 'scheme' | 'height' | 'suppressed' | 'loss';
export type Filter = 'meeting' | 'within' | 'all';

export interface Figures {
  space: SchemeSet;
  suppressed: Float64Array;
  inside: Uint8Array;
  limit: number;
  /** The loss of each scheme, where it is known. */
  losses: Float32Array | null;
}

export const FILTERS: Record<Filter, string> = {
  meeting: 'that meet the request',
  within: 'within the coarsest levels allowed',
  all: 'all',
};

const passes = ({ suppressed, inside, limit }: Figures, filter: Filter) => (index: number) =>
  filter === 'all' || (inside[index] === 1 && (filter === 'within' || suppressed[index]! <= limit));

/** The numbers of the schemes that a filter keeps. */
export function kept(figures: Figures, filter: Filter): Uint32Array {
  const fits = passes(figures, filter);
  const all = Uint32Array.from({ length: figures.space.size }, (_, index) => index);
  return all.filter(fits);
}

/** Schemes in the order of a column; equal ones by height, suppressed, levels, as answers are. */
export function sorted(indices: Uint32Array, figures: Figures, column: Column, descending: boolean): Uint32Array {
  const { space, suppressed, losses } = figures;
  const key: Record<Column, (index: number) => number> = {
    scheme: (index) => index,
    height: (index) => space.heights[index]!,
    suppressed: (index) => suppressed[index]!,
    loss: (index) => losses?.[index] ?? NaN,
  };
  const by = key[column];
  const sign = descending ? -1 : 1;
  // What is not known comes last either way.
  const order = (a: number, b: number) => (Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : sign * (a - b));
  return Uint32Array.from(indices).sort(
    (a, b) => order(by(a), by(b)) || space.heights[a]! - space.heights[b]! || suppressed[a]! - suppressed[b]! || a - b,
  );
}

/** Whether no other scheme suppresses and loses less: the lower left border of the scatter. */
export function efficient(indices: Uint32Array, { suppressed, losses }: Figures): number[] {
  if (!losses) return [];
  const order = Array.from(indices).sort((a, b) => losses[a]! - losses[b]! || suppressed[a]! - suppressed[b]!);
  let least = Infinity;
  return order.filter((index) => {
    const better = suppressed[index]! < least;
    if (better) least = suppressed[index]!;
    return better;
  });
}
