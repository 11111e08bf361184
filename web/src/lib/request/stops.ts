// Where sliders stop: finely near the small numbers that matter, ever coarser above.

import type { Parameter } from '../server/api';
import { counted, figure } from '../text/words';

/** Every whole number up to 30, then about ten a decade, and the last. */
export function wholeStops(from: number, to: number): number[] {
  const stops: number[] = [];
  let at = from;
  while (at < to) {
    stops.push(at);
    at = at < 30 ? at + 1 : Math.max(at + 1, round(at * 1.12));
  }
  return [...stops, to];
}

/** Rounded to two figures. */
const round = (value: number) => Number(value.toPrecision(2));

/** Even steps where both ends are given, else ever larger ones. */
export function realStops(low: number, high: number | null, open: { low: boolean; high: boolean }): number[] {
  if (high !== null) {
    const all = Array.from({ length: 101 }, (_, i) => tidy(low + ((high - low) * i) / 100));
    return all.slice(open.low ? 1 : 0, open.high ? -1 : undefined);
  }
  const above = [...Array(100).keys()].map((i) => tidy(low + round(0.01 * 10 ** (i / 25))));
  return open.low ? above : [low, ...above];
}

const tidy = (value: number) => Number(value.toPrecision(6));

/** The stops of a parameter of the catalog; counts of records go no further than the records. */
export function stopsOf(parameter: Parameter, records: number): number[] {
  const low = parameter.minimum ?? parameter.above ?? 0;
  const high = parameter.maximum ?? parameter.below ?? null;
  if (parameter.whole) return wholeStops(low, Math.max(low, high === null || high > records ? records : high));
  return realStops(low, high, {
    low: parameter.minimum === undefined && parameter.above !== undefined,
    high: parameter.maximum === undefined && parameter.below !== undefined,
  });
}

/** A value to begin with: the usual one, as far as there are records. */
export const firstValue = (parameter: Parameter, records: number): number =>
  parameter.whole && parameter.negotiated ? Math.min(parameter.usual, Math.max(parameter.minimum ?? 0, records)) : parameter.usual;

/** The stop nearest to a value. */
export function nearest(stops: number[], value: number): number {
  let best = 0;
  for (const [i, stop] of stops.entries()) {
    if (Math.abs(stop - value) < Math.abs(stops[best]! - value)) best = i;
  }
  return best;
}

/** Why a typed number will not do, in words; nothing if it will. */
export function refusal(parameter: Parameter, value: number, records: number): string | null {
  const { name } = parameter;
  if (!Number.isFinite(value)) return `${name} needs a number`;
  if (parameter.whole && !Number.isInteger(value)) return `${name} must be a whole number`;
  if (!inRange(parameter, value)) return `${name} must be ${rangeText(parameter)}`;
  if (parameter.whole && parameter.negotiated && value > records) return `${name} = ${figure(value)} is more than the ${counted(records, 'record')} that there are`;
  return null;
}

export function inRange(parameter: Parameter, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity, above = -Infinity, below = Infinity } = parameter;
  if (!Number.isFinite(value) || (parameter.whole && !Number.isInteger(value))) return false;
  return value >= minimum && value <= maximum && value > above && value < below;
}

/** "2 or more", "above 0, below 1" */
export function rangeText(parameter: Parameter): string {
  const { minimum, maximum, above, below } = parameter;
  const least = minimum !== undefined ? `${figure(minimum)} or more` : above !== undefined ? `above ${figure(above)}` : '';
  const far = maximum !== undefined && maximum > 1e9;
  const most = far ? '' : maximum !== undefined ? `at most ${figure(maximum)}` : below !== undefined ? `below ${figure(below)}` : '';
  return [least, most].filter(Boolean).join(', ');
}
