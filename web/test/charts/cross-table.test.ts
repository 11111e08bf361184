import { expect, test } from 'vitest';
import type { CrossTable } from '../../src/lib/server/api';
import { cells, hardestHit, places, runs } from '../../src/lib/charts/cross-table';

const account = { read: 30, dropped: 0, counted: 30, suppressed: 6, published: 24 };
const age = { attribute: 'age', recorded: ['17', '18', '19'], published: [{ value: '17-18', recorded: 2 }, { value: '19', recorded: 1 }] };
const sex = { attribute: 'sex', recorded: ['f', 'm'], published: [{ value: '*', recorded: 2 }] };

test('published values have their places on the axis of recorded ones', () => {
  expect(places(age)).toEqual([{ value: '17-18', from: 0, to: 2 }, { value: '19', from: 2, to: 3 }]);
});

test('runs add up what they stand for', () => {
  const table: CrossTable = { scheme: [1], account, axes: [age], records: [10, 8, 12], suppressed: [1, 2, 3] };
  expect(runs(table)).toEqual([
    { value: '17-18', from: 0, to: 2, recorded: 18, suppressed: 3 },
    { value: '19', from: 2, to: 3, recorded: 12, suppressed: 3 },
  ]);
  expect(hardestHit(runs(table)).map((run) => run.value)).toEqual(['19', '17-18']);
});

test('cells are summed over both attributes', () => {
  const table: CrossTable = { scheme: [1, 1], account, axes: [age, sex], records: [6, 4, 3, 5, 7, 5], suppressed: [1, 0, 2, 0, 0, 3] };
  expect(cells(table)).toEqual([[{ recorded: 18, suppressed: 3 }], [{ recorded: 12, suppressed: 3 }]]);
});
