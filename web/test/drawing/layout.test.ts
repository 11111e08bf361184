import { describe, expect, test } from 'vitest';
import { at, large, neighbour, small } from '../../src/lib/drawing/layout';
import { Space } from '../../src/lib/schemes/space';

const size = { width: 600, height: 500 };

describe('a small lattice', () => {
  const space = new Space([4, 2, 3]);
  const layout = small(space, size);

  test('stands on its lowest scheme, in the middle', () => {
    expect(layout.x[0]).toBeCloseTo(300);
    expect(layout.y[0]).toBeGreaterThan(layout.y[59]!);
    expect(new Set(space.rows[4]!.map((index) => layout.y[index]!)).size).toBe(1);
  });

  test('is hit where its points are and nowhere else', () => {
    const index = space.index([1, 1, 0]);
    expect(at(space, layout, layout.x[index]! + 3, layout.y[index]! - 3, 15)).toBe(index);
    expect(at(space, layout, 5, 5, 15)).toBeNull();
  });

  test('is walked by arrow keys', () => {
    const from = space.index([0, 0, 0]);
    const up = neighbour(space, layout, from, 'up');
    expect(space.heights[up]).toBe(1);
    expect(neighbour(space, layout, up, 'down')).toBe(from);
    expect(neighbour(space, layout, from, 'down')).toBe(from);
    expect(layout.x[neighbour(space, layout, up, 'left')]!).toBeLessThan(layout.x[up]!);
    expect(neighbour(space, layout, up, 'first')).toBe(space.index([1, 0, 0]));
  });
});

describe('a large lattice', () => {
  const space = new Space([4, 4, 3, 2, 2, 3]);
  const inside = space.under([2, 2, 2, 1, 1, 2]);
  const suppressed = Float64Array.from({ length: space.size }, (_, i) => (i * 7919) % 30_000);
  const layout = large(space, size, { inside, suppressed, limit: 300 });

  test('fits and keeps points apart', () => {
    const places = new Set<string>();
    for (let i = 0; i < space.size; i++) {
      expect(layout.x[i]).toBeGreaterThan(0);
      expect(layout.x[i]).toBeLessThan(size.width);
      places.add(`${layout.x[i]!.toFixed(2)},${layout.y[i]!.toFixed(2)}`);
    }
    expect(places.size).toBe(space.size);
    expect(layout.pitch.x).toBeGreaterThan(3);
  });

  test('has what is asked for in the middle of each row, and what meets the request innermost', () => {
    for (let i = 0; i < space.size; i++) {
      const row = space.heights[i]!;
      const far = Math.abs(layout.x[i]! - 300);
      if (inside[i]) expect(far).toBeLessThan(layout.part![row]!);
      if (inside[i] && suppressed[i]! <= 300) expect(far).toBeLessThan(layout.core![row]!);
      if (!inside[i]) expect(far).toBeGreaterThanOrEqual(layout.part![row]! - 2 * layout.pitch.x);
    }
  });

  test('stands the same where every scheme suppresses more than 32 bits can hold', () => {
    const more = suppressed.map((records) => records * 2 ** 40);
    const same = large(space, size, { inside, suppressed: more, limit: 300 * 2 ** 40 });
    expect([...same.x]).toEqual([...layout.x]);
    expect([...same.y]).toEqual([...layout.y]);
  });

  test('of 86,400 schemes is laid out in no time that one would notice', () => {
    const huge = new Space([4, 4, 3, 2, 2, 3, 3, 2, 1]);
    const start = performance.now();
    large(huge, size, { inside: huge.under(huge.tops), suppressed: new Float64Array(huge.size), limit: 0 });
    expect(huge.size).toBe(86_400);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
