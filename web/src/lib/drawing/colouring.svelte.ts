// What colours mean in the lattice: records suppressed, or what each scheme loses.

import { api, inWords, type Ask } from '../server/api';
import { Latest } from '../server/latest';
import { SHADES } from '../browser/palette';

export type Colouring = 'suppressed' | 'loss';

export class Colours {
  by: Colouring = $state('suppressed');
  measure = $state('lm');
  losses: Float32Array | null = $state.raw(null);
  error: string | null = $state(null);
  busy = $state(false);
  private latest = new Latest();

  /** Colours by loss under this request; what was coloured before stays until that is known. */
  load(ask: Ask, measure: string): void {
    this.busy = true;
    this.latest.run(async (signal) => {
      try {
        const losses = await api.losses(ask, measure, signal);
        [this.losses, this.measure, this.error, this.busy] = [losses, measure, null, false];
      } catch (error) {
        if (signal.aborted) return;
        [this.losses, this.error, this.busy, this.by] = [null, inWords(error), false, 'suppressed'];
      }
    });
  }
}

/** The least and the greatest of some losses. */
export function ends(losses: Float32Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const loss of losses) [low, high] = [Math.min(low, loss), Math.max(high, loss)];
  return [low, high];
}

/** The shade of a loss, even steps from the least to the greatest. */
export function lossShade([low, high]: [number, number]): (loss: number) => number {
  const width = high - low || 1;
  return (loss) => Math.max(0, Math.min(SHADES - 1, Math.round(((SHADES - 1) * (loss - low)) / width)));
}
