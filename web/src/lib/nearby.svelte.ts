// What is known of single schemes where a lattice is too large to be annotated whole: the schemes around
// the answer, those on offer, and those around every scheme that was pinned.

import { api, type Ask, type SchemeCost } from './api';
import { Calculation } from './calculation.svelte';
import { eachOnce } from './neighbourhood';

/** So many schemes are drawn at most; those looked at first go first. */
const MOST = 600;

/** So many schemes the server counts for one question. */
export const MOST_AT_ONCE = 1024;

export class Nearby {
  /** The costs that are known, for the request that they belong to. */
  costs: SchemeCost[] = $state.raw([]);
  readonly looking = new Calculation<SchemeCost[]>();
  private about = '';

  /** Begins anew for another request or measure, with what its answer says of schemes. */
  begin(about: string, first: SchemeCost[]): void {
    if (about === this.about) return;
    this.looking.cancel();
    this.about = about;
    this.costs = first;
  }

  /** Looks at schemes that are not known yet. */
  async look(ask: Ask, schemes: number[][], measure: string): Promise<void> {
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
