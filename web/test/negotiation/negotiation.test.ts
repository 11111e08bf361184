import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Answer, Ask, LatticeInfo, Model, Offer, Project } from '../../src/lib/server/api';
import { Negotiation } from '../../src/lib/negotiation/negotiation.svelte';

const account = { read: 100, dropped: 0, counted: 100 };
const lattice = (qi: string[]): LatticeInfo => ({
  qi,
  attributes: qi.map((name) => ({ name, top: 2, levels: [] })),
  schemes: 3 ** qi.length, way: 'full',
  records: 100,
  account,
  base_groups: 10,
  unaskable: {},
  notice: null,
});
const project = {
  name: 'clinic',
  qi: ['age', 'race'],
  sensitive: [],
  records: 100,
  attributes: [{ name: 'age', role: 'quasi-identifier' }, { name: 'race', role: 'quasi-identifier' }],
  defaults: { privacy: [{ model: 'k-anonymity', k: 10 }], max_suppressed: 5, levels: { age: 1, race: 1 }, optimize: 'lm' },
} as unknown as Project;
const models = [{ id: 'k-anonymity', parameters: [{ name: 'k', negotiated: true }] }] as unknown as Model[];

const offer = (scheme: number[], suppressed: number): Offer => ({
  scheme,
  levels: {},
  height: scheme.reduce((a, b) => a + b),
  suppressed,
  privacy: { 'k-anonymity': 10 },
  thresholds: [{ model: 'k-anonymity', k: 10 }],
  attained: { 'k-anonymity': 10 },
});

/** With a limit of 5 records one has to be relaxed; from 8 on, [0,1] is the best match. */
function answer(ask: Ask): Answer {
  const common = { asked: ask, account, visited: 1, micros: 1, version: 2 };
  if (Number(ask.max_suppressed) >= 8) return { ...common, outcome: 'exact', exact: offer([0, 1], 7), relaxations: [] };
  const relaxation = { kind: 'suppression' as const, offer: offer([1, 1], 8), accept: { ...ask, max_suppressed: 8 } };
  return { ...common, outcome: 'relaxed', relaxations: [relaxation] };
}

/** The lattice that the server does not build. */
const REFUSED = 'race';

function reply(path: string, body: string): string | ArrayBuffer {
  const ask = JSON.parse(body || '{}') as Ask;
  switch (path) {
    case '/api/project':
      return JSON.stringify(project);
    case '/api/models':
      return JSON.stringify(models);
    case '/api/measures':
      return '[]';
    case '/api/build':
      return JSON.stringify(ask.qi?.join() === REFUSED ? { error: { kind: 'bad-input', problems: [{ what: 'too large' }] } } : { done: lattice(ask.qi!) });
    case '/api/prepare':
      return '{"done":{"schemes":9}}';
    case '/api/suppressed':
      return new ArrayBuffer(8 * 3 ** ask.qi!.length);
    default:
      return JSON.stringify(answer(ask));
  }
}

const address = { hash: '', pathname: '/', search: '' };
const written = (_state: unknown, _title: string, to: string) => void (address.hash = to.slice(to.indexOf('#')));
let back: () => void = () => {};

beforeEach(() => {
  address.hash = '';
  vi.stubGlobal('location', address);
  vi.stubGlobal('history', { pushState: written, replaceState: written });
  vi.stubGlobal('addEventListener', (_name: string, listener: () => void) => (back = listener));
  vi.stubGlobal('fetch', async (path: string, { body }: { body?: string }) => new Response(reply(path, body ?? '')));
});
afterEach(() => vi.unstubAllGlobals());

const open = () => Negotiation.open(null, { begun: () => {}, progress: () => {} }, new AbortController().signal);
const settled = (negotiation: Negotiation) => vi.waitUntil(() => negotiation.answer.settled);

test('accepting an offer takes its request and exactly its scheme, and undo takes both back', async () => {
  const negotiation = await open();
  const { request, selection } = negotiation;
  expect(negotiation.answer.deal?.cards.map(({ title }) => title)).toEqual(['Allow 3 more records to be dropped']);
  negotiation.accept(negotiation.answer.deal!.cards[0]!);
  expect(negotiation.answer.settled).toBe(false);
  expect([request.current.limit.amount, selection.pinnedLevels]).toEqual([8, [1, 1]]);
  await settled(negotiation);
  expect([selection.pinnedLevels, selection.chosen, selection.standing]).toEqual([[1, 1], [1, 1], 'which you pinned']);
  expect(address.hash).toContain('pin=1,1');
  negotiation.undo();
  await settled(negotiation);
  expect([request.current.limit.amount, selection.pinnedLevels, selection.standing]).toEqual([5, null, 'the first of the offers']);
  negotiation.close();
});

test('back goes to the request that the address says, along the line of undo', async () => {
  const negotiation = await open();
  const { request, selection } = negotiation;
  const before = { ...address };
  negotiation.edit({ ...request.current, limit: { amount: 9, unit: 'records' } });
  await settled(negotiation);
  selection.pin(selection.pinned === 0 ? null : 0);
  expect([selection.chosen, selection.named]).toEqual([[0, 0], [0, 0]]);
  address.hash = before.hash;
  back();
  await settled(negotiation);
  expect([request.current.limit.amount, request.line.future.length, selection.pinned]).toEqual([5, 1, null]);
  negotiation.close();
});

test('another lattice begins without pins; one that cannot be built leaves the old one', async () => {
  const negotiation = await open();
  const { request, selection, answer } = negotiation;
  selection.pinScheme([1, 0]);
  selection.shortlisted([1, 0], true);
  negotiation.edit({ ...request.current, qi: ['age'] });
  await settled(negotiation);
  expect([request.lattice.qi, answer.space.size, selection.pinnedLevels, selection.shortlist]).toEqual([['age'], 3, null, []]);
  negotiation.edit({ ...request.current, qi: [REFUSED] });
  await settled(negotiation);
  expect([request.current.qi, request.lattice.qi, answer.error]).toEqual([['age'], ['age'], 'too large']);
  negotiation.close();
});
