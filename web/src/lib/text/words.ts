// Numbers and things as people read them.

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const significant = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

export const count = (n: number): string => whole.format(n);

/** "1 record", "23 records" */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** A share with two figures: "0.56 %", "0 %", "100 %". */
export function percent(part: number, of: number): string {
  if (of === 0 || part === 0) return '0 %';
  if (part === of) return '100 %';
  const share = (100 * part) / of;
  const text = share >= 99.5 ? share.toFixed(1) : Number(share.toPrecision(2)).toString();
  return `${text} %`;
}

/** A statistic, short: "10", "0.267", "1.2e-7". */
export const figure = (value: number | null): string =>
  value === null || Number.isNaN(value)
    ? '–'
    : Number.isInteger(value) || !Number.isFinite(value)
    ? count(value)
    : Math.abs(value) < 1e-4
      ? value.toExponential(1)
      : significant.format(value);

export const schemeText = (levels: readonly number[]): string => `[${levels.join(',')}]`;

const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
export const small = (n: number): string => SMALL[n] ?? count(n);

/** "a", "a and b", "a, b and c" */
export function list(parts: string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a publication does with the records that are suppressed. */
export function suppressedText({ suppressed, starred }: { suppressed: number; starred: number }, choice: 'drop' | 'star'): string {
  if (suppressed === 0) return 'No record is suppressed.';
  const records = counted(suppressed, 'suppressed record');
  if (starred > 0) return `${records} with * in every negotiated attribute.`;
  const why = choice === 'star' ? ', because as a group of their own they fail the request' : '';
  return `${records} left out${why}.`;
}

/** "132 µs", "12 ms", "1.6 s" */
export function duration(micros: number): string {
  if (micros < 1000) return `${Math.round(micros)} µs`;
  if (micros < 1e6) return `${Math.round(micros / 1000)} ms`;
  return `${(micros / 1e6).toFixed(1)} s`;
}
