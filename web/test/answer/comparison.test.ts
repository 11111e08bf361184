import { afterEach, describe, expect, it, vi } from 'vitest';
import { api, type Ask, type Compared, type Comparison } from '../../src/lib/server/api';
import { Comparing } from '../../src/lib/answer/comparison.svelte';

const ask = (k: number): Ask => ({ privacy: [{ model: 'k-anonymity', k }] });
const found = (result?: string) => ({ strategy: 'mondrian', ...(result && { result }) }) as Compared;
const comparison = (result: string) => ({ strategies: [found(result)] }) as Comparison;

afterEach(() => vi.restoreAllMocks());

describe('a comparison', () => {
  it('belongs to the request that it was made for, and so does what is taken from it', async () => {
    vi.spyOn(api, 'compare').mockResolvedValue(comparison('a'));
    const comparing = new Comparing();
    expect(comparing.isOf(ask(5))).toBe(false);
    await comparing.run(ask(5));
    comparing.take(comparing.value!.strategies[0]!);
    expect([comparing.isOf(ask(5)), comparing.isOf(ask(6))]).toEqual([true, false]);
    expect(comparing.takenFor(ask(5))?.of.result).toBe('a');
    expect(comparing.takenFor(ask(6))).toBeNull();
  });

  it('takes nothing that has no name, because it was not verified', async () => {
    vi.spyOn(api, 'compare').mockResolvedValue({ strategies: [found()] } as unknown as Comparison);
    const comparing = new Comparing();
    await comparing.run(ask(5));
    comparing.take(comparing.value!.strategies[0]!);
    expect(comparing.takenFor(ask(5))).toBeNull();
  });

  it('that is cancelled leaves what was there before', async () => {
    const compare = vi.spyOn(api, 'compare').mockResolvedValueOnce(comparison('a'));
    const comparing = new Comparing();
    await comparing.run(ask(5));
    compare.mockImplementationOnce(
      (_, tell, signal) =>
        new Promise((_, failed) => {
          tell({ what: 'comparing', done: 1, of: 2 });
          signal.addEventListener('abort', () => failed(new DOMException('', 'AbortError')));
        }),
    );
    const running = comparing.run(ask(6));
    expect([comparing.busy, comparing.progress?.done]).toEqual([true, 1]);
    comparing.cancel();
    await running;
    expect([comparing.busy, comparing.progress, comparing.error, comparing.isOf(ask(5))]).toEqual([false, null, null, true]);
  });

  it('that fails says why', async () => {
    vi.spyOn(api, 'compare').mockRejectedValue(new Error('no'));
    const comparing = new Comparing();
    await comparing.run(ask(5));
    expect([comparing.error, comparing.busy, comparing.value]).toEqual(['no', false, null]);
  });
});
