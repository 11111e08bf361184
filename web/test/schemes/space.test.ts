import { describe, expect, test } from 'vitest';
import { Space } from '../../src/lib/schemes/space';

const space = new Space([4, 2, 3]);

describe('the space of schemes', () => {
  test('has one number for each scheme, the last attribute fastest', () => {
    expect(space.size).toBe(60);
    expect(space.index([0, 0, 1])).toBe(1);
    expect(space.index([0, 1, 0])).toBe(4);
    expect(space.index([4, 2, 3])).toBe(59);
    for (let index = 0; index < space.size; index++) expect(space.index(space.levels(index))).toBe(index);
  });

  test('has rows by height', () => {
    expect(space.rows.map((row) => row.length)).toEqual([1, 3, 6, 9, 11, 11, 9, 6, 3, 1]);
    expect(space.heights[space.index([1, 1, 0])]).toBe(2);
  });

  test('knows what lies above a scheme and under the maximum levels', () => {
    expect(space.above(space.index([4, 1, 0])).map((index) => space.levels(index))).toEqual([[4, 2, 0], [4, 1, 1]]);
    const under = space.under([2, 1, 1]);
    expect(under.reduce((sum, one) => sum + one, 0)).toBe(12);
    expect(under[space.index([3, 0, 0])]).toBe(0);
  });

  test('refuses schemes of other lattices', () => {
    expect(space.has([5, 0, 0])).toBe(false);
    expect(space.has([1, 1])).toBe(false);
    expect(space.has([4, 2, 3])).toBe(true);
  });
});
