import { describe, expect, test } from 'vitest';
import type { Answer, Ask, LatticeInfo, Offer, Relaxation } from '../../src/lib/server/api';
import { deal, summary, thresholds } from '../../src/lib/answer/offers';
import { toAsk, type Request } from '../../src/lib/request/request';

const attribute = (name: string, top: number) => ({ name, top, levels: Array.from({ length: top + 1 }, (_, level) => ({ level, values: 0, examples: [] })) });
const lattice: LatticeInfo = {
  qi: ['age', 'race', 'workclass'],
  attributes: [attribute('age', 4), attribute('race', 2), attribute('workclass', 3)],
  schemes: 60, way: 'full',
  records: 30_162,
  account: { read: 32561, dropped: 2399, counted: 30162 },
  base_groups: 1069,
  unaskable: {},
  notice: null,
};
const request: Request = {
  qi: lattice.qi,
  privacy: [{ model: 'k-anonymity', k: 10 }],
  limit: { amount: 32, unit: 'records' },
  caps: { age: 2, race: 1, workclass: 1 },
  relax: 'lowest',
  optimize: null,
};
const offer = (scheme: number[], suppressed: number, k = 10): Offer => ({
  scheme,
  levels: {},
  height: scheme.reduce((a, b) => a + b),
  suppressed,
  privacy: { 'k-anonymity': k },
  thresholds: [{ model: 'k-anonymity', k }],
  attained: { 'k-anonymity': k },
});
/** The request as it is sent, with something else in it. */
const accept = (change: Ask): Ask => ({ ...toAsk(request, lattice), ...change });
const relaxed: Answer = {
  outcome: 'relaxed',
  asked: { privacy: request.privacy },
  account: { read: 32561, dropped: 2399, counted: 30162 },
  exact: null,
  relaxations: [
    { kind: 'suppression', offer: offer([2, 1, 1], 55), accept: accept({ max_suppressed: 55 }) },
    { kind: 'height', offer: offer([3, 1, 0], 28), accept: accept({ levels: [3, 1, 1] }) },
    { kind: 'privacy', model: 'k-anonymity', parameter: 'k', value: 7, offer: offer([2, 1, 1], 31, 7), accept: accept({ privacy: [{ model: 'k-anonymity', k: 7 }] }) },
    { kind: 'attribute', without: ['race'], offer: offer([2, 2, 1], 24), accept: accept({ levels: [2, 2, 1] }) },
    { kind: 'attributes', without: ['age', 'race'], offer: offer([4, 2, 0], 0), accept: accept({ levels: [4, 2, 1] }) },
  ],
  visited: 19,
  micros: 42,
  version: 2,
};

