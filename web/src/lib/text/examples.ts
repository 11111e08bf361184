// What a value looks like at each level, followed from one recorded value up to the top.

import type { LatticeAttribute, LatticeInfo } from '../server/api';

/** The example that a slider shows at a level. */
export const exampleAt = (attribute: LatticeAttribute, level: number, which = 0): string => {
  const examples = attribute.levels[level]?.examples ?? [];
  return examples[which] ?? examples.at(-1) ?? (level === attribute.top ? '*' : '');
};

export interface Row {
  before: string[];
  after: string[];
}

/** Typical rows under a scheme, put together of each attribute's examples; never a record. */
export function rows(lattice: LatticeInfo, scheme: number[], most = 2): Row[] {
  const chains = Math.max(1, ...lattice.attributes.map((a) => a.levels[0]?.examples.length ?? 1));
  return Array.from({ length: Math.min(most, chains) }, (_, which) => ({
    before: lattice.attributes.map((a) => exampleAt(a, 0, which)),
    after: lattice.attributes.map((a, i) => exampleAt(a, scheme[i] ?? 0, which)),
  }));
}
