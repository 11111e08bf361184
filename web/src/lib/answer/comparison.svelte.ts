// What other recodings would give for a request: compared with progress, kept while the page is there, and
// one of them taken to be published.

import { api, inWords, wasAborted, type Ask, type Compared, type Comparison, type Progress } from '../server/api';

/** A result and the request that it was found for. */
export interface Taken {
  ask: Ask;
  of: Compared;
}

export class Comparing {
  value: Comparison | null = $state.raw(null);
  progress: Progress | null = $state.raw(null);
  error: string | null = $state(null);
  busy = $state(false);
  /** The request that was compared. */
  asked: Ask | null = $state.raw(null);
  taken: Taken | null = $state.raw(null);
  private underWay: AbortController | null = null;

  /** Compares for a request; what was compared before stays until that is done. */
  async run(ask: Ask): Promise<void> {
    this.cancel();
    const underWay = (this.underWay = new AbortController());
    this.busy = true;
    this.error = null;
    const tell = (progress: Progress) => underWay === this.underWay && (this.progress = progress);
    try {
      const value = await api.compare(ask, tell, underWay.signal);
      if (underWay === this.underWay) [this.value, this.asked] = [value, ask];
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

  private end(): void {
    this.underWay = null;
    this.busy = false;
    this.progress = null;
  }

  /** Whether what was compared belongs to this request. */
  isOf(ask: Ask): boolean {
    return this.asked !== null && same(this.asked, ask);
  }

  /** Chooses a result for publication. */
  take(of: Compared): void {
    if (this.asked && of.result) this.taken = { ask: this.asked, of };
  }

  /** What was taken, if it was found for this request. */
  takenFor(ask: Ask): Taken | null {
    return this.taken && same(this.taken.ask, ask) ? this.taken : null;
  }
}

const same = (a: Ask, b: Ask) => JSON.stringify(a) === JSON.stringify(b);
