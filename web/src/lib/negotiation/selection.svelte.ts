// What is selected: the tab, the schemes that are pinned, pointed at and shortlisted, and what of them the tabs show.

import type { Answer, Privacy } from '../server/api';
import { Comparing } from '../answer/comparison.svelte';
import { schemeOf } from '../answer/foretold';
import { Looking } from '../answer/looking.svelte';
import { deal } from '../answer/offers';
import { Colours } from '../drawing/colouring.svelte';
import { Agreements } from '../request/agreements';
import type { Tab, View } from '../request/codec';
import { sameList, type Request } from '../request/request';
import type { Step } from './address';
import type { AnswerStore } from './answer-store.svelte';
import type { RequestStore } from './request-store.svelte';

/** A panel under Trade-offs that other tabs lead to. */
export type Panel = 'other methods' | 'query';

export class Selection {
  private readonly request: RequestStore;
  private readonly answer: AnswerStore;
  /** Writes the selection to the address. */
  private readonly write: (step: Step) => void;

  tab: Tab = $state('negotiate');
  measure = $state('lm');
  pinnedLevels: number[] | null = $state.raw(null);
  hovered: number | null = $state(null);
  /** Schemes to compare side by side. */
  shortlist: number[][] = $state.raw([]);
  /** The panel of another tab that somebody asked for, until it is in view. */
  sought: Panel | null = $state(null);
  /** The columns to publish as recorded; those that the project names until a tick is changed. */
  asRecorded: string[] | null = $state.raw(null);
  readonly looking = new Looking();
  readonly colours = new Colours();
  readonly comparing = new Comparing();
  private agreements = new Agreements();

  pinned = $derived.by(
    () => this.pinnedLevels && this.answer.space.has(this.pinnedLevels) ? this.answer.space.index(this.pinnedLevels) : null,
  );
  /** What every scheme suppresses, at the threshold of the point that a chart looks at while it does. */
  shownSuppressed = $derived.by(() => this.looking.at?.all ?? this.answer.suppressed);
  /** What every scheme loses, while that is what colours mean. */
  shownLosses = $derived.by(
    () => this.colours.by === 'loss' && !this.looking.at && this.colours.losses?.length === this.answer.space.size ? this.colours.losses : null,
  );
  /** The scheme that the other tabs speak of: the pinned one, else the best on offer. */
  chosen = $derived.by(
    () => this.pinned !== null
      ? this.pinnedLevels
      : this.answer.shownForetold
        ? schemeOf(this.answer.shownForetold)
        : (this.answer.deal?.cards[0]?.offer.scheme ?? null),
  );
  /** How the chosen scheme came to be chosen. */
  standing = $derived.by(
    () => this.pinned !== null
      ? 'which you pinned'
      : !this.answer.shownForetold && this.answer.answered?.answer.outcome === 'relaxed'
        ? 'the first of the offers'
        : 'the best match',
  );
  /** The scheme that a question has to name: none where the answer to the request is shown. */
  named = $derived.by(
    () => this.pinned === null && !this.answer.shownForetold && this.answer.answered?.answer.outcome === 'exact' ? null : this.chosen,
  );

  constructor(request: RequestStore, answer: AnswerStore, write: (step: Step) => void) {
    this.request = request;
    this.answer = answer;
    this.write = write;
  }

  /** Ends what is under way. */
  close(): void {
    this.looking.stop();
    this.comparing.cancel();
  }

  /** Selects what a view does. */
  show(view: View): void {
    this.tab = view.tab;
    this.pinnedLevels = view.pinned;
    this.measure = view.measure;
    this.shortlist = view.shortlist;
  }

  /** Begins anew in another lattice. */
  begin(): void {
    this.pinnedLevels = this.agreements.of(this.request.current);
    this.hovered = null;
    this.shortlist = [];
  }

  /** Notes a scheme that was accepted with a request; what was taken from a comparison gives way to it. */
  agree(request: Request, scheme: number[] | null | undefined): void {
    this.comparing.taken = null;
    if (scheme) this.agreements.add(request, scheme);
  }

  /** Goes from one request to another; an accepted scheme comes and goes with its request. */
  move(from: Request, to: Request): void {
    this.pinnedLevels = this.agreements.pinnedAfter(from, to, this.pinnedLevels);
  }

  /** Takes note of an answer: an accepted scheme that it names anyway needs no pin. */
  answered(request: Request, { exact }: Answer): void {
    if (this.agreements.settle(request, exact?.scheme, this.pinnedLevels)) {
      this.pinnedLevels = null;
      this.write('replace');
    }
    this.lookAround();
  }

  open(tab: Tab): void {
    this.tab = tab;
    this.write('push');
  }

  /** Opens the tab of a panel and brings the panel into view. */
  seek(panel: Panel): void {
    this.sought = panel;
    this.open('trade-offs');
  }

  /** Compares other methods for the request as it stands, and shows them. */
  compareOthers(): void {
    const { ask } = this.request;
    if (!this.comparing.isOf(ask)) void this.comparing.run(ask);
    this.seek('other methods');
  }

  /** Turns to publishing this scheme, whatever is pinned or was taken from a comparison. */
  publish(scheme: number[]): void {
    const { shownForetold, answered } = this.answer;
    const best = shownForetold ? schemeOf(shownForetold) : answered?.answer.exact?.scheme;
    this.comparing.taken = null;
    this.pinnedLevels = best && sameList(best, scheme) ? null : scheme;
    this.open('publish');
  }

  /** Shows a scheme as a chart has it: at a threshold of its own. */
  look(point: { scheme: number[]; label: string; suppressed: number; privacy: Privacy } | null): void {
    const { space, sparse } = this.answer;
    const index = point && space.has(point.scheme) ? space.index(point.scheme) : null;
    this.hovered = index;
    if (!point || index === null) this.looking.stop();
    else this.looking.look(index, point, sparse ? null : this.request.ask);
  }

  pin(index: number | null): void {
    this.pinLevels(index === null || index === this.pinned ? null : this.answer.space.levels(index));
  }

  /** Pins a scheme by its levels, also one that was not looked at yet. */
  pinScheme(levels: number[]): void {
    this.pinLevels([...levels]);
  }

  private pinLevels(levels: number[] | null): void {
    this.pinnedLevels = levels;
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

  /** In a large lattice, looks at the schemes around the answer and around the pinned one. */
  private lookAround(): void {
    const { measure, pinnedLevels: pinned } = this;
    const { lattice, ask, tops, caps } = this.request;
    const { sparse, answered, nearby } = this.answer;
    if (!sparse || !answered || answered.lattice !== lattice) return;
    const { cards } = deal(answered.answer, answered.request, answered.lattice);
    this.hovered = null; // schemes get other numbers
    nearby.follow({ ask, measure, tops, caps, cards, pinned });
  }
}
