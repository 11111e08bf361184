import { expect, test } from 'vitest';
import type { Model } from '../../src/lib/server/api';
import { searchedThresholds } from '../../src/lib/charts/front-search.svelte';

const model = (parameter: object) => ({ id: 'm', parameters: [{ name: 'on', negotiated: false }, { name: 'x', negotiated: true, ...parameter }] }) as unknown as Model;
const whole = model({ whole: true, minimum: 2, usual: 5 });

test('thresholds are as people ask, from the weakest on, with the one asked for', () => {
  const found = searchedThresholds(whole, 30_162, 37);
  expect(found[0]).toBe(2);
  expect(found).toContain(37);
  expect(found.length).toBe(17);
  expect(found.at(-1)).toBeLessThanOrEqual(100);
  expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
});

test('few records leave few thresholds', () => {
  expect(searchedThresholds(whole, 4, undefined)).toEqual([2, 3, 4]);
});

test('numbers between two ends are spread evenly', () => {
  const found = searchedThresholds(model({ whole: false, minimum: 0, maximum: 1, usual: 0.2 }), 100, 0.2);
  expect([found[0], found.at(-1)]).toEqual([0, 1]);
  expect(found).toContain(0.2);
});
