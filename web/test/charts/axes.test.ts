import { expect, test } from 'vitest';
import { axis, kindOf, type Kind } from '../../src/lib/charts/axes';

const EDGES = [0, -0, 5e-324, -5e-324, 1e-200, 0.3, 1, 1e17, 1e300, Number.MAX_VALUE, -Number.MAX_VALUE, Infinity, -Infinity, NaN];
const KINDS: (Kind | undefined)[] = [undefined, 'linear', 'whole', 'log', 'symlog'];

test('an axis can be made of any numbers, and every number stands on it', () => {
  for (const a of EDGES) {
    for (const b of EDGES) {
      for (const kind of KINDS) {
        const made = axis([a, b], [10, 400], kind);
        expect(made.ticks.length).toBeLessThan(100);
        for (const value of [...EDGES, ...made.ticks.map((tick) => tick.value)]) {
          const at = made.at(value);
          expect(at >= 10 && at <= 400, `${value} of [${a}, ${b}] as ${kind} stands at ${at}`).toBe(true);
        }
      }
    }
  }
});

test('an axis without numbers, and one next to nothing, are plain ones', () => {
  expect(axis([], [0, 100]).ticks.map((tick) => tick.text)).toContain('0.4');
  expect(kindOf([5e-324, 0.1, 0.32])).toBe('linear');
  expect(kindOf([2, 900])).toBe('log');
});
