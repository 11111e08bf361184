// Something fetched that follows what it depends on; the newest wins.

import { inWords } from './api';
import { Latest } from './latest';

export class Resource<T> {
  value: T | null = $state.raw(null);
  error: string | null = $state(null);
  busy = $state(false);
  private latest = new Latest();

  load(fetch: (signal: AbortSignal) => Promise<T>): void {
    this.busy = true;
    this.latest.run(async (signal) => {
      this.busy = true;
      try {
        this.value = await fetch(signal);
        this.error = null;
        this.busy = false;
      } catch (error) {
        if (signal.aborted) return;
        this.value = null;
        this.error = inWords(error);
        this.busy = false;
      }
    });
  }

  stop(): void {
    this.latest.stop();
  }
}
