import { expect, test } from 'vitest';
import { canBeWeighed, measureOf, readJudge, writeJudge } from '../../src/lib/request/judge';

test('weights are read and written as the command line takes them', () => {
  expect(readJudge('lm')).toEqual({ measure: 'lm', weights: {}, others: [] });
  expect(readJudge('lm:age=2,race=0.5')).toEqual({ measure: 'lm', weights: { age: 2, race: 0.5 }, others: [] });
  for (const text of ['lm', 'lm:age=2,race=0.5', 'classification:on=disease,age=3']) expect(writeJudge(readJudge(text))).toBe(text);
});

test('a weight of 1 is not written', () => {
  expect(writeJudge({ measure: 'lm', weights: { age: 1, race: 0 }, others: [] })).toBe('lm:race=0');
});

test('the measure is found without its weights', () => {
  expect(measureOf('lm:age=2')).toBe('lm');
  expect(measureOf(null)).toBe('');
});

test('names that would be read as something else are not weighed', () => {
  expect(['age', 'hours-per-week', 'a b'].every(canBeWeighed)).toBe(true);
  expect(['a,b', 'a:b', 'a=b', 'on'].some(canBeWeighed)).toBe(false);
});
