// Some schemes of a lattice that is too large to be drawn whole: those around the answer, and those
// that were looked at since. It is asked like `Space`, which knows all schemes.

import type { SchemeSet } from './space';

/** A scheme, and those one level higher or lower in one attribute. */
export function around(centre: readonly number[], tops: readonly number[]): number[][] {
  const moved = (i: number, by: number) => centre.map((level, j) => (j === i ? level + by : level));
  const steps = centre.flatMap((level, i) => [
    ...(level > 0 ? [moved(i, -1)] : []),
    ...(level < tops[i]! ? [moved(i, 1)] : []),
  ]);
  return [[...centre], ...steps];
}

const nameOf = (levels: readonly number[]) => levels.join(',');

/** Each scheme once, in the order of levels, as in a whole lattice. */
export function eachOnce(schemes: readonly (readonly number[])[]): number[][] {
  const found = new Map(schemes.map((levels) => [nameOf(levels), [...levels]]));
  const compare = (a: number[], b: number[]) => {
    const i = a.findIndex((level, j) => level !== b[j]);
    return i < 0 ? 0 : a[i]! - b[i]!;
  };
  return [...found.values()].sort(compare);
}

/** How many schemes a lattice has; beyond what can be counted, about. */
export const sizeOf = (tops: readonly number[]): number => tops.reduce((product, top) => product * (top + 1), 1);

export class Neighbourhood implements SchemeSet {
  readonly size: number;
  readonly height: number;
  readonly heights: Uint16Array;
  readonly rows: Uint32Array[];
  private readonly schemes: number[][];
  private readonly places: Map<string, number>;

  constructor(
    readonly tops: readonly number[],
    schemes: readonly (readonly number[])[],
  ) {
    this.schemes = eachOnce(schemes);
    this.size = this.schemes.length;
    this.height = tops.reduce((sum, top) => sum + top, 0);
    this.places = new Map(this.schemes.map((levels, index) => [nameOf(levels), index]));
    this.heights = Uint16Array.from(this.schemes, (levels) => levels.reduce((sum, level) => sum + level, 0));
    const rows: number[][] = Array.from({ length: this.height + 1 }, () => []);
    this.heights.forEach((height, index) => rows[height]!.push(index));
    this.rows = rows.map((row) => Uint32Array.from(row));
  }

  index(levels: readonly number[]): number {
    return this.places.get(nameOf(levels)) ?? -1;
  }

  levels(index: number): number[] {
    return [...(this.schemes[index] ?? this.tops.map(() => 0))];
  }

  has(levels: readonly number[]): boolean {
    return this.places.has(nameOf(levels));
  }

  above(index: number): number[] {
    const levels = this.levels(index);
    const higher = levels.map((_, i) => this.index(levels.map((level, j) => (i === j ? level + 1 : level))));
    return higher.filter((place) => place >= 0);
  }

  under(caps: readonly number[]): Uint8Array {
    return Uint8Array.from(this.schemes, (levels) => (levels.every((level, i) => level <= caps[i]!) ? 1 : 0));
  }
}
