// Axes of the charts: which scale suits the numbers, and where it is ticked.

import { scaleLinear, scaleLog, scaleSymlog } from 'd3-scale';
import { figure } from './words';

export type Kind = 'linear' | 'whole' | 'log' | 'symlog';

export interface Axis {
  at: (value: number) => number;
  ticks: { value: number; text: string }[];
}

/** Orders of magnitude are shown by the logarithm; with a zero, by one that bends near it. */
export function kindOf(values: number[]): Kind {
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (low > 0) return high > 10 * low ? 'log' : 'linear';
  return high > 100 ? 'symlog' : 'linear';
}

export function axis(values: number[], range: [number, number], kind: Kind = kindOf(values)): Axis {
  const low = Math.min(...values);
  const high = Math.max(...values, low + 1e-9);
  if (kind === 'log') {
    const scale = scaleLog().domain([low, high]).range(range);
    return { at: scale, ticks: texts(apart(scale.ticks(6), scale)) };
  }
  if (kind === 'symlog') {
    const scale = scaleSymlog().domain([0, high]).range(range);
    return { at: scale, ticks: texts(apart([0, ...powers(high)], scale)) };
  }
  if (kind === 'whole') {
    const scale = scaleLinear().domain([low - 0.5, high + 0.5]).range(range);
    return { at: scale, ticks: texts(scale.ticks(Math.min(12, high - low)).filter(Number.isInteger)) };
  }
  const scale = scaleLinear().domain([Math.min(0, low), high]).nice().range(range);
  return { at: scale, ticks: texts(scale.ticks(6)) };
}

function powers(high: number): number[] {
  const found = [];
  for (let p = 1; p <= high; p *= 10) found.push(p);
  return found;
}

const texts = (values: number[]) => values.map((value) => ({ value, text: figure(value) }));

/** Round ones first, and none nearer to another than a label needs. */
function apart(values: number[], at: (value: number) => number): number[] {
  const round = (value: number) => (value === 0 || Number.isInteger(Math.log10(value)) ? 0 : 1);
  const kept: number[] = [];
  for (const value of [...values].sort((a, b) => round(a) - round(b))) {
    if (kept.every((other) => Math.abs(at(other) - at(value)) > 26)) kept.push(value);
  }
  return kept.sort((a, b) => a - b);
}
