// The negotiation: the request (with undo and redo), and everything that follows from it.

import { api, inWords, Refusal, wasAborted } from '../server/api';
import type { Answer, Ask, LatticeInfo, Measure, Model, Privacy, Progress, Project, Receipt, RiskReport, UtilityReport } from '../server/api';
import { Calculation } from '../server/calculation.svelte';
import { decode, encode, type Tab, type View } from '../request/codec';
import { Colours } from '../drawing/colouring.svelte';
import { Comparing } from '../answer/comparison.svelte';
import { Finer } from '../answer/finer.svelte';
import { Agreements } from '../request/agreements';
import { Latest } from '../server/latest';
import { Looking } from '../answer/looking.svelte';
import { Nearby } from '../answer/nearby.svelte';
import { schemeOf, suppressedOf, surenessOf, type Foretold, type Sureness } from '../answer/foretold';
import { deal, type Card } from '../answer/offers';
import { Preparation } from '../server/preparation.svelte';
import { Predictions } from '../answer/predictions.svelte';
import { capsInOrder, defaultRequest, fromAsk, limitInRecords, sameList, toAsk, type Request } from '../request/request';
import { Space, type SchemeSet } from '../schemes/space';
import { Stopwatch } from '../browser/stopwatch.svelte';
import { begin, change, goTo, redo, settle, undo, type Timeline } from '../request/timeline';

/** The fragment of the view that sets up a table; it says nothing of a request. */
const SET_UP = '#setup';

/** A first answer that comes within so many milliseconds is drawn together with the page. */
const SOON = 250;

/** An answer and the question that it belongs to; both change together, or not at all. */
interface Answered {
  request: Request;
  lattice: LatticeInfo;
  answer: Answer;
  /** What every scheme suppresses; null where all of them would take too long. */
  suppressed: Float64Array | null;
}

/** Who waits for a negotiation to open. */
interface Observer {
  /** Called with the quasi-identifiers that are opened. */
  begun: (qi: string[]) => void;
  progress: (progress: Progress) => void;
}

/** A panel under Trade-offs that other tabs lead to. */
export type Panel = 'other methods' | 'query';

export class Negotiation {
  line: Timeline<Request> = $state.raw(begin({} as Request));
  request = $derived(this.line.present);
  lattice: LatticeInfo = $state.raw({} as LatticeInfo);
  answered: Answered | null = $state.raw(null);
  building: Progress | null = $state.raw(null);
  error: string | null = $state(null);
  /** Whether the server did not answer the last question at all. */
  unanswered = false;
  /** The request whose answer, or refusal, is shown. */
  concluded: Request | null = $state.raw(null);
  tab: Tab = $state('negotiate');
  measure = $state('lm');
  pinnedLevels: number[] | null = $state.raw(null);
  hovered: number | null = $state(null);
  readonly looking = new Looking();
  readonly colours = new Colours();
  readonly predictions = new Predictions();
  /** How many answers there have been. */
  answers = $state(0);
  /** How long the last question took from page to page, in milliseconds. */
  roundTrip: number | null = $state(null);

  tops = $derived(this.lattice.attributes.map((a) => a.top));
  /** Whether single schemes are looked at, because annotating all of them would take too long. */
  sparse = $derived(
    this.lattice.way !== 'full' || (this.answered?.lattice === this.lattice && this.answered.suppressed === null),
  );
  readonly nearby = new Nearby();
  space: SchemeSet = $derived(
    this.sparse ? this.nearby.among(this.tops) : new Space(this.tops),
  );
  caps = $derived(capsInOrder(this.request, this.lattice));
  inside = $derived(this.space.under(this.caps));
  limit = $derived(limitInRecords(this.request.limit, this.lattice.records));
  ask = $derived(toAsk(this.request, this.lattice));
  /** The request of an estimate, which always names a measure: the fewest steps are the least height. */
  private estimated = $derived({ ...this.ask, optimize: this.ask.optimize ?? 'height' });
  pinned = $derived(
    this.pinnedLevels && this.space.has(this.pinnedLevels) ? this.space.index(this.pinnedLevels) : null,
  );
  /** What is foretold, while that is what is shown. */
  shownForetold: Foretold | null = $derived(
    this.predictions.wanted && this.predictions.foretold?.lattice === this.lattice ? this.predictions.foretold : null,
  );
  deal = $derived(
    this.answered && !this.shownForetold
      ? deal(this.answered.answer, this.answered.request, this.answered.lattice)
      : null,
  );
  suppressed = $derived(
    this.shownForetold
      ? suppressedOf(this.shownForetold, this.space)
      : this.sparse
      ? this.nearby.suppressedIn(this.space)
      : this.answered?.suppressed?.length === this.space.size
      ? this.answered.suppressed
      : new Float64Array(this.space.size),
  );
  /** The same at the threshold of the point that a chart looks at, while it does. */
  shownSuppressed = $derived(this.looking.at?.all ?? this.suppressed);
  /** What every scheme loses, while that is what colours mean. */
  shownLosses = $derived(
    this.colours.by === 'loss' && !this.looking.at && this.colours.losses?.length === this.space.size ? this.colours.losses : null,
  );
  /** Whether what is shown belongs to the request as it stands; else its answer is still to come. */
  settled = $derived(this.building === null && this.concluded === this.request);
  /** The scheme that the other tabs speak of: the pinned one, else the best on offer. */
  chosen = $derived(
    this.pinned !== null
      ? this.pinnedLevels
      : this.shownForetold
        ? schemeOf(this.shownForetold)
        : (this.deal?.cards[0]?.offer.scheme ?? null),
  );

