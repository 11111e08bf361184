// Colours of the pictures. Suppression runs in one hue from pale to deep (on dark ground, from dim to
// bright), even in lightness, so that it is distinguished with any colour vision and in print; the
// accent is blue and means "yours".

import { interpolateRgbBasis } from 'd3-interpolate';
import { scaleSymlog } from 'd3-scale';

export interface Palette {
  ground: string;
  ink: string;
  muted: string;
  line: string;
  accent: string;
  tint: string;
  onAccent: string;
  /** Colours of suppression, from none to all. */
  shades: string[];
  /** The ink that is legible on each shade. */
  inks: string[];
}

export const SHADES = 24;

const ramp = (stops: string[]) => {
  const colour = interpolateRgbBasis(stops);
  return Array.from({ length: SHADES }, (_, i) => colour(i / (SHADES - 1)));
};

const inks = (shades: string[], dark: string, light: string) =>
  shades.map((shade) => (luminance(shade) > 0.18 ? dark : light));

/** Relative luminance as accessibility guidelines define it. */
export function luminance(rgb: string): number {
  const channels = (/\d+, \d+, \d+/.exec(rgb)?.[0] ?? '0, 0, 0').split(', ').map((c) => Number(c) / 255);
  const [r = 0, g = 0, b = 0] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const lightShades = ramp(['#f9eccf', '#f1d59c', '#e0ac5c', '#b8742c', '#7f4317', '#43200c']);
const darkShades = ramp(['#383530', '#54442d', '#7d5a2c', '#b98237', '#e6b45f', '#fbe3b0']);

export const LIGHT: Palette = {
  ground: '#ffffff',
  ink: '#1c2430',
  muted: '#5a6573',
  line: '#c9d0d9',
  accent: '#2456a6',
  tint: '#e3ecf9',
  onAccent: '#ffffff',
  shades: lightShades,
  inks: inks(lightShades, '#0a0602', '#ffffff'),
};

export const DARK: Palette = {
  ground: '#171b21',
  ink: '#e8ebef',
  muted: '#9aa6b4',
  line: '#3a4350',
  accent: '#8ab4f5',
  tint: '#22334d',
  onAccent: '#0e1522',
  shades: darkShades,
  inks: inks(darkShades, '#0a0602', '#ffffff'),
};

/** The system's own colours, where it dictates them; pictures keep their shades. */
export const forcedColours = (dark: boolean): Palette => ({
  ...(dark ? DARK : LIGHT),
  ground: 'Canvas',
  ink: 'CanvasText',
  muted: 'CanvasText',
  line: 'GrayText',
  accent: 'Highlight',
  tint: 'Canvas',
  onAccent: 'HighlightText',
});

/** Which shade a suppression has: symmetric logarithm, so that 0, 10 and 1,000 differ. */
export function shadeOf(records: number): (suppressed: number) => number {
  const scale = scaleSymlog().domain([0, Math.max(1, records)]).range([0, SHADES - 1]).clamp(true);
  const table = Uint8Array.from({ length: TABLE }, (_, n) => Math.round(scale(n)));
  return (suppressed) => (suppressed < TABLE ? table[suppressed]! : Math.round(scale(suppressed)));
}

/** Shades of small numbers, which are most, are looked up. */
const TABLE = 1 << 16;

/** Round numbers for the legend: 0, 10, 100 … and all. */
export function legendStops(records: number): number[] {
  const powers = [];
  for (let p = 10; p * 5 < records; p *= 10) powers.push(p);
  return [0, ...powers, records];
}
