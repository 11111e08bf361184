// What a question needs that nobody asked before: made once, with progress, and given up when cancelled.

import { api, type Ask, type Model, type Progress } from './api';

/** Work shorter than this needs no bar, in milliseconds. */
const SHOW_PROGRESS_AFTER = 300;

interface UnderWay {
  kind: string;
  promise: Promise<void>;
  controller: AbortController;
}

/**
 * Questions of one kind need the same: a number that is negotiated is looked up in it. Of a model
 * with several such numbers each depends on the others.
 */
export function kindOf(ask: Ask, loss: string | null, models: Model[]): string {
  const privacy = (ask.privacy ?? []).map((one) => {
    const negotiated = models.find((m) => m.id === one.model)?.parameters.filter((p) => p.negotiated) ?? [];
    return negotiated.length === 1 ? { ...one, [negotiated[0]!.name]: undefined } : one;
  });
  return JSON.stringify([ask.qi, privacy, ask.optimize ?? null, loss]);
}

export class Preparation {
  /** How far it has come, once that takes long enough to be shown. */
  progress: Progress | null = $state.raw(null);
  private underWay: UnderWay | null = null;
  private ready = new Set<string>();

  constructor(private readonly models: () => Model[]) {}

  /** Waits until a question can be asked; others that wait for the same join, for another end it. */
  async for(ask: Ask, loss: string | null, signal: AbortSignal): Promise<void> {
    const kind = kindOf(ask, loss, this.models());
    if (this.underWay && this.underWay.kind !== kind) this.cancel();
    if (this.ready.has(kind)) return;
    this.underWay ??= this.begin(kind, loss === null ? ask : { ...ask, loss });
    await unlessAborted(this.underWay.promise, signal);
  }

  /** Gives up what is being made. */
  cancel(): void {
    this.underWay?.controller.abort();
    this.underWay = null;
    this.progress = null;
  }

  private begin(kind: string, body: Ask & { loss?: string }): UnderWay {
    const controller = new AbortController();
    const underWay: UnderWay = { kind, controller, promise: Promise.resolve() };
    const since = performance.now();
    const tell = (progress: Progress) => {
      if (this.underWay === underWay && performance.now() - since > SHOW_PROGRESS_AFTER) this.progress = progress;
    };
    underWay.promise = api
      .prepare(body, tell, controller.signal)
      .then(() => void this.ready.add(kind))
      .finally(() => {
        if (this.underWay !== underWay) return;
        this.underWay = null;
        this.progress = null;
      });
    return underWay;
  }
}

/** The promise, or an end as soon as the signal says so. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, failed) => {
    const end = () => failed(new DOMException('no longer wanted', 'AbortError'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(done, failed);
  });
}