  /** How the chosen scheme came to be chosen. */
  standing = $derived(
    this.pinned !== null
      ? 'which you pinned'
      : !this.shownForetold && this.answered?.answer.outcome === 'relaxed'
        ? 'the first of the offers'
        : 'the best match',
  );

  /** The scheme that a question has to name: none where the answer to the request is shown. */
  named = $derived(
    this.pinned === null && !this.shownForetold && this.answered?.answer.outcome === 'exact' ? null : this.chosen,
  );

  /** Schemes to compare side by side. */
  shortlist: number[][] = $state.raw([]);
  /** How long the answer has been waited for. */
  readonly waiting = new Stopwatch();
  readonly preparation: Preparation;
  readonly comparing = new Comparing();
  /** The panel of another tab that somebody asked for, until it is in view. */
  sought: Panel | null = $state(null);
  /** The columns to publish as recorded; those that the project names until a tick is changed. */
  asRecorded: string[] | null = $state.raw(null);
  readonly finer = new Finer();
  private agreements = new Agreements();
  /** How risk is measured: both numbers in per cent. */
  riskForm = $state({ threshold: 20 as number | null, fraction: null as number | null, prior: 'marginal' as string });
  /** The column that models predict; the first that can be if empty. */
  utilityTarget = $state('');
  readonly risk = new Calculation<RiskReport>();
  readonly utility = new Calculation<UtilityReport>();
  private questions = new Latest();
  private builder: AbortController | null = null;
  private closing = new AbortController();

  private constructor(
    readonly project: Project,
    readonly models: Model[],
    readonly measures: Measure[],
  ) {
    this.preparation = new Preparation(() => models);
  }

  /** Everything that is needed before the first question can be asked; `qi`: instead of the quasi-identifiers asked for. */
  static async open(qi: string[] | null, { begun, progress }: Observer, signal: AbortSignal): Promise<Negotiation> {
    const [project, models, measures] = await Promise.all([api.project(), api.models(), api.measures()]);
    const negotiation = new Negotiation(project, models, measures);
    const asked = negotiation.viewFrom(location.hash);
    const view = qi ? { ...asked, request: { ...asked.request, qi }, pinned: null, shortlist: [] } : asked;
    negotiation.show(view);
    negotiation.line = begin(view.request);
    begun(view.request.qi);
    negotiation.lattice = await api.build(view.request.qi, progress, signal);
    // Drawing a page without an answer first would only make the answer wait.
    await Promise.race([negotiation.question(), new Promise((passed) => setTimeout(passed, SOON))]);
    negotiation.write('replace');
    addEventListener('popstate', () => negotiation.revisit(), { signal: negotiation.closing.signal });
    return negotiation;
  }

  private viewFrom(fragment: string): View {
    const request = defaultRequest(this.project, this.models);
    const otherwise: View = { tab: 'negotiate', request, pinned: null, measure: 'lm', instant: false, shortlist: [] };
    const view = decode(fragment, otherwise);
    const known = view.request.qi.filter((name) => this.quasiIdentifiers.includes(name));
    return { ...view, request: { ...view.request, qi: known.length ? known : request.qi } };
  }

  /** Ends what is under way; another negotiation takes its place. */
  close(): void {
    this.closing.abort();
    this.questions.stop();
    this.looking.stop();
    this.builder?.abort();
    this.preparation.cancel();
    this.comparing.cancel();
    this.finer.cancel();
  }

  /** The attributes that the project calls quasi-identifiers. */
  get quasiIdentifiers(): string[] {
    return this.project.attributes.filter((a) => a.role === 'quasi-identifier').map((a) => a.name);
  }

  private show(view: View): void {
    this.tab = view.tab;
    this.pinnedLevels = view.pinned;
    this.measure = view.measure;
    this.predictions.wanted = view.instant;
    this.shortlist = view.shortlist;
  }

