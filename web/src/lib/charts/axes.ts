// Axes of the charts: which scale suits the numbers, and where it is ticked.

import { scaleLinear, scaleLog, scaleSymlog } from 'd3-scale';
import { figure } from '../text/words';

export type Kind = 'linear' | 'whole' | 'log' | 'symlog';

export interface Axis {
  at: (value: number) => number;
  ticks: { value: number; text: string }[];
}

/** Beyond this, numbers stand at the end of the axis: sums of them must stay finite. */
const LARGEST = 1e300;
/** What is this much smaller than the largest number on an axis stands at 0. */
const NEGLIGIBLE = 1e-12;

/** The numbers that an axis is made for: missing and infinite ones left out, others within what it can show. */
function drawable(values: number[]): number[] {
  const finite = values.filter(Number.isFinite).map((value) => Math.max(-LARGEST, Math.min(LARGEST, value)));
  const least = NEGLIGIBLE * finite.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const shown = finite.map((value) => (Math.abs(value) < Math.max(least, 1e-290) ? 0 : value));
  return shown.length ? shown : [0, 1];
}

/** Where a number stands, within the range whatever it is. */
function placed(scale: (value: number) => number, [from, to]: [number, number]): (value: number) => number {
  return (value) => {
    const at = scale(Number.isNaN(value) ? 0 : Math.max(-LARGEST, Math.min(LARGEST, value)));
    return Number.isNaN(at) ? from : Math.max(Math.min(from, to), Math.min(Math.max(from, to), at));
  };
}

/** Orders of magnitude are shown by the logarithm; with a zero, by one that bends near it. */
export function kindOf(values: number[]): Kind {
  const [low, high] = ends(drawable(values));
  if (low > 0) return high > 10 * low ? 'log' : 'linear';
  return high > 100 ? 'symlog' : 'linear';
}

function ends(values: number[]): [number, number] {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return [low, Math.max(high, low + Math.max(1e-9, Math.abs(low) * 1e-9))];
}

/** `room`: how many pixels the label of a number needs, at least. */
export function axis(values: number[], range: [number, number], kind: Kind = kindOf(values), room: (text: string) => number = () => 26): Axis {
  const [low, high] = ends(drawable(values));
  if (kind === 'log' && low > 0) {
    const scale = scaleLog().domain([low, high]).range(range);
    return { at: placed(scale, range), ticks: apart(texts(scale.ticks(6)), scale, room) };
  }
  if (kind === 'symlog') {
    const scale = scaleSymlog().domain([0, high]).range(range);
    return { at: placed(scale, range), ticks: apart(texts([0, ...powers(high)]), scale, room) };
  }
  if (kind === 'whole') {
    const scale = scaleLinear().domain([low - 0.5, high + 0.5]).range(range);
    return { at: placed(scale, range), ticks: apart(texts(scale.ticks(Math.min(12, high - low)).filter(Number.isInteger)), scale, room) };
  }
  const scale = scaleLinear().domain([Math.min(0, low), high]).nice().range(range);
  return { at: placed(scale, range), ticks: apart(texts(scale.ticks(6)), scale, room) };
}

function powers(high: number): number[] {
  const found = [];
  for (let p = 1; p <= high; p *= 10) found.push(p);
  return found;
}

const texts = (values: number[]) => values.map((value) => ({ value, text: figure(value) }));

/** Round ones first, and none nearer to another than a label needs. */
function apart(ticks: Axis['ticks'], at: (value: number) => number, room: (text: string) => number): Axis['ticks'] {
  const round = ({ value }: Axis['ticks'][number]) => (value === 0 || Number.isInteger(Math.log10(value)) ? 0 : 1);
  const kept: Axis['ticks'] = [];
  for (const tick of [...ticks].sort((a, b) => round(a) - round(b))) {
    const free = (other: Axis['ticks'][number]) => Math.abs(at(other.value) - at(tick.value)) > (room(other.text) + room(tick.text)) / 2;
    if (kept.every(free)) kept.push(tick);
  }
  return kept.sort((a, b) => a.value - b.value);
}
