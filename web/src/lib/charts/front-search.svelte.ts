// The front of a lattice that is too large to be annotated whole: the least loss at some thresholds, each
// searched on its own.

import { api, type Ask, type Front, type Model, type Progress } from '../server/api';
import { Calculation } from '../server/calculation.svelte';
import { kindOf } from '../server/preparation.svelte';
import { stopsOf } from '../request/stops';

/** So many thresholds are searched. */
const SEARCHED = 16;

/** People rarely ask for larger numbers of records or values. */
const LARGEST_ASKED = 100;

/** Thresholds evenly spread over a model's slider as far as people ask, with the one asked for. */
export function searchedThresholds(model: Model, records: number, asked: number | undefined): number[] {
  const parameter = model.parameters.find((p) => p.negotiated);
  if (!parameter) return [];
  const stops = stopsOf(parameter, records).filter((stop) => !parameter.whole || stop <= LARGEST_ASKED);
  const most = Math.min(SEARCHED, stops.length);
  const spread = Array.from({ length: most }, (_, i) => stops[Math.round((i * (stops.length - 1)) / Math.max(1, most - 1))]!);
  return [...new Set([...spread, ...(asked === undefined ? [] : [asked])])].sort((a, b) => a - b);
}

export class FrontSearch {
  readonly search = new Calculation<Front>();
  progress: Progress | null = $state.raw(null);

  constructor(private readonly models: () => Model[]) {}

  /** The front, if it is that of this request but for the threshold. */
  of(ask: Ask, loss: string): Front | null {
    return this.search.isOf(this.about(ask, loss)) ? this.search.value : null;
  }

  run(ask: Ask, loss: string, thresholds: number[]): void {
    this.progress = null;
    void this.search.run(this.about(ask, loss), (signal) => api.front(ask, loss, thresholds, (p) => (this.progress = p), signal));
  }

  private about(ask: Ask, loss: string): unknown[] {
    return [kindOf(ask, loss, this.models()), ask.max_suppressed, ask.levels];
  }
}
