// Relaxations as cards: what would have to be relaxed, what it costs, and the request that accepts it.

import type { Answer, LatticeInfo, Offer, Offers, Privacy, PrivacyOffer, Threshold } from './api';
import { capsInOrder, limitInRecords, type Request } from './request';
import { headline } from './headline';
import { counted, figure, list, small } from './words';

export type Kind = 'exact' | 'suppression' | 'height' | 'privacy' | 'attribute';

export interface Card {
  id: string;
  kind: Kind;
  title: string;
  offer: Offer;
  /** The attribute left out. */
  without?: string;
  /** The request with this accepted. */
  accepted: Request;
}

export interface Missing {
  kind: Kind;
  reason: string;
}

export interface Deal {
  cards: Card[];
  missing: Missing[];
}

/** Everything that is possible, best first, and why the rest cannot. */
export function deal(answer: Answer, request: Request, lattice: LatticeInfo): Deal {
  const exact = answer.exact;
  if (exact) {
    return { cards: [{ id: 'exact', kind: 'exact', title: headline(lattice, exact.scheme, exact.suppressed), offer: exact, accepted: request }], missing: [] };
  }
  const offers = answer.relaxations;
  if (!offers) return { cards: [], missing: [] };
  const cards = [
    ...suppression(offers, request, lattice),
    ...height(offers, request, lattice),
    ...privacy(offers, request),
    ...attribute(offers, request, lattice),
  ];
  return { cards, missing: reasons(offers) };
}

function suppression({ suppression: offer }: Offers, request: Request, lattice: LatticeInfo): Card[] {
  if (!offer) return [];
  const more = offer.suppressed - limitInRecords(request.limit, lattice.records);
  const accepted: Request = { ...request, limit: { amount: offer.suppressed, unit: 'records' } };
  const title = `Allow ${counted(more, 'more record')} to be dropped`;
  return [{ id: 'suppression', kind: 'suppression', title, offer, accepted }];
}

function height({ height: offer }: Offers, request: Request, lattice: LatticeInfo): Card[] {
  if (!offer) return [];
  const caps = capsInOrder(request, lattice);
  const beyond = lattice.attributes
    .map(({ name }, i) => ({ name, by: (offer.scheme[i] ?? 0) - (caps[i] ?? 0), level: offer.scheme[i] ?? 0 }))
    .filter(({ by }) => by > 0);
  const raised = Object.fromEntries(beyond.map(({ name, level }) => [name, level]));
  const title = `Make ${list(beyond.map(({ name, by }) => `${name} ${small(by)} level${by > 1 ? 's' : ''}`))} coarser`;
  const accepted: Request = { ...request, caps: { ...request.caps, ...raised } };
  return [{ id: 'height', kind: 'height', title, offer, accepted }];
}

function privacy(offers: Offers, request: Request): Card[] {
  if (offers.privacy_each) {
    return offers.privacy_each.flatMap((each, i) => privacyCard(each, i, request));
  }
  const offer = offers.privacy;
  if (!offer) return [];
  const changed = changedNumber(Object.values(offer.privacy), request.privacy);
  if (!changed) return [];
  const { position, parameter, value } = changed;
  const title = weakened(request, position, parameter, value);
  return [{ id: 'privacy', kind: 'privacy', title, offer, accepted: settled(request, position, parameter, value) }];
}

function privacyCard(each: PrivacyOffer, i: number, request: Request): Card[] {
  if (!each.offer || each.value == null) return [];
  const labels = Object.keys(each.offer.privacy);
  const position = labels.indexOf(each.model);
  const title = weakened(request, Math.max(position, 0), each.parameter, each.value);
  const ambiguous = request.privacy.length > 1 ? ` of ${each.model}` : '';
  const accepted = settled(request, Math.max(position, 0), each.parameter, each.value);
  return [{ id: `privacy-${i}`, kind: 'privacy', title: title + ambiguous, offer: each.offer, accepted }];
}

/** The number that an offer changes; thresholds come in the order in which they were asked for. */
function changedNumber(offered: Threshold[], asked: Privacy[]) {
  for (const [position, threshold] of offered.entries()) {
    const numbers = numbersOf(asked[position]);
    for (const [parameter, value] of Object.entries(byParameter(threshold, Object.keys(numbers)[0] ?? ''))) {
      if (value !== null && numbers[parameter] !== value) return { position, parameter, value };
    }
  }
  return null;
}

/** A threshold by parameter; a single number is that of the first one. */
const byParameter = (threshold: Threshold, first: string): Record<string, number | null> =>
  typeof threshold === 'object' && threshold !== null ? threshold : { [first]: threshold };

export const numbersOf = (privacy: Privacy | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(privacy ?? {}).filter((e): e is [string, number] => typeof e[1] === 'number'));

/** "Lower k to 7", "Raise t to 0.3": the number on its way to what is possible. */
function weakened(request: Request, position: number, parameter: string, value: number): string {
  const asked = numbersOf(request.privacy[position])[parameter];
  const verb = asked === undefined ? 'Set' : value < asked ? 'Lower' : 'Raise';
  return `${verb} ${parameter} to ${figure(value)}`;
}

function settled(request: Request, position: number, parameter: string, value: number): Request {
  const privacy = request.privacy.map((one, i) => (i === position ? { ...one, [parameter]: value } : one));
  return { ...request, privacy };
}

function attribute(offers: Offers, request: Request, lattice: LatticeInfo): Card[] {
  return offers.attribute.map((offer) => {
    const top = lattice.attributes.find(({ name }) => name === offer.attribute)?.top ?? 0;
    const accepted: Request = { ...request, caps: { ...request.caps, [offer.attribute]: top } };
    const title = `Hide ${offer.attribute}`;
    return { id: `attribute-${offer.attribute}`, kind: 'attribute', title, offer, accepted, without: offer.attribute };
  });
}

function reasons(offers: Offers): Missing[] {
  const all: [Kind, string | null | undefined][] = [
    ['suppression', offers.suppression_reason],
    ['height', offers.height_reason],
    ['privacy', offers.privacy_reason],
    ['attribute', offers.attribute_reason],
  ];
  return all.flatMap(([kind, reason]) => (reason ? [{ kind, reason }] : []));
}

/** The whole answer in a sentence, for those who hear it. */
export function summary({ cards }: Deal): string {
  const [first] = cards;
  if (!first) return 'Not possible as asked, and no single change would help.';
  if (first.kind !== 'exact') return `Not possible as asked. You could change one of these: ${cards.map((card) => card.title).join('; ')}.`;
  return `Possible. Best match: ${first.title}. Scheme [${first.offer.scheme.join(',')}].`;
}

/** "k = 10", "k = 10, t = 0.2 on disease": the thresholds of a request. */
export const thresholdWords = (asked: Privacy[]): string =>
  asked
    .map((one) => {
      const numbers = Object.entries(numbersOf(one)).map(([name, value]) => `${name} = ${figure(value)}`);
      return numbers.join(', ') + (typeof one.on === 'string' ? ` on ${one.on}` : '');
    })
    .join(', ');

/** "k = 10", "l = 3, c = 2": a threshold as asked or attained. */
export function thresholds(by: Record<string, Threshold>, asked: Privacy[]): string {
  const one = ([label, threshold]: [string, Threshold], i: number) => {
    const named = asked.length > 1 ? ` (${label})` : '';
    const names = Object.keys(numbersOf(asked[i]));
    const pairs = Object.entries(byParameter(threshold, names[0] ?? label)).map(([name, value]) => `${name} = ${figure(value)}`);
    return pairs.join(', ') + named;
  };
  return list(Object.entries(by).map(one));
}
