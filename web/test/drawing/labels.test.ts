import { expect, test } from 'vitest';
import { overlap, placed, steps } from '../../src/lib/drawing/labels';

const picture = { x: 0, y: 0, width: 200, height: 100 };
const label = (x: number, y: number, width = 60) => ({ x, y, width, height: 12 });

test('labels that would collide move apart', () => {
  const all = placed([label(10, 40), label(20, 44), label(30, 38)], picture);
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i + 1)) expect(a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
  }
  expect(all[0]).toEqual(label(10, 40));
});

test('labels stay within the picture', () => {
  const [right, top] = placed([label(190, 40), label(10, -9)], picture);
  expect(right!.x + right!.width).toBeLessThanOrEqual(200);
  expect(top!.y).toBeGreaterThanOrEqual(0);
});

test('a label does not lie on the line that it names a point of', () => {
  const line = steps([[0, 90], [50, 50], [150, 48], [200, 10]], 'after');
  const [knee] = placed([{ ...label(58, 34), otherX: -18 }], picture, line);
  expect(line.some((piece) => overlap(piece, knee!))).toBe(false);
});

test('a line of steps turns after the way across, or before', () => {
  const [across, down] = steps([[0, 90], [50, 50]], 'after');
  expect([across!.y + 2, down!.x + 2]).toEqual([90, 50]);
  const [later, first] = steps([[0, 90], [50, 50]], 'before');
  expect([later!.y + 2, first!.x + 2]).toEqual([50, 0]);
});

test('a label moves to the other side where that is free', () => {
  const [moved] = placed([{ ...label(100, 40), otherX: 20 }], picture, [{ x: 100, y: 0, width: 100, height: 100 }]);
  expect(moved).toEqual(label(20, 40));
});
