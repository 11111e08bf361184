import { describe, expect, test } from 'vitest';
import { decode, encode, type View } from '../../src/lib/request/codec';

const view: View = {
  tab: 'trade-offs',
  request: {
    qi: ['age', 'marital status', 'a,b:c&d=e%'],
    privacy: [
      { model: 'k-anonymity', k: 10 },
      { model: 't-closeness', t: 0.2674407660996212, on: '2', distance: 'equal' },
    ],
    limit: { amount: 1.5, unit: 'percent' },
    caps: { age: 2, 'a,b:c&d=e%': 0 },
    relax: 'closest',
    optimize: 'lm',
  },
  pinned: [1, 0, 2],
  measure: 'entropy',
  instant: true,
  shortlist: [[1, 0, 2], [0, 0, 0]],
};

const otherwise: View = {
  tab: 'negotiate',
  request: {
    qi: ['age'],
    privacy: [{ model: 'k-anonymity', k: 5 }],
    limit: { amount: 1, unit: 'percent' },
    caps: {},
    relax: 'lowest',
    optimize: null,
  },
  pinned: null,
  measure: 'lm',
  instant: false,
  shortlist: [],
};

describe('the address', () => {
  test('reproduces the state, whatever attributes are called', () => {
    expect(decode(`#${encode(view)}`, otherwise)).toEqual(view);
    expect(decode(encode(otherwise), view)).toEqual(otherwise);
  });

  test('is one that people can read', () => {
    expect(encode({ ...otherwise, request: { ...otherwise.request, limit: { amount: 321, unit: 'records' }, caps: { age: 2 } } })).toBe(
      'qi=age&privacy=k-anonymity,k:5&limit=321&levels=age:2&optimize=steps',
    );
  });

  test('that says nothing, or nonsense, leads to what is usual', () => {
    expect(decode('', otherwise)).toEqual(otherwise);
    expect(decode('#qi=%E0%A4%A', otherwise)).toEqual(otherwise);
    const measured = { ...otherwise, request: { ...otherwise.request, optimize: 'lm' } };
    expect(decode('#qi=age', measured).request.optimize, 'unless the address says otherwise').toBe('lm');
    expect(decode('#qi=age&optimize=steps', measured).request.optimize).toBeNull();
    const spoiled = decode('#qi=age&limit=-3&levels=age:x&pin=1,y&tab=nowhere&relax=up', otherwise);
    expect(spoiled).toEqual(otherwise);
  });
});