describe('relaxations in words', () => {
  const { cards } = deal(relaxed, request, lattice);

  test('say what gives', () => {
    expect(cards.map((card) => card.id)).toEqual(['suppression', 'height', 'privacy', 'attribute-race']);
    expect(cards.map((card) => card.title)).toEqual([
      'Allow 23 more records to be dropped',
      'Make age one level coarser',
      'Lower k to 7',
      'Hide race',
    ]);
  });

  test('accepted change just that', () => {
    const [suppression, height, privacy, attribute] = cards.map((card) => card.accepted);
    expect(suppression).toEqual({ ...request, limit: { amount: 55, unit: 'records' } });
    expect(height).toEqual({ ...request, caps: { age: 3, race: 1, workclass: 1 } });
    expect(privacy).toEqual({ ...request, privacy: [{ model: 'k-anonymity', k: 7 }] });
    expect(attribute).toEqual({ ...request, caps: { age: 2, race: 2, workclass: 1 } });
  });

  test('accepted leave attributes that have no maximum or are switched off as they are', () => {
    const { race: _race, ...caps } = request.caps;
    const relaxations: Relaxation[] = [{ kind: 'height', offer: offer([3, 1, 0], 28), accept: accept({ levels: { age: 3, race: 2, workclass: 1 } }) }];
    const [card] = deal({ ...relaxed, relaxations }, { ...request, caps: { ...caps, sex: 1 } }, lattice).cards;
    expect(card!.accepted.caps).toEqual({ age: 3, workclass: 1, sex: 1 });
  });

  test('accepted are written as the request was', () => {
    const close = { model: 't-closeness', t: 0.1 };
    const asked: Request = { ...request, privacy: [close], limit: { amount: 0.1, unit: 'percent' } };
    const spelled = (t: number) => [{ model: 't-closeness', on: 'disease', distance: 'equal', t }];
    const relaxations: Relaxation[] = [
      { kind: 'suppression', offer: offer([2, 1, 1], 55), accept: accept({ privacy: spelled(0.1), max_suppressed: 55 }) },
      { kind: 'privacy', model: 't-closeness', parameter: 't', value: 0.3, offer: offer([2, 1, 1], 30), accept: accept({ privacy: spelled(0.3), max_suppressed: 30 }) },
    ];
    const { cards } = deal({ ...relaxed, relaxations }, asked, lattice);
    expect(cards.map((card) => card.title)).toEqual(['Allow 25 more records to be dropped', 'Raise t to 0.3']);
    expect(cards[0]!.accepted).toEqual({ ...asked, limit: { amount: 55, unit: 'records' } });
    expect(cards[1]!.accepted).toEqual({ ...asked, privacy: [{ ...close, t: 0.3 }] });
  });

  test('name the number that gives where there are several', () => {
    const several = { ...request, privacy: [...request.privacy, { model: 'recursive-l-diversity', l: 3, c: 2, on: 'x' }] };
    const each = { ...offer([2, 1, 1], 3), privacy: { 'k-anonymity': 10, 'recursive-l-diversity': { l: 3, c: 4.5 } } };
    const weaker = [...request.privacy, { model: 'recursive-l-diversity', on: 'x', c: 4.5, l: 3 }];
    const relaxations: Relaxation[] = [
      { kind: 'suppression', reason: 'no record would be left' },
      { kind: 'privacy', model: 'k-anonymity', parameter: 'k', reason: 'too many' },
      { kind: 'privacy', model: 'recursive-l-diversity', parameter: 'c', value: 4.5, offer: each, accept: accept({ privacy: weaker }) },
      { kind: 'attributes', without: ['age', 'race'], reason: 'too many' },
    ];
    const answer: Answer = { ...relaxed, relaxations };
    const { cards, missing } = deal(answer, several, lattice);
    expect(cards.map(({ id, title }) => [id, title])).toEqual([['privacy-1', 'Raise c to 4.5 of recursive-l-diversity']]);
    expect(cards[0]!.accepted.privacy[1]).toEqual({ model: 'recursive-l-diversity', l: 3, c: 4.5, on: 'x' });
    expect(Object.keys(cards[0]!.accepted.privacy[1]!)).toEqual(['model', 'l', 'c', 'on']);
    expect(missing).toEqual([{ kind: 'suppression', reason: 'no record would be left' }]);
  });

  test('are summed up in a sentence', () => {
    expect(summary(deal(relaxed, request, lattice))).toBe(
      'Not possible as asked. You could change one of these: Allow 23 more records to be dropped; Make age one level coarser; Lower k to 7; Hide race.',
    );
    const exact = { ...relaxed, exact: offer([1, 1, 0], 170), relaxations: [] };
    expect(summary(deal(exact, request, lattice))).toBe('Possible. Best match: Age made coarser, race made coarser, 170 records dropped. Scheme [1,1,0].');
    expect(summary({ cards: [], missing: [] })).toMatch(/^Not possible as asked, and no single change/);
  });

  test('tell thresholds as they were asked for', () => {
    expect(thresholds({ 'k-anonymity': 12 }, request.privacy)).toBe('k = 12');
    const two = [{ model: 'a', k: 2 }, { model: 'b', l: 3, c: 1 }];
    expect(thresholds({ a: 2, b: { l: 3, c: 0.5 } }, two)).toBe('k = 2 (a) and l = 3, c = 0.5 (b)');
  });
});
