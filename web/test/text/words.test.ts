import { expect, test } from 'vitest';
import { rows } from '../../src/lib/text/examples';
import { accountWords, headline } from '../../src/lib/text/headline';
import { LIGHT, DARK, legendStops, luminance, shadeOf, SHADES } from '../../src/lib/browser/palette';
import { counted, figure, list, percent, suppressedText, duration } from '../../src/lib/text/words';

test('numbers are written as people read them', () => {
  expect(counted(1, 'record')).toBe('1 record');
  expect(counted(30_162, 'record')).toBe('30,162 records');
  expect(percent(170, 30_162)).toBe('0.56 %');
  expect(percent(0, 10)).toBe('0 %');
  expect(percent(10, 10)).toBe('100 %');
  expect(percent(30_161, 30_162)).toBe('100.0 %');
  expect(figure(0.2674407)).toBe('0.267');
  expect([figure(5e-324), figure(Infinity), figure(null)]).toEqual(['4.9e-324', '∞', '–']);
  expect(list(['a', 'b', 'c'])).toBe('a, b and c');
});

test('what becomes of suppressed records is said as it is published', () => {
  expect(suppressedText({ suppressed: 0, starred: 0 }, 'star')).toBe('No record is suppressed.');
  expect(suppressedText({ suppressed: 170, starred: 0 }, 'drop')).toBe('170 suppressed records left out.');
  expect(suppressedText({ suppressed: 170, starred: 170 }, 'star')).toBe('170 suppressed records with * in every negotiated attribute.');
  expect(suppressedText({ suppressed: 1, starred: 0 }, 'star')).toMatch(/^1 suppressed record left out, because .* fail the request\.$/);
});

test('shades run evenly from pale to deep, and from dim to bright on dark ground', () => {
  for (const [palette, direction] of [[LIGHT, -1], [DARK, 1]] as const) {
    const light = palette.shades.map(luminance);
    for (let i = 1; i < SHADES; i++) expect(direction * (light[i]! - light[i - 1]!)).toBeGreaterThan(0);
  }
  const shade = shadeOf(30_162);
  expect([shade(0), shade(30_162)]).toEqual([0, SHADES - 1]);
  expect(shade(10)).toBeGreaterThan(shade(0) + 3);
  expect(legendStops(30_162)).toEqual([0, 10, 100, 1000, 30_162]);
});

test('numbers on shades are legible', () => {
  const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const hex = (colour: string) => luminance(`rgb(${[1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)).join(', ')})`);
  for (const palette of [LIGHT, DARK]) {
    palette.shades.forEach((shade, i) => expect(contrast(luminance(shade), hex(palette.inks[i]!))).toBeGreaterThan(4.4));
  }
});

test('example rows follow one recorded value up', () => {
  const levels = [['36', '31'], ['32-36', '27-31'], ['*', '*']].map((examples, level) => ({ level, values: 1, examples }));
  const lattice = { qi: ['age'], attributes: [{ name: 'age', top: 2, levels }], schemes: 3, way: 'full', records: 1, account: { read: 1, dropped: 0, counted: 1 }, base_groups: 1, unaskable: {}, notice: null };
  expect(rows(lattice, [1])).toEqual([{ before: ['36'], after: ['32-36'] }, { before: ['31'], after: ['27-31'] }]);
});

test('a scheme is described in words', () => {
  const level = (values: number) => ({ level: 0, values, examples: [] });
  const attributes = [
    { name: 'age', top: 2, levels: [level(73), level(8), level(1)] },
    { name: 'race', top: 2, levels: [level(5), level(2), level(1)] },
  ];
  const lattice = { qi: ['age', 'race'], attributes, schemes: 9, way: 'full', records: 9, account: { read: 9, dropped: 0, counted: 9 }, base_groups: 1, unaskable: {}, notice: null };
  expect(headline(lattice, [2, 1], 107)).toBe('Age hidden, race in two groups, 107 records dropped');
  expect(headline(lattice, [1, 0], 0)).toBe('Age in eight groups, no record dropped');
  expect(headline(lattice, [0, 0], null)).toBe('All columns as recorded');
});

test('records lost on loading come first', () => {
  expect(accountWords({ read: 3000, dropped: 572, counted: 2428 })).toBe('3,000 rows, 572 dropped for missing values, 2,428 counted');
  expect(accountWords({ read: 10, dropped: 0, counted: 10 })).toBe('10 records, none dropped for missing values');
});

test('a duration is read at a glance', () => {
  expect([132, 999.6, 60_400, 15_535_527].map(duration)).toEqual(['132 µs', '1000 µs', '60 ms', '15.5 s']);
});
