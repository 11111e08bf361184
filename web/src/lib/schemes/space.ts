// All schemes by number: mixed radix over the levels, the last attribute fastest.

/** The schemes that a picture shows, by number. */
export interface SchemeSet {
  readonly tops: readonly number[];
  readonly size: number;
  /** The height of the most general scheme. */
  readonly height: number;
  /** The height of each scheme. */
  readonly heights: Uint16Array;
  /** The schemes of each height, in order. */
  readonly rows: Uint32Array[];
  index(levels: readonly number[]): number;
  levels(index: number): number[];
  has(levels: readonly number[]): boolean;
  /** The schemes one level higher in one attribute. */
  above(index: number): number[];
  /** For each scheme, whether it lies under the maximum levels. */
  under(caps: readonly number[]): Uint8Array;
}

export class Space implements SchemeSet {
  readonly size: number;
  readonly height: number;
  /** The height of each scheme. */
  readonly heights: Uint16Array;
  /** The schemes of each height, in order. */
  readonly rows: Uint32Array[];
  private readonly strides: number[];

  constructor(readonly tops: readonly number[]) {
    this.strides = tops.map((_, i) => tops.slice(i + 1).reduce((product, top) => product * (top + 1), 1));
    this.size = tops.reduce((product, top) => product * (top + 1), 1);
    this.height = tops.reduce((sum, top) => sum + top, 0);
    this.heights = new Uint16Array(this.size);
    this.each((levels, index) => (this.heights[index] = levels.reduce((sum, level) => sum + level, 0)));
    this.rows = this.byHeight();
  }

  private byHeight(): Uint32Array[] {
    const sizes = new Uint32Array(this.height + 1);
    for (const height of this.heights) sizes[height]!++;
    const rows = [...sizes].map((size) => new Uint32Array(size));
    const next = new Uint32Array(this.height + 1);
    for (let index = 0; index < this.size; index++) {
      const height = this.heights[index]!;
      rows[height]![next[height]!++] = index;
    }
    return rows;
  }

  /** Every scheme in order; the levels are only lent. */
  each(visit: (levels: readonly number[], index: number) => void): void {
    const levels = this.tops.map(() => 0);
    for (let index = 0; index < this.size; index++) {
      visit(levels, index);
      for (let i = levels.length - 1; i >= 0; i--) {
        if (levels[i]! < this.tops[i]!) {
          levels[i]!++;
          break;
        }
        levels[i] = 0;
      }
    }
  }

  index(levels: readonly number[]): number {
    return levels.reduce((sum, level, i) => sum + level * this.strides[i]!, 0);
  }

  levels(index: number): number[] {
    return this.tops.map((top, i) => Math.floor(index / this.strides[i]!) % (top + 1));
  }

  has(levels: readonly number[]): boolean {
    return levels.length === this.tops.length && levels.every((level, i) => level >= 0 && level <= this.tops[i]!);
  }

  /** The schemes one level higher in one attribute. */
  above(index: number): number[] {
    const levels = this.levels(index);
    return levels.flatMap((level, i) => (level < this.tops[i]! ? [index + this.strides[i]!] : []));
  }

  /** For each scheme, whether it lies under the maximum levels. */
  under(caps: readonly number[]): Uint8Array {
    const inside = new Uint8Array(this.size);
    this.each((levels, index) => (inside[index] = levels.every((level, i) => level <= caps[i]!) ? 1 : 0));
    return inside;
  }
}
