// The answer to the request: its lattice is built, its question asked, and what is known of every scheme derived.

import { api, inWords, Refusal, wasAborted } from '../server/api';
import type { Answer, Ask, LatticeInfo, Model, Progress } from '../server/api';
import { Finer } from '../answer/finer.svelte';
import { suppressedOf, surenessOf, type Foretold, type Sureness } from '../answer/foretold';
import { Nearby } from '../answer/nearby.svelte';
import { deal } from '../answer/offers';
import { Predictions } from '../answer/predictions.svelte';
import { Stopwatch } from '../browser/stopwatch.svelte';
import { sameList, type Request } from '../request/request';
import { Space, type SchemeSet } from '../schemes/space';
import { Latest } from '../server/latest';
import { Preparation } from '../server/preparation.svelte';
import type { RequestStore } from './request-store.svelte';

/** An answer and the question that it belongs to; both change together, or not at all. */
interface Answered {
  request: Request;
  lattice: LatticeInfo;
  answer: Answer;
  /** What every scheme suppresses; null where all of them would take too long. */
  suppressed: Float64Array | null;
}

/** What follows from an answer elsewhere. */
interface AnswerObserver {
  /** Another lattice takes the place of the one before. */
  built: () => void;
  /** The request went back to the lattice before. */
  reverted: () => void;
  answered: (request: Request, answer: Answer) => void;
}

export class AnswerStore {
  private readonly request: RequestStore;
  private readonly observer: AnswerObserver;
  readonly predictions = new Predictions();
  readonly preparation: Preparation;
  readonly nearby = new Nearby();
  readonly finer = new Finer();
  /** How long the answer has been waited for. */
  readonly waiting = new Stopwatch();

  answered: Answered | null = $state.raw(null);
  building: Progress | null = $state.raw(null);
  error: string | null = $state(null);
  /** Whether the server did not answer the last question at all. */
  unanswered = false;
  /** The request whose answer, or refusal, is shown. */
  private concluded: Request | null = $state.raw(null);
  /** How many answers there have been. */
  answers = $state(0);
  /** How long the last question took from page to page, in milliseconds. */
  roundTrip: number | null = $state(null);

  /** Whether single schemes are looked at, because annotating all of them would take too long. */
  sparse = $derived.by(
    () => this.request.lattice.way !== 'full' || (this.answered?.lattice === this.request.lattice && this.answered.suppressed === null),
  );
  space: SchemeSet = $derived.by(() => this.sparse ? this.nearby.among(this.request.tops) : new Space(this.request.tops));
  inside = $derived.by(() => this.space.under(this.request.caps));
  /** The request of an estimate, which always names a measure: the fewest steps are the least height. */
  private estimated = $derived.by(() => ({ ...this.request.ask, optimize: this.request.ask.optimize ?? 'height' }));
  /** What is foretold, while that is what is shown. */
  shownForetold: Foretold | null = $derived.by(
    () => this.predictions.wanted && this.predictions.foretold?.lattice === this.request.lattice ? this.predictions.foretold : null,
  );
  deal = $derived.by(
    () => this.answered && !this.shownForetold
      ? deal(this.answered.answer, this.answered.request, this.answered.lattice)
      : null,
  );
  suppressed = $derived.by(
    () => this.shownForetold
      ? suppressedOf(this.shownForetold, this.space)
      : this.sparse
      ? this.nearby.suppressedIn(this.space)
      : this.answered?.suppressed?.length === this.space.size
      ? this.answered.suppressed
      : new Float64Array(this.space.size),
  );
  /** Whether what is shown belongs to the request as it stands; else its answer is still to come. */
  settled = $derived.by(() => this.building === null && this.concluded === this.request.current);

  private questions = new Latest();
  private builder: AbortController | null = null;

  constructor(request: RequestStore, models: Model[], observer: AnswerObserver) {
    this.request = request;
    this.observer = observer;
    this.preparation = new Preparation(() => models);
  }

  /** Ends what is under way. */
  close(): void {
    this.questions.stop();
    this.builder?.abort();
    this.preparation.cancel();
    this.finer.cancel();
  }