  /** Takes up what the address says, after back or forward. */
  private revisit(): void {
    if (location.hash === SET_UP) return;
    const view = this.viewFrom(location.hash);
    const switched = view.instant !== this.predictions.wanted;
    this.show(view);
    if (switched) this.again();
    const written = encode(view);
    const same = (request: Request) => encode({ ...view, request }) === written;
    if (same(this.request)) return;
    // Back and undo walk along the same line, so that one does not take the other for a change.
    this.line = goTo(this.line, same) ?? change(this.line, view.request, true);
    this.follow();
  }

  /** Changes the request; `done` is false while a slider is dragged. */
  edit(request: Request, done = true, history: 'replace' | 'push' | 'none' = 'replace'): void {
    this.move(change(this.line, request, done));
    if (done) this.write(history);
  }

  /** Goes to another state of the request; an accepted scheme comes and goes with its request. */
  private move(line: Timeline<Request>): void {
    this.pinnedLevels = this.agreements.pinnedAfter(this.request, line.present, this.pinnedLevels);
    this.line = line;
    this.follow();
  }

  /** Accepts what a card shows: its request, and exactly its scheme. */
  accept(card: Card): void {
    this.agree(card.accepted, card.offer.scheme);
  }

  /** Asks for a threshold of a model, by the scheme that a chart shows for it. */
  askFor(privacy: Privacy, scheme: number[]): void {
    const { request } = this;
    const known = request.privacy.some(({ model }) => model === privacy.model);
    const all = known ? request.privacy.map((one) => (one.model === privacy.model ? privacy : one)) : [...request.privacy, privacy];
    this.agree({ ...request, privacy: all }, scheme);
  }

  private agree(request: Request, scheme: number[]): void {
    this.agreements.add(request, scheme);
    this.comparing.taken = null;
    this.edit(request, true, 'push');
  }

  /** Turns to publishing this scheme, whatever is pinned or was taken from a comparison. */
  publish(scheme: number[]): void {
    const best = this.shownForetold ? schemeOf(this.shownForetold) : this.answered?.answer.exact?.scheme;
    this.comparing.taken = null;
    this.pinnedLevels = best && sameList(best, scheme) ? null : scheme;
    this.open('publish');
  }

  /** Takes up the request of an earlier publication, and what was published for it. */
  reopen({ request: ask, report }: Receipt): void {
    const request = fromAsk(ask, defaultRequest(this.project, this.models), this.models);
    this.comparing.taken = null;
    if (report.scheme) this.agreements.add(request, report.scheme);
    this.edit(request, true, 'push');
  }

  /** Compares other methods for the request as it stands, and shows them. */
  compareOthers(): void {
    if (!this.comparing.isOf(this.ask)) void this.comparing.run(this.ask);
    this.seek('other methods');
  }

  /** Opens the tab of a panel and brings the panel into view. */
  seek(panel: Panel): void {
    this.sought = panel;
    this.open('trade-offs');
  }

  /** Shows a scheme as a chart has it: at a threshold of its own. */
  look(point: { scheme: number[]; label: string; suppressed: number; privacy: Privacy } | null): void {
    const index = point && this.space.has(point.scheme) ? this.space.index(point.scheme) : null;
    this.hovered = index;
    if (!point || index === null) this.looking.stop();
    else this.looking.look(index, point, this.sparse ? null : this.ask);
  }

  /** The end of a drag. */
  settle(): void {
    if (!this.line.open) return;
    this.line = settle(this.line);
    if (this.shownForetold) this.again(); // while dragged, predictions are not firmed up
    this.write('replace');
  }

  /** Switches predictions on or off. */
  foretell(on: boolean): void {
    this.predictions.wanted = on;
    this.again();
    this.write('replace');
  }

