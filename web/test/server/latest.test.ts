import { expect, test } from 'vitest';
import { Latest } from '../../src/lib/server/latest';

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

test('of many requests only the first and the newest are sent', async () => {
  const sent: number[] = [];
  const latest = new Latest();
  for (const n of [1, 2, 3, 4]) {
    latest.run(async () => {
      sent.push(n);
      await pause(5);
    });
  }
  await pause(30);
  expect(sent).toEqual([1, 4]);
});

test('a slow request makes way for a newer one', async () => {
  const ended: string[] = [];
  const latest = new Latest(10);
  const slow = (signal: AbortSignal) =>
    new Promise<void>((done) => signal.addEventListener('abort', () => (ended.push('aborted'), done())));
  latest.run(slow);
  latest.run(async () => void ended.push('newer'));
  await pause(40);
  expect(ended).toEqual(['aborted', 'newer']);
});
