import { expect, test } from 'vitest';
import { factorOf, factorWords } from '../../src/lib/answer/finer.svelte';

test('only what is worth a word is reported', () => {
  expect(factorOf(0.226, 0.027)).toBeCloseTo(8.37);
  expect(factorOf(0.3, 0.2)).toBeNull();
  expect(factorOf(0.3, 0)).toBe(Infinity);
  expect(factorOf(0, 0)).toBeNull();
  expect([factorWords(8.37), factorWords(12.345), factorWords(Infinity)]).toEqual(['8.4 times', '12.3 times', 'over 1,000 times']);
});
