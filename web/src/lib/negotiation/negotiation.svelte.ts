// The negotiation: request, answer and selection, and what a person does that changes more than one of them.

import { api, type LatticeInfo, type Measure, type Model, type Privacy, type Progress, type Project, type Receipt } from '../server/api';
import type { Card } from '../answer/offers';
import { encode, type View } from '../request/codec';
import { defaultRequest, fromAsk, quasiIdentifiersOf, type Request } from '../request/request';
import { isSetUp, readAddress, writeAddress, type Step } from './address';
import { AnswerStore } from './answer-store.svelte';
import { RequestStore } from './request-store.svelte';
import { Review } from './review.svelte';
import { Selection } from './selection.svelte';

/** A first answer that comes within so many milliseconds is drawn together with the page. */
const SOON = 250;

/** Who waits for a negotiation to open. */
interface Observer {
  /** Called with the quasi-identifiers that are opened. */
  begun: (qi: string[]) => void;
  progress: (progress: Progress) => void;
}

export class Negotiation {
  readonly request: RequestStore;
  readonly answer: AnswerStore;
  readonly selection: Selection;
  readonly review = new Review();
  /** The attributes that the project calls quasi-identifiers. */
  readonly quasiIdentifiers: string[];
  private closing = new AbortController();

  private constructor(
    readonly project: Project,
    readonly models: Model[],
    readonly measures: Measure[],
    view: View,
    lattice: LatticeInfo,
  ) {
    this.quasiIdentifiers = quasiIdentifiersOf(project);
    this.request = new RequestStore(view.request, lattice);
    this.answer = new AnswerStore(this.request, models, {
      built: () => {
        this.selection.begin();
        this.write('replace');
      },
      reverted: () => this.write('replace'),
      answered: (request, answer) => this.selection.answered(request, answer),
    });
    this.selection = new Selection(this.request, this.answer, (step) => this.write(step));
    this.show(view);
  }

  /** Everything that is needed before the first question can be asked; `qi`: instead of the quasi-identifiers asked for. */
  static async open(qi: string[] | null, { begun, progress }: Observer, signal: AbortSignal): Promise<Negotiation> {
    const [project, models, measures] = await Promise.all([api.project(), api.models(), api.measures()]);
    const asked = readAddress(project, models);
    const view = qi ? { ...asked, request: { ...asked.request, qi }, pinned: null, shortlist: [] } : asked;
    begun(view.request.qi);
    const lattice = await api.build(view.request.qi, progress, signal);
    const negotiation = new Negotiation(project, models, measures, view, lattice);
    // Drawing a page without an answer first would only make the answer wait.
    await Promise.race([negotiation.answer.ask(), new Promise((passed) => setTimeout(passed, SOON))]);
    negotiation.write('replace');
    addEventListener('popstate', () => negotiation.revisit(), { signal: negotiation.closing.signal });
    return negotiation;
  }

  /** Ends what is under way; another negotiation takes its place. */
  close(): void {
    this.closing.abort();
    this.answer.close();
    this.selection.close();
  }

  private show(view: View): void {
    this.selection.show(view);
    this.answer.predictions.wanted = view.instant;
  }

  private write(step: Step): void {
    const { tab, measure, pinnedLevels: pinned, shortlist } = this.selection;
    const instant = this.answer.predictions.wanted;
    writeAddress({ tab, request: this.request.current, pinned, measure, instant, shortlist }, step);
  }

  /** Takes up what the address says, after back or forward. */
  private revisit(): void {
    if (isSetUp()) return;
    const view = readAddress(this.project, this.models);
    const switched = view.instant !== this.answer.predictions.wanted;
    this.show(view);
    if (switched) this.answer.again();
    const written = encode(view);
    const same = (request: Request) => encode({ ...view, request }) === written;
    if (same(this.request.current)) return;
    this.request.revisit(view.request, same);
    this.answer.follow();
  }

  /** Changes the request; `done` is false while a slider is dragged. */
  edit(request: Request, done = true, step: Step = 'replace'): void {
    this.move(() => this.request.change(request, done));
    if (done) this.write(step);
  }

  undo(): void {
    this.move(() => this.request.undo());
    this.write('replace');
  }

  redo(): void {
    this.move(() => this.request.redo());
    this.write('replace');
  }

  /** Goes to another state of the request; selection and answer follow. */
  private move(go: () => void): void {
    const before = this.request.current;
    go();
    this.selection.move(before, this.request.current);
    this.answer.follow();
  }

  /** The end of a drag. */
  settle(): void {
    if (!this.request.settle()) return;
    if (this.answer.shownForetold) this.answer.again(); // while dragged, predictions are not firmed up
    this.write('replace');
  }

  /** Accepts what a card shows: its request, and exactly its scheme. */
  accept(card: Card): void {
    this.agree(card.accepted, card.offer.scheme);
  }

  /** Asks for a threshold of a model, by the scheme that a chart shows for it. */
  askFor(privacy: Privacy, scheme: number[]): void {
    const { current } = this.request;
    const known = current.privacy.some(({ model }) => model === privacy.model);
    const all = known ? current.privacy.map((one) => (one.model === privacy.model ? privacy : one)) : [...current.privacy, privacy];
    this.agree({ ...current, privacy: all }, scheme);
  }

  /** Takes up the request of an earlier publication, and what was published for it. */
  reopen({ request: ask, report }: Receipt): void {
    this.agree(fromAsk(ask, defaultRequest(this.project, this.models), this.models), report.scheme);
  }

  private agree(request: Request, scheme: number[] | null | undefined): void {
    this.selection.agree(request, scheme);
    this.edit(request, true, 'push');
  }

  /** Switches predictions on or off. */
  foretell(on: boolean): void {
    this.answer.predictions.wanted = on;
    this.answer.again();
    this.write('replace');
  }

  /** Gives up an answer that takes too long: back to the request before. */
  cancelAnswer(): void {
    const before = this.answer.cancel();
    if (before) this.edit(before);
  }
}
