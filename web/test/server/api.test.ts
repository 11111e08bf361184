import { afterEach, expect, test, vi } from 'vitest';
import { api, inWords, wholeNumbers } from '../../src/lib/server/api';

afterEach(() => vi.unstubAllGlobals());

/** Answers every question with this text, and notes what each accepts. */
function answering(text: string, status = 200): (string | undefined)[] {
  const accepted: (string | undefined)[] = [];
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Record<string, string> }) => {
    accepted.push(headers.accept);
    return new Response(text, { status });
  });
  return accepted;
}

const { signal } = new AbortController();

test('long questions ask for lines, and report progress before the result', async () => {
  const accepted = answering('{"progress":{"what":"comparing","done":1,"of":2}}\n{"done":{"schemes":60}}\n');
  const progress = vi.fn();
  expect(await api.prepare({}, progress, signal)).toEqual({ schemes: 60 });
  await api.front({}, 'lm', [2], progress, signal);
  await api.compare({}, progress, signal);
  expect(progress).toHaveBeenCalledTimes(3);
  expect(accepted).toEqual(Array(3).fill('application/x-ndjson'));
});

test('other questions do not', async () => {
  const accepted = answering('{"outcome":"exact"}');
  expect(await api.ask({})).toEqual({ outcome: 'exact' });
  expect(accepted).toEqual([undefined]);
});

test('a failure names its problems, alone or as the last line', async () => {
  const failure = '{"error":{"kind":"bad-input","problems":[{"what":"no level 9","where":"age","fix":"its levels are 0 to 4"}]}}';
  answering(failure, 422);
  expect(inWords(await api.ask({}).catch((error: unknown) => error))).toBe('age: no level 9; its levels are 0 to 4');
  answering(`{"progress":{"what":"comparing","done":1,"of":2}}\n${failure}\n`);
  expect(inWords(await api.compare({}, () => {}, signal).catch((error: unknown) => error))).toBe('age: no level 9; its levels are 0 to 4');
});

test('numbers of records beyond 32 bits are read exactly', () => {
  const numbers = [0, 1, 2 ** 32 - 1, 2 ** 32, 5_000_000_007, 2 ** 53 - 1];
  const bytes = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((number, i) => bytes.setBigUint64(8 * i, BigInt(number), true));
  expect([...wholeNumbers(bytes.buffer as ArrayBuffer)]).toEqual(numbers);
});
