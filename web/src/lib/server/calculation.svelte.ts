// A calculation that a button starts: how long it has taken, a way to cancel it, and what its result is about.

import { inWords, wasAborted } from './api';

export class Calculation<T> {
  value: T | null = $state.raw(null);
  error: string | null = $state(null);
  busy = $state(false);
  /** How long it has taken, in whole seconds. */
  seconds = $state(0);
  private about: string | null = $state(null);
  private underWay: AbortController | null = null;
  private clock: ReturnType<typeof setInterval> | undefined;

  /** Calculates; what was calculated before stays until that is done. */
  async run(about: unknown, calculate: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.cancel();
    const underWay = this.begin();
    try {
      const value = await calculate(underWay.signal);
      if (underWay === this.underWay) [this.value, this.about] = [value, JSON.stringify(about)];
    } catch (error) {
      if (underWay === this.underWay && !wasAborted(error)) this.error = inWords(error);
    } finally {
      if (underWay === this.underWay) this.end();
    }
  }

  cancel(): void {
    this.underWay?.abort();
    this.end();
  }

  /** Whether the result is about this. */
  isOf(about: unknown): boolean {
    return this.about === JSON.stringify(about);
  }

  private begin(): AbortController {
    const since = Date.now();
    this.error = null;
    this.busy = true;
    this.seconds = 0;
    this.clock = setInterval(() => (this.seconds = Math.floor((Date.now() - since) / 1000)), 250);
    return (this.underWay = new AbortController());
  }

  private end(): void {
    clearInterval(this.clock);
    this.underWay = null;
    this.busy = false;
  }
}
