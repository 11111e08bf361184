import { expect, test } from 'vitest';
import type { CountedScheme, InstantPrediction } from '../../src/lib/server/api';
import { confidence, firmOf, schemeOf, suppressedOf, surenessOf, type Foretold } from '../../src/lib/answer/foretold';
import { Space } from '../../src/lib/schemes/space';

const firm = (scheme: number[], suppressed: number) => ({ scheme, suppressed, records: 100, loss: {} }) as unknown as CountedScheme;
const best = { scheme: [1, 0], height: 1, predicted: { suppressed: 4.6 } };
const prediction = { suppressed: [null, 40.5, 4.6, 0], best, summary: { records: 100 } } as unknown as InstantPrediction;
const foretold: Foretold = { request: {} as never, lattice: {} as never, prediction, answer: null, counted: [] };

test('what was counted takes the place of what was predicted', () => {
  const space = new Space([1, 1]);
  expect([...suppressedOf(foretold, space)]).toEqual([100, 41, 5, 0]);
  const later = { ...foretold, counted: [firm([1, 0], 7), firm([1, 1], 2)] };
  expect([...suppressedOf(later, space)]).toEqual([100, 41, 7, 2]);
  expect(firmOf(later, [1, 0])?.suppressed).toBe(7);
  expect(firmOf(later, [0, 0])).toBeNull();
  expect([[0, 0], [0, 1], [1, 0]].map((scheme) => surenessOf(later, scheme, space))).toEqual(['left out', 'predicted', 'counted']);
});

test('a candidate that kept no promise is not spoken of', () => {
  expect(schemeOf(foretold)).toEqual([1, 0]);
  expect(schemeOf({ ...foretold, answer: { scheme: null } as never })).toBeNull();
});

test('nearly certain is not certain', () => {
  expect([1, 0.99999, 0.934, 0.00001, 0].map(confidence)).toEqual(['100 %', 'over 99.9 %', '93.4 %', 'under 0.1 %', '0 %']);
});
