import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/lib/server/api';
import { kindOf } from '../../src/lib/server/preparation.svelte';

const number = (name: string, negotiated: boolean) => ({ name, negotiated, meaning: '', whole: true, optional: false });
const model = (id: string, ...parameters: ReturnType<typeof number>[]) => ({ id, parameters }) as unknown as Model;
const models = [model('k-anonymity', number('k', true)), model('recursive', number('l', true), number('c', true))];

describe('questions of one kind', () => {
  const ask = (k: number, more = {}) => ({ qi: ['age'], privacy: [{ model: 'k-anonymity', k }], ...more });

  it('differ in a number that is looked up', () => {
    expect(kindOf(ask(5), null, models)).toBe(kindOf(ask(6, { max_suppressed: 9, levels: [1] }), null, models));
  });

  it('are of one lattice, one list of models and one measure', () => {
    const kinds = [ask(5), ask(5, { qi: ['sex'] }), ask(5, { optimize: 'lm' }), ask(5, { privacy: [] })].map((a) => kindOf(a, null, models));
    expect(new Set([...kinds, kindOf(ask(5), 'lm', models)]).size).toBe(5);
  });

  it('have the same numbers where one depends on the others', () => {
    const recursive = (l: number) => kindOf({ privacy: [{ model: 'recursive', l, c: 2 }] }, null, models);
    expect(recursive(2)).not.toBe(recursive(3));
  });
});
