import { expect, test } from 'vitest';
import { nearest, scatter, shadeOfHeight } from '../../src/lib/charts/scatter';
import { efficient, kept, sorted, type Figures } from '../../src/lib/schemes/scheme-list';
import { SHADES } from '../../src/lib/browser/palette';
import { Space } from '../../src/lib/schemes/space';

// Six schemes of two attributes: [0,0] [0,1] [1,0] [1,1] [2,0] [2,1].
const figures: Figures = {
  space: new Space([2, 1]),
  suppressed: Float64Array.from([90, 40, 50, 5, 5, 0]),
  inside: Uint8Array.from([1, 1, 1, 1, 0, 0]),
  limit: 45,
  losses: Float32Array.from([0.5, 0.25, 0.75, 0.5, NaN, 1]),
};

test('schemes are kept by what the request allows', () => {
  expect([...kept(figures, 'all')]).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...kept(figures, 'within')]).toEqual([0, 1, 2, 3]);
  expect([...kept(figures, 'meeting')]).toEqual([1, 3]);
});

test('schemes are sorted by each column, unknown figures last', () => {
  const all = kept(figures, 'all');
  expect([...sorted(all, figures, 'suppressed', false)]).toEqual([5, 3, 4, 1, 2, 0]);
  expect([...sorted(all, figures, 'loss', false)]).toEqual([1, 0, 3, 2, 5, 4]);
  expect([...sorted(all, figures, 'loss', true)]).toEqual([5, 2, 0, 3, 1, 4]);
  expect([...sorted(all, figures, 'height', false)]).toEqual([0, 1, 2, 3, 4, 5]);
});

test('efficient schemes are beaten by none in both', () => {
  const all = Uint32Array.from([0, 1, 2, 3, 5]);
  const beaten = (a: number) => [...all].some((b) => b !== a && figures.losses![b]! <= figures.losses![a]! && figures.suppressed[b]! < figures.suppressed[a]!);
  expect(efficient(all, figures)).toEqual([...all].filter((a) => !beaten(a)).sort((a, b) => figures.losses![a]! - figures.losses![b]!));
});

test('the scatter finds the scheme under the pointer, and none far away', () => {
  const place = scatter(figures, { width: 400, height: 300, letters: 11 });
  for (const index of [0, 1, 2, 3, 5]) {
    const at: [number, number] = [place.x(figures.losses![index]!) + 2, place.y(figures.suppressed[index]!) - 2];
    expect(nearest(figures, kept(figures, 'all'), place, at)).toBe(index);
  }
  expect(nearest(figures, kept(figures, 'all'), place, [-100, -100])).toBeNull();
});

test('heights use the whole palette', () => {
  expect([shadeOfHeight(0, 9), shadeOfHeight(9, 9), shadeOfHeight(0, 0)]).toEqual([0, SHADES - 1, 0]);
});