  /** How sure the figure of a scheme is, where predictions are shown. */
  sureness(scheme: readonly number[]): Sureness | null {
    return this.shownForetold && this.space.has([...scheme]) ? surenessOf(this.shownForetold, scheme, this.space) : null;
  }

  /** Whether the figure of a scheme was not counted. */
  isPredicted(scheme: readonly number[]): boolean {
    return (this.sureness(scheme) ?? 'counted') !== 'counted';
  }

  /** Counts one scheme in one scan: its prediction becomes firm. */
  async count(scheme: number[]): Promise<void> {
    if (!this.shownForetold) return;
    try {
      await this.predictions.count(this.estimated, scheme);
    } catch (error) {
      this.error = inWords(error);
    }
  }

  /** Brings the lattice and the answer up to the request. */
  follow(): void {
    void (sameList(this.request.current.qi, this.request.lattice.qi) ? this.ask() : this.build());
  }

  /** Annotates the lattice of the quasi-identifiers asked for. */
  private async build(): Promise<void> {
    this.builder?.abort();
    const builder = new AbortController();
    this.builder = builder;
    this.questions.stop();
    this.building = { what: 'annotating', done: 0, of: null };
    try {
      const lattice = await api.build(this.request.current.qi, (p) => (this.building = p), builder.signal);
      if (builder !== this.builder) return;
      this.nearby.begin('', []);
      this.request.lattice = lattice;
      void this.ask();
      this.observer.built();
    } catch (error) {
      if (builder === this.builder) this.keepOldLattice(error);
    } finally {
      if (builder === this.builder) this.building = null;
    }
  }

  private keepOldLattice(error: unknown): void {
    this.request.change({ ...this.request.current, qi: this.request.lattice.qi }, true);
    void this.ask(wasAborted(error) ? null : inWords(error));
    this.observer.reverted();
  }

  cancelBuild(): void {
    this.builder?.abort();
  }

  /** Gives up an answer that takes too long; returns the request to go back to, if one was answered. */
  cancel(): Request | null {
    this.preparation.cancel();
    if (this.answered?.lattice === this.request.lattice) return this.answered.request;
    this.questions.stop();
    this.conclude(this.request.current, 'Cancelled. Change the request, or switch attributes off, to ask again.');
    return null;
  }

  /** Asks the same request once more. */
  again(): void {
    this.concluded = null;
    void this.ask();
  }

  /** Asks for the answer and for what every scheme suppresses, side by side; `trouble` stays in view. */
  ask(trouble: string | null = null): Promise<void> {
    this.finer.cancel();
    return this.questions.run(async (signal) => {
      const { current: request, lattice, ask } = this.request;
      const start = performance.now();
      this.waiting.start();
      this.unanswered = false;
      try {
        if (this.predictions.wanted && (await this.foresee(signal))) return;
        await this.preparation.for(ask, null, signal);
        const [answer, suppressed] = await Promise.all([api.ask(ask, signal), this.suppressedByAll(ask, signal)]);
        if (lattice !== this.request.lattice) return;
        this.answered = { request, lattice, answer, suppressed };
        this.answers += 1;
        this.conclude(request, trouble);
        this.finer.consider(ask, answer.exact ?? null);
        this.roundTrip = performance.now() - start;
        this.observer.answered(request, answer);
      } catch (error) {
        if (signal.aborted) return;
        this.unanswered = error instanceof TypeError;
        this.conclude(request, inWords(error));
      } finally {
        this.waiting.stop();
      }
    });
  }

  /** What every scheme suppresses, or null where annotating all of them would take too long. */
  private async suppressedByAll(ask: Ask, signal: AbortSignal): Promise<Float64Array | null> {
    if (this.request.lattice.way !== 'full') return null;
    return api.suppressed(ask, signal).catch((error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    });
  }

  /** Predicts, and counts once nothing is dragged any more; false if the request cannot be predicted. */
  private async foresee(signal: AbortSignal): Promise<boolean> {
    const { current: request, lattice, line } = this.request;
    const question = { request, lattice, ask: this.estimated, dragged: line.open };
    const is = await this.predictions.foresee(question, () => (this.answers += 1), signal);
    if (is) this.conclude(request, null);
    return is;
  }

  private conclude(request: Request, error: string | null): void {
    this.concluded = request;
    this.error = error;
  }
}
