import { describe, expect, test } from 'vitest';
import { BESIDE_BUTTONS, neighbour, small } from '../../src/lib/drawing/layout';
import { around, eachOnce, Neighbourhood, sizeOf } from '../../src/lib/schemes/neighbourhood';
import { Space } from '../../src/lib/schemes/space';

const tops = [4, 2, 3];

describe('a neighbourhood', () => {
  test('has the scheme and one step in each direction that there is', () => {
    expect(around([0, 1, 3], tops)).toEqual([[0, 1, 3], [1, 1, 3], [0, 0, 3], [0, 2, 3], [0, 1, 2]]);
    expect(around([0, 0, 0], [0, 0, 0])).toEqual([[0, 0, 0]]);
  });

  test('counts a lattice without making it', () => {
    expect(sizeOf(tops)).toBe(60);
    expect(sizeOf([1, 4, 1, 2, 3, 2, 2, 2, 1, 3, 5])).toBe(311_040);
    expect(sizeOf(Array.from({ length: 40 }, () => 9))).toBeCloseTo(1e40, -26);
  });

  test('of all schemes is the space itself', () => {
    const space = new Space(tops);
    const all = Array.from({ length: space.size }, (_, index) => space.levels(index));
    const some = new Neighbourhood(tops, [...all].reverse());
    expect(some.size).toBe(space.size);
    expect([...some.heights]).toEqual([...space.heights]);
    expect(some.rows.map((row) => [...row])).toEqual(space.rows.map((row) => [...row]));
    expect([...some.under([2, 1, 1])]).toEqual([...space.under([2, 1, 1])]);
    for (let index = 0; index < space.size; index++) {
      expect(some.index(space.levels(index))).toBe(index);
      expect(some.above(index)).toEqual(space.above(index));
    }
  });

  test('knows only its own schemes, each once', () => {
    const some = new Neighbourhood(tops, [...around([1, 1, 0], tops), [1, 1, 0], [4, 2, 3]]);
    expect(some.size).toBe(7);
    expect(some.has([0, 0, 0])).toBe(false);
    expect(some.index([0, 0, 0])).toBe(-1);
    expect(some.above(some.index([1, 1, 0])).map((index) => some.levels(index))).toEqual([[2, 1, 0], [1, 2, 0], [1, 1, 1]]);
    expect(eachOnce([[2, 0], [0, 1], [2, 0]])).toEqual([[0, 1], [2, 0]]);
  });
});

describe('the picture of a neighbourhood', () => {
  const some = new Neighbourhood([9, 9, 9], [...around([4, 4, 4], [9, 9, 9]), [9, 9, 9]]);
  const layout = small(some, { width: 600, height: 400 });

  test('shows the heights that there are, the lowest at the bottom', () => {
    const inside = (index: number) => layout.y[index]! > 0 && layout.y[index]! < 400;
    expect(Array.from({ length: some.size }, (_, index) => index).every(inside)).toBe(true);
    expect(layout.y[some.index([3, 4, 4])]!).toBeGreaterThan(layout.y[some.index([9, 9, 9])]!);
  });

  test('is walked over heights without schemes', () => {
    const [top, high] = [some.index([9, 9, 9]), some.index([5, 4, 4])];
    expect(neighbour(some, layout, high, 'up')).toBe(top);
    expect(some.heights[neighbour(some, layout, top, 'down')]).toBe(13);
    expect(neighbour(some, layout, top, 'up')).toBe(top);
  });
});

test('a neighbourhood is drawn beside the buttons that zoom', () => {
  const some = new Neighbourhood([9, 9, 9], around([4, 4, 4], [9, 9, 9]));
  const layout = small(some, { width: 600, height: 500 });
  expect(Math.max(...layout.x) + layout.pitch.x / 2).toBeCloseTo(600 - BESIDE_BUTTONS);
});