  /** Asks the same request once more. */
  again(): void {
    this.concluded = null;
    void this.question();
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

  undo(): void {
    this.move(undo(this.line));
    this.write('replace');
  }

  redo(): void {
    this.move(redo(this.line));
    this.write('replace');
  }

  open(tab: Tab): void {
    this.tab = tab;
    this.write('push');
  }

  pin(index: number | null): void {
    this.pinnedLevels = index === null || index === this.pinned ? null : this.space.levels(index);
    this.write('replace');
    this.lookAround();
  }

  /** Pins a scheme by its levels, also one that was not looked at yet. */
  pinScheme(levels: number[]): void {
    this.pinnedLevels = [...levels];
    this.write('replace');
    this.lookAround();
  }

  /** Adds a scheme to the shortlist, or takes it off. */
  shortlisted(levels: readonly number[], on: boolean): void {
    const others = this.shortlist.filter((scheme) => !sameList(scheme, levels));
    this.shortlist = on ? [...others, [...levels]] : others;
    this.write('replace');
  }

  judgeBy(measure: string): void {
    this.measure = measure;
    this.write('replace');
    this.lookAround();
  }

  private write(how: 'replace' | 'push' | 'none'): void {
    if (how === 'none' || (how === 'replace' && location.hash === SET_UP)) return;
    const { tab, request, pinnedLevels: pinned, measure, shortlist } = this;
    const instant = this.predictions.wanted;
    const address = `${location.pathname}${location.search}#${encode({ tab, request, pinned, measure, instant, shortlist })}`;
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  }

  /** Brings the lattice and the answer up to the request. */
  private follow(): void {
    void (sameList(this.request.qi, this.lattice.qi) ? this.question() : this.build());
  }

  /** Annotates the lattice of the quasi-identifiers asked for. */
  private async build(): Promise<void> {
    this.builder?.abort();
    const builder = new AbortController();
    this.builder = builder;
    this.questions.stop();
    this.building = { what: 'annotating', done: 0, of: null };
    try {
      const lattice = await api.build(this.request.qi, (p) => (this.building = p), builder.signal);
      if (builder !== this.builder) return;
      this.pinnedLevels = this.agreements.of(this.request);
      this.hovered = null;
      this.shortlist = [];
      this.nearby.begin('', []);
      this.lattice = lattice;
      void this.question();
      this.write('replace');
    } catch (error) {
      if (builder === this.builder) this.keepOldLattice(error);
    } finally {
      if (builder === this.builder) this.building = null;
    }
  }

  private keepOldLattice(error: unknown): void {
    this.line = change(this.line, { ...this.request, qi: this.lattice.qi }, true);
    void this.question(wasAborted(error) ? null : inWords(error));
    this.write('replace');
  }

  cancelBuild(): void {
    this.builder?.abort();
  }

  /** Gives up an answer that takes too long: back to the request before. */
  cancelAnswer(): void {
    this.preparation.cancel();
    if (this.answered?.lattice === this.lattice) return this.edit(this.answered.request);
    this.questions.stop();
    this.conclude(this.request, 'Cancelled. Change the request, or switch attributes off, to ask again.');
  }

  /** Asks for the answer and for what every scheme suppresses, side by side; `trouble` stays in view. */
  private question(trouble: string | null = null): Promise<void> {
    this.finer.cancel();
    return this.questions.run(async (signal) => {
      const { request, lattice, ask } = this;
      const start = performance.now();
      this.waiting.start();
      this.unanswered = false;
      try {
        if (this.predictions.wanted && (await this.foresee(signal))) return;
        await this.preparation.for(ask, null, signal);
        const [answer, suppressed] = await Promise.all([api.ask(ask, signal), this.suppressedByAll(ask, signal)]);
        if (lattice !== this.lattice) return;
        this.answered = { request, lattice, answer, suppressed };
        this.answers += 1;
        this.unpinAgreed(request, answer);
        this.conclude(request, trouble);
        this.finer.consider(ask, answer.exact ?? null);
        this.roundTrip = performance.now() - start;
        this.lookAround();
      } catch (error) {
        if (signal.aborted) return;
        this.unanswered = error instanceof TypeError;
        this.conclude(request, inWords(error));
      } finally {
        this.waiting.stop();
      }
    });
  }

  private unpinAgreed(request: Request, { exact }: Answer): void {
    if (!this.agreements.settle(request, exact?.scheme, this.pinnedLevels)) return;
    this.pinnedLevels = null;
    this.write('replace');
  }

  /** What every scheme suppresses, or null where annotating all of them would take too long. */
  private async suppressedByAll(ask: Ask, signal: AbortSignal): Promise<Float64Array | null> {
    if (this.lattice.way !== 'full') return null;
    return api.suppressed(ask, signal).catch((error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    });
  }

  /** In a large lattice, looks at the schemes around the answer and around the pinned one. */
  private lookAround(): void {
    const { answered, ask, measure, tops, caps, pinnedLevels: pinned } = this;
    if (!this.sparse || !answered || answered.lattice !== this.lattice) return;
    const { cards } = deal(answered.answer, answered.request, answered.lattice);
    this.hovered = null; // schemes get other numbers
    this.nearby.follow({ ask, measure, tops, caps, cards, pinned });
  }

  /** Predicts, and counts once nothing is dragged any more; false if the request cannot be predicted. */
  private async foresee(signal: AbortSignal): Promise<boolean> {
    const { request, lattice, estimated: ask, line } = this;
    const is = await this.predictions.foresee({ request, lattice, ask, dragged: line.open }, () => (this.answers += 1), signal);
    if (is) this.conclude(request, null);
    return is;
  }

  private conclude(request: Request, error: string | null): void {
    this.concluded = request;
    this.error = error;
  }
}
