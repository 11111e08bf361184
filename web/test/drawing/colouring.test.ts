import { expect, test } from 'vitest';
import { ends, lossShade } from '../../src/lib/drawing/colouring.svelte';
import { SHADES } from '../../src/lib/browser/palette';

test('losses are coloured evenly from the least to the greatest', () => {
  const losses = new Float32Array([0.25, 0.5, 1]);
  expect(ends(losses)).toEqual([0.25, 1]);
  const shade = lossShade(ends(losses));
  expect([shade(0.25), shade(1), shade(2), shade(0)]).toEqual([0, SHADES - 1, SHADES - 1, 0]);
  expect(shade(0.625)).toBe(Math.round((SHADES - 1) / 2));
  expect(lossShade([1, 1])(1)).toBe(0);
});
