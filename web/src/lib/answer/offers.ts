// Relaxations as cards: what would have to be relaxed, what it costs, and the request that accepts it.

import type { Answer, Ask, LatticeInfo, Offer, Privacy, Relaxation, Threshold } from '../server/api';
import { capsInOrder, fromAsk, limitInRecords, type Limit, type Request } from '../request/request';
import { headline } from '../text/headline';
import { counted, figure, list, small } from '../text/words';

/** The relaxations that the page shows; hiding several attributes at once is not among them. */
const SHOWN = ['suppression', 'height', 'privacy', 'attribute'] as const;

export type Kind = 'exact' | (typeof SHOWN)[number];

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

/** What an answer belongs to. */
interface Asked {
  request: Request;
  lattice: LatticeInfo;
}

/** Everything that is possible, best first, and why the rest cannot. */
export function deal(answer: Answer, request: Request, lattice: LatticeInfo): Deal {
  const exact = answer.exact;
  if (exact) {
    return { cards: [{ id: 'exact', kind: 'exact', title: headline(lattice, exact.scheme, exact.suppressed), offer: exact, accepted: request }], missing: [] };
  }
  const each = SHOWN.map((kind) => ({ kind, relaxations: answer.relaxations.filter((one) => one.kind === kind) }));
  return {
    cards: each.flatMap(({ kind, relaxations }) => relaxations.flatMap((one, i) => card(kind, one, relaxations.length > 1 ? i : null, { request, lattice }))),
    missing: each.flatMap(({ kind, relaxations }) => reason(kind, relaxations)),
  };
}

/** `i`: which of several of its kind it is. */
function card(kind: (typeof SHOWN)[number], relaxation: Relaxation, i: number | null, asked: Asked): Card[] {
  const { offer, accept } = relaxation;
  if (!offer || !accept) return [];
  const accepted = acceptedRequest(accept, relaxation, asked);
  const common = { kind, offer, accepted };
  switch (kind) {
    case 'suppression':
      return [{ ...common, id: kind, title: moreDropped(offer, asked) }];
    case 'height':
      return [{ ...common, id: kind, title: coarser(offer, asked) }];
    case 'privacy':
      return [{ ...common, id: i === null ? kind : `${kind}-${i}`, title: weakened(relaxation, accepted, asked) }];
    case 'attribute': {
      const without = relaxation.without?.[0] ?? '';
      return [{ ...common, id: `${kind}-${without}`, title: `Hide ${without}`, without }];
    }
  }
}

/**
 * The request that the engine built, written as the page's own was: what that leaves out or gives in per cent
 * stays so where it means the same.
 */
function acceptedRequest(accept: Ask, { parameter }: Relaxation, { request, lattice }: Asked): Request {
  const accepted = fromAsk(accept, request, []);
  const tops = new Map(lattice.attributes.map(({ name, top }) => [name, top]));
  const caps = Object.entries(accepted.caps).filter(([name, level]) => name in request.caps || level !== tops.get(name));
  const privacy = accepted.privacy.map((one, i) => sameWords(one, request.privacy[i], parameter));
  const inRecords = (limit: Limit) => limitInRecords(limit, lattice.records);
  const limit = inRecords(accepted.limit) === inRecords(request.limit) ? request.limit : accepted.limit;
  return { ...accepted, caps: { ...request.caps, ...Object.fromEntries(caps) }, privacy, limit };
}

/** A model as it was asked for, with what is accepted of its parameters; defaults stay unsaid. */
function sameWords(accepted: Privacy, asked: Privacy | undefined, parameter: string | null | undefined): Privacy {
  if (asked?.model !== accepted.model) return accepted;
  const said = Object.entries(accepted).filter(([name]) => name in asked || name === parameter);
  return { ...asked, ...Object.fromEntries(said) };
}

function moreDropped({ suppressed }: Offer, { request, lattice }: Asked): string {
  const more = suppressed - limitInRecords(request.limit, lattice.records);
  return `Allow ${counted(more, 'more record')} to be dropped`;
}

function coarser({ scheme }: Offer, { request, lattice }: Asked): string {
  const caps = capsInOrder(request, lattice);
  const beyond = lattice.attributes.map(({ name }, i) => ({ name, by: (scheme[i] ?? 0) - (caps[i] ?? 0) })).filter(({ by }) => by > 0);
  return `Make ${list(beyond.map(({ name, by }) => `${name} ${small(by)} level${by > 1 ? 's' : ''}`))} coarser`;
}

/** "Lower k to 7", "Raise t to 0.3": the number on its way to what is possible. */
function weakened({ model, parameter, value }: Relaxation, accepted: Request, { request }: Asked): string {
  const name = parameter ?? '';
  const asked = request.privacy.find((one, i) => one[name] !== accepted.privacy[i]?.[name])?.[name];
  const verb = typeof asked !== 'number' ? 'Set' : value! < asked ? 'Lower' : 'Raise';
  const ambiguous = request.privacy.length > 1 ? ` of ${model}` : '';
  return `${verb} ${name} to ${figure(value!)}${ambiguous}`;
}

/** Why a kind of relaxation is not possible at all. */
function reason(kind: Kind, relaxations: Relaxation[]): Missing[] {
  const [first] = relaxations;
  return first?.reason && !relaxations.some(({ offer }) => offer) ? [{ kind, reason: first.reason }] : [];
}

/** A threshold by parameter; a single number is that of the first one. */
const byParameter = (threshold: Threshold, first: string): Record<string, number | null> =>
  typeof threshold === 'object' && threshold !== null ? threshold : { [first]: threshold };

export const numbersOf = (privacy: Privacy | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(privacy ?? {}).filter((e): e is [string, number] => typeof e[1] === 'number'));

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
