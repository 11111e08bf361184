// What is known of single schemes where a lattice is too large to be annotated whole: the schemes around
// the answer, those on offer, and those around every scheme that was pinned.

import { api, type Ask, type SchemeCost } from '../server/api';
import { Calculation } from '../server/calculation.svelte';
import { around, eachOnce, Neighbourhood } from '../schemes/neighbourhood';
import type { Card } from './offers';
import type { SchemeSet } from '../schemes/space';

/** So many schemes are drawn at most; those looked at first go first. */
const MOST = 600;

/** So many schemes the server counts for one question. */
export const MOST_AT_ONCE = 1024;

/** The answer in a large lattice, whose surroundings are looked at. */
export interface Answered {
  ask: Ask;
  measure: string;
  tops: readonly number[];
  /** The coarsest levels allowed. */
  caps: number[];
  cards: Card[];
  pinned: number[] | null;
}

export class Nearby {
  /** The costs that are known, for the request that they belong to. */
  costs: SchemeCost[] = $state.raw([]);
  readonly looking = new Calculation<SchemeCost[]>();
  private about = '';

  /** The schemes looked at, as a part of the lattice. */
  among(tops: readonly number[]): Neighbourhood {
    return new Neighbourhood(tops, this.costs.map((cost) => cost.scheme));
  }

  /** What the schemes looked at suppress, by their number. */
  suppressedIn(space: SchemeSet): Float64Array {
    const all = new Float64Array(space.size);
    for (const { scheme, suppressed } of this.costs) all[space.index(scheme)] = suppressed;
    return all;
  }

  /** Looks at the schemes on offer, around the best of them and around the pinned one. */
  follow({ ask, measure, tops, caps, cards, pinned }: Answered): void {
    // A weaker threshold suppresses fewer records than the one asked for.
    const atAsked = cards.filter((card) => card.kind !== 'privacy').map((card) => card.offer);
    const first = atAsked.map(({ scheme, height, suppressed, loss }) => ({ scheme, height, suppressed, loss: loss?.[measure] ?? NaN }));
    this.begin(JSON.stringify([ask, measure]), first);
    const centres = [pinned, cards[0]?.offer.scheme ?? caps].filter((scheme) => scheme !== null);
    const wanted = [...centres.flatMap((centre) => around(centre, tops)), ...cards.map((card) => card.offer.scheme)];
    void this.look(ask, wanted, measure);
  }

  /** Begins anew for another request or measure, with what its answer says of schemes. */
  begin(about: string, first: SchemeCost[]): void {
    if (about === this.about) return;
    this.looking.cancel();
    this.about = about;
    this.costs = first;
  }

  /** Looks at schemes that are not known yet. */
  private async look(ask: Ask, schemes: number[][], measure: string): Promise<void> {
    const about = this.about;
    const known = new Set(this.costs.filter(({ loss }) => Number.isFinite(loss)).map(({ scheme }) => scheme.join()));
    const missing = eachOnce(schemes).filter((scheme) => !known.has(scheme.join()));
    if (!missing.length) return;
    await this.looking.run(missing, async (signal) => {
      const { schemes: found } = await api.schemes(ask, missing.slice(0, MOST_AT_ONCE), measure, signal);
      if (about === this.about) this.add(found);
      return found;
    });
  }

  private add(found: SchemeCost[]): void {
    const now = new Map([...this.costs, ...found].map((cost) => [cost.scheme.join(), cost]));
    this.costs = [...now.values()].slice(-MOST);
  }
}
