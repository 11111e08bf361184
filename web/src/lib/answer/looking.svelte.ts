// The scheme that a chart points at, at a threshold of its own: what every scheme suppresses there.

import { api, type Ask, type Privacy } from '../server/api';
import { Latest } from '../server/latest';

/** A scheme that a chart shows at a threshold of its own. */
export interface LookedAt {
  index: number;
  /** "k = 25" */
  label: string;
  suppressed: number;
  /** What every scheme suppresses at that threshold, once that is known. */
  all: Float64Array | null;
}

export class Looking {
  at: LookedAt | null = $state.raw(null);
  private questions = new Latest();

  /** Looks at a scheme under the request with this privacy instead of its own; without one, at the scheme alone. */
  look(index: number, point: { label: string; suppressed: number; privacy: Privacy }, ask: Ask | null): void {
    const { label, suppressed, privacy } = point;
    const all = this.at?.label === label ? this.at.all : null;
    this.at = { index, label, suppressed, all };
    if (all || !ask) return;
    this.questions.run(async (signal) => {
      const found = await api.suppressed({ ...ask, privacy: [privacy] }, signal).catch(() => null);
      if (found && this.at?.label === label) this.at = { ...this.at, all: found };
    });
  }

  stop(): void {
    this.at = null;
    this.questions.stop();
  }
}
