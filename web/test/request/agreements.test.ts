import { expect, test } from 'vitest';
import { Agreements } from '../../src/lib/request/agreements';
import type { Request } from '../../src/lib/request/request';

const request = (amount: number): Request => ({ qi: ['a'], privacy: [], limit: { amount, unit: 'records' }, caps: {}, relax: 'lowest', optimize: 'lm' });

test('an accepted scheme comes and goes with its request', () => {
  const [before, after] = [request(1), request(2)];
  const agreements = new Agreements();
  agreements.add(after, [4, 0]);
  expect(agreements.pinnedAfter(before, after, null)).toEqual([4, 0]);
  expect(agreements.pinnedAfter(after, before, [4, 0]), 'undone').toBeNull();
  expect(agreements.pinnedAfter(before, after, null), 'and redone').toEqual([4, 0]);
  expect(agreements.pinnedAfter(before, request(3), [1, 1]), 'what a person pinned stays').toEqual([1, 1]);
  expect(agreements.pinnedAfter(after, request(3), [1, 1])).toEqual([1, 1]);
});

test('an accepted scheme that is the best answer needs no pin', () => {
  const accepted = request(2);
  const agreements = new Agreements();
  agreements.add(accepted, [4, 0]);
  expect(agreements.settle(accepted, [3, 1], [4, 0])).toBe(false);
  expect(agreements.settle(accepted, [4, 0], [4, 0])).toBe(true);
  expect(agreements.pinnedAfter(request(1), accepted, null)).toBeNull();
});
