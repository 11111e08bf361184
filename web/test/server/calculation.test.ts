import { afterEach, describe, expect, it, vi } from 'vitest';
import { Calculation } from '../../src/lib/server/calculation.svelte';

afterEach(() => vi.useRealTimers());

/** Work that ends only when it is cancelled. */
const endless = (signal: AbortSignal) =>
  new Promise<number>((_, failed) => signal.addEventListener('abort', () => failed(new DOMException('', 'AbortError'))));

describe('a calculation', () => {
  it('belongs to what it was about', async () => {
    const calculation = new Calculation<number>();
    expect(calculation.isOf([1])).toBe(false);
    await calculation.run([1], async () => 7);
    expect([calculation.value, calculation.isOf([1]), calculation.isOf([2])]).toEqual([7, true, false]);
  });

  it('counts the seconds, and when cancelled leaves what was there before', async () => {
    vi.useFakeTimers();
    const calculation = new Calculation<number>();
    await calculation.run('a', async () => 7);
    const running = calculation.run('b', endless);
    vi.advanceTimersByTime(3100);
    expect([calculation.busy, calculation.seconds]).toEqual([true, 3]);
    calculation.cancel();
    await running;
    expect([calculation.busy, calculation.error, calculation.value, calculation.isOf('a')]).toEqual([false, null, 7, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that fails says why, and keeps what was there before', async () => {
    const calculation = new Calculation<number>();
    await calculation.run('a', async () => 7);
    await calculation.run('b', () => Promise.reject(new Error('no')));
    expect([calculation.error, calculation.busy, calculation.value, calculation.isOf('a')]).toEqual(['no', false, 7, true]);
  });

  it('begun anew ends the one before', async () => {
    const calculation = new Calculation<number>();
    const first = calculation.run('a', endless);
    await calculation.run('b', async () => 8);
    await first;
    expect([calculation.value, calculation.busy, calculation.isOf('b')]).toEqual([8, false, true]);
  });
});
