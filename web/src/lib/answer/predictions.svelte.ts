// Predictions from a summary: whether they are wanted, and the ones of the present request.

import { api, Refusal, type Ask, type LatticeInfo } from '../server/api';
import type { Foretold } from './foretold';
import type { Request } from '../request/request';

/** So many candidates are counted before an instant answer is given up. */
const MOST_SCANS = 20;

interface Question {
  request: Request;
  lattice: LatticeInfo;
  ask: Ask;
  /** Whether the request is still being changed: then nothing is counted. */
  dragged: boolean;
}

export class Predictions {
  /** Whether answers are predicted and then counted. */
  wanted = $state(false);
  foretold: Foretold | null = $state.raw(null);
  /** Why a request is answered exactly although predictions are wanted. */
  impossible: string | null = $state(null);

  /** Predicts, and counts once nothing is dragged any more; false if the request cannot be predicted. `predicted`: called in between. */
  async foresee({ request, lattice, ask, dragged }: Question, predicted: () => void, signal: AbortSignal): Promise<boolean> {
    if (lattice.way !== 'full') return this.giveUp('predictions are made for every scheme, and this lattice has too many');
    const prediction = await api.predict(ask, signal).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return error;
    });
    if (prediction instanceof Refusal) return this.giveUp(prediction.problems[0]?.what ?? prediction.message);
    this.impossible = null;
    this.foretold = { request, lattice, prediction, answer: null, counted: [] };
    predicted();
    if (!dragged && (prediction.best || prediction.relaxed_height)) {
      const answer = await api.instant(ask, MOST_SCANS, signal);
      this.foretold = { request, lattice, prediction, answer, counted: answer.trials };
    }
    return true;
  }

  private giveUp(why: string): false {
    this.impossible = why;
    this.foretold = null;
    return false;
  }

  /** Counts one scheme in one scan: its prediction becomes firm. */
  async count(ask: Ask, scheme: number[]): Promise<void> {
    const before = this.foretold;
    const firm = await api.firm(ask, scheme);
    const now = this.foretold;
    if (now && now.prediction === before?.prediction) this.foretold = { ...now, counted: [...now.counted, firm] };
  }
}
