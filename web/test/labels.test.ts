import { expect, test } from 'vitest';
import { placed } from '../src/lib/labels';

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
