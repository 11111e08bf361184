// Answers marked in the lattice: a shape for each kind, and short labels.

import { symbol, symbolCircle, symbolDiamond2, symbolSquare2, symbolStar, symbolTriangle, type SymbolType } from 'd3-shape';
import type { Card, Kind } from '../answer/offers';
import type { SchemeSet } from '../schemes/space';

const SHAPES: Record<Kind, SymbolType> = {
  exact: symbolStar,
  suppression: symbolCircle,
  height: symbolTriangle,
  privacy: symbolDiamond2,
  attribute: symbolSquare2,
};

/** The outline of a kind's shape as an SVG path around 0,0. */
export function outline(kind: Kind, radius: number): string {
  const area = { exact: 1.35, suppression: 2.6, height: 1.7, privacy: 2.6, attribute: 2.2 }[kind] * radius ** 2;
  return symbol(SHAPES[kind], area)() ?? '';
}

const WORDS: Record<Kind, string> = {
  exact: 'answer',
  suppression: 'records',
  height: 'levels',
  privacy: 'privacy',
  attribute: 'without',
};

export interface Mark {
  index: number;
  kinds: Kind[];
  label: string;
}

/** The schemes on offer; where several relaxations lead to one scheme, it is marked once with all. */
export function marks(cards: Card[], space: SchemeSet): Mark[] {
  const found = new Map<number, Card[]>();
  for (const card of cards) {
    if (!space.has(card.offer.scheme)) continue;
    const index = space.index(card.offer.scheme);
    found.set(index, [...(found.get(index) ?? []), card]);
  }
  return [...found].map(([index, here]) => {
    const kinds = [...new Set(here.map((card) => card.kind))];
    const words = here.map((card) => (card.without ? `without ${card.without}` : WORDS[card.kind]));
    return { index, kinds, label: [...new Set(words)].join(', ') };
  });
}

/** The one scheme that an instant answer speaks of. */
export const markOf = (scheme: number[] | null, space: SchemeSet): Mark[] =>
  scheme && space.has(scheme) ? [{ index: space.index(scheme), kinds: ['exact'], label: WORDS.exact }] : [];
