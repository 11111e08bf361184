import { expect, test } from 'vitest';
import { aligned, layered, spread } from '../../src/lib/charts/aligned';

const leaf = (label: string) => ({ label, level: 0, records: 1 });
const tree = {
  label: '*',
  level: 2,
  records: 5,
  below: [
    { label: 'White', level: 1, records: 1, below: [leaf('White')] },
    { label: 'Non-white', level: 1, records: 4, below: [leaf('Black'), leaf('Asian'), leaf('Other'), leaf('Amer')] },
  ],
};
const before = [['White', 10], ['Black', 3], ['Asian', 2], ['Other', 1]].map(([value, records]) => ({ value: value as string, records: records as number }));

test('published values lie over the recorded ones that they stand for', () => {
  const both = aligned(tree, before, [{ value: 'White', records: 9 }, { value: 'Non-white', records: 4 }])!;
  expect(both.recorded.map(({ records }) => records)).toEqual([10, 3, 2, 1]);
  expect(both.runs).toEqual([
    { value: 'White', records: 9, start: 0, end: 1 },
    { value: 'Non-white', records: 4, start: 1, end: 4 },
  ]);
  expect(spread(both).map((height) => Number(height.toFixed(3)))).toEqual([9, 1.333, 1.333, 1.333]);
});

test('ranges of boxes and records with * have their place too', () => {
  const both = aligned(tree, before, [{ value: 'White–Asian', records: 6 }, { value: 'Other', records: 1 }, { value: '*', records: 5 }])!;
  expect(both.runs.map(({ start, end }) => [start, end])).toEqual([[0, 3], [3, 4], [0, 4]]);
  expect(spread(both)).toEqual([3.25, 3.25, 3.25, 2.25]);
  expect(layered(both.runs).over.map(({ value }) => value)).toEqual(['*']);
});

test('sides of boxes that end at cuts between values have their place', () => {
  const ages = { label: '*', level: 1, records: 4, below: ['17', '23', '24', '80'].map(leaf) };
  const counts = ['17', '23', '24', '80'].map((value) => ({ value, records: 1 }));
  const sides = ['<20', '20–39', '[22.5,30)', '≥24'].map((value) => ({ value, records: 1 }));
  expect(aligned(ages, counts, sides)!.runs.map(({ start, end }) => [start, end])).toEqual([[0, 1], [1, 3], [1, 3], [2, 4]]);
  expect(aligned(ages, counts, [{ value: '≥90', records: 1 }])).toBeNull();
});

test('what has no place is not drawn at a wrong one', () => {
  expect(aligned(tree, before, [{ value: 'Martian', records: 1 }])).toBeNull();
  expect(aligned(tree, [{ value: null, records: 3 }], [])).toBeNull();
});
