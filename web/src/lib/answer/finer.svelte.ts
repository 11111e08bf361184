// Whether a finer recoding than one scheme for all records would lose much less; looked for when nothing else is asked.

import { api, type Ask, type Compared, type Offer } from '../server/api';
import { USUAL_MEASURE } from '../request/request';

/** The strategy that is tried: boxes of values, which are the finest recoding. */
const STRATEGY = 'mondrian';

/** So long nothing is changed before it is looked for, in milliseconds. */
const IDLE = 900;

/** Only a loss that is this many times smaller is worth a word. */
const WORTH = 2;

export interface FinerRecoding {
  /** What was found. */
  found: Compared;
  measure: string;
  /** What the scheme on offer loses, and what the finer recoding does. */
  scheme: number;
  finer: number;
  /** How many times less that is. */
  factor: number;
}

/** How many times less the finer one loses, if that is worth a word. */
export function factorOf(scheme: number, finer: number): number | null {
  const factor = finer > 0 ? scheme / finer : scheme > 0 ? Infinity : 0;
  return factor >= WORTH ? factor : null;
}

/** "8 times", "1.5 times", "many times": a factor as people say it. */
export const factorWords = (factor: number): string =>
  !Number.isFinite(factor) || factor >= 1000 ? 'over 1,000 times' : `${Number(factor.toPrecision(factor < 10 ? 2 : 3))} times`;

export class Finer {
  value: FinerRecoding | null = $state.raw(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private underWay: AbortController | null = null;

  /** Looks once nothing was changed for a while; what was found for another request is forgotten. */
  consider(ask: Ask, offer: Offer | null): void {
    this.cancel();
    if (offer) this.timer = setTimeout(() => void this.look(ask, offer), IDLE);
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.underWay?.abort();
    this.underWay = null;
    this.value = null;
  }

  private async look(ask: Ask, offer: Offer): Promise<void> {
    const underWay = (this.underWay = new AbortController());
    const measure = ask.optimize ?? USUAL_MEASURE;
    try {
      const scheme = offer.loss?.[measure] ?? (await api.scheme(ask, offer.scheme, underWay.signal)).loss[measure];
      const { strategies } = await api.compareSome(ask, [STRATEGY], [measure], underWay.signal);
      const found = strategies.find((one) => one.result && one.verified);
      const finer = found?.loss[measure];
      const factor = scheme === undefined || finer === undefined ? null : factorOf(scheme, finer);
      if (found && factor && underWay === this.underWay) this.value = { found, measure, scheme: scheme!, finer: finer!, factor };
    } catch {
      // It is a hint only; the request itself is answered.
    }
  }
}
