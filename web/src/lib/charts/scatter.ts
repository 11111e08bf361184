// Where schemes stand in the scatter of loss against suppressed records, and which one is pointed at.

import { scaleLinear, scaleSymlog } from 'd3-scale';
import { SHADES } from '../browser/palette';
import type { Figures } from '../schemes/scheme-list';

export interface Frame {
  width: number;
  height: number;
  letters: number;
}

export interface Scatter {
  margin: Margin;
  x: (loss: number) => number;
  y: (suppressed: number) => number;
  ticksX: number[];
  ticksY: number[];
}

export interface Margin {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Room for numbers and names in letters of this size. */
export const marginOf = (letters: number): Margin => ({ left: 4.9 * letters, right: 14, top: 12, bottom: 3.6 * letters });

/** Loss to the right; suppressed records upwards, as a symmetric logarithm, so that 0, 10 and 1,000 differ. */
export function scatter({ losses, suppressed }: Figures, { width, height, letters }: Frame): Scatter {
  const margin = marginOf(letters);
  let [low, high, most] = [Infinity, -Infinity, 1];
  losses?.forEach((loss) => {
    if (!Number.isFinite(loss)) return;
    low = Math.min(low, loss);
    high = Math.max(high, loss);
  });
  suppressed.forEach((records) => (most = Math.max(most, records)));
  if (low > high) [low, high] = [0, 1];
  if (low === high) high = low + 1;
  const x = scaleLinear().domain([low, high]).nice(5).range([margin.left, width - margin.right]);
  const y = scaleSymlog().domain([0, most]).range([height - margin.bottom, margin.top]);
  const powers: number[] = [0];
  for (let power = 10; power <= most; power *= 10) powers.push(power);
  if (most < 10) powers.push(most);
  return { margin, x, y, ticksX: x.ticks(5), ticksY: powers };
}

/** The shade of a height: the lowest is the palest. */
export const shadeOfHeight = (height: number, top: number): number => (top === 0 ? 0 : Math.round((height / top) * (SHADES - 1)));

/** The scheme nearest to a point, if one is near enough. */
export function nearest(figures: Figures, indices: Uint32Array, place: Scatter, at: [number, number], reach = 14): number | null {
  let best: number | null = null;
  let least = reach * reach;
  for (const index of indices) {
    const loss = figures.losses?.[index] ?? NaN;
    const distance = (place.x(loss) - at[0]) ** 2 + (place.y(figures.suppressed[index]!) - at[1]) ** 2;
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}
