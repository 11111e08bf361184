import { describe, expect, test } from 'vitest';
import type { Model, Parameter, Project } from '../../src/lib/server/api';
import { defaultRequest, fromAsk, limitInRecords, readLimit, written } from '../../src/lib/request/request';
import { firstValue, inRange, nearest, rangeText, refusal, stopsOf, wholeStops } from '../../src/lib/request/stops';

const k: Parameter = { name: 'k', meaning: 'm', minimum: 2, maximum: 4294967295, whole: true, negotiated: true, optional: false, usual: 5 };
const share: Parameter = { name: 'd', meaning: 'm', above: 0, below: 1, whole: false, negotiated: true, optional: false, usual: 0.5 };
const free: Parameter = { name: 't', meaning: 'm', minimum: 0, whole: false, negotiated: true, optional: false, usual: 0.2 };

describe('limits', () => {
  test('in per cent are floored exactly', () => {
    expect(limitInRecords({ amount: 1, unit: 'percent' }, 30_162)).toBe(301);
    expect(limitInRecords({ amount: 0.29, unit: 'percent' }, 10_000)).toBe(29);
    expect(limitInRecords({ amount: 99_999, unit: 'records' }, 30_162)).toBe(30_162);
  });

  test('are written as they are read', () => {
    for (const text of ['1%', '0.5%', '0%', '100%']) expect(written(readLimit(text)!)).toBe(text);
    expect(written(readLimit(321)!)).toBe(321);
    for (const text of ['101%', '-1', '1.5', 'x', '']) expect(readLimit(text)).toBeNull();
  });
});

describe('stops of sliders', () => {
  test('are fine where it matters and end at the records', () => {
    const stops = wholeStops(2, 30_162);
    expect(stops.slice(0, 4)).toEqual([2, 3, 4, 5]);
    expect(stops.at(-1)).toBe(30_162);
    expect(stops.length).toBeLessThan(120);
    expect(stops.every((stop, i) => i === 0 || stop > stops[i - 1]!)).toBe(true);
    expect(stopsOf(k, 30_162)).toEqual(stops);
  });

  test('stay within what the catalog allows', () => {
    for (const parameter of [k, share, free]) {
      const stops = stopsOf(parameter, 1000);
      expect(stops.every((stop) => inRange(parameter, stop))).toBe(true);
      expect(inRange(parameter, firstValue(parameter, 1000))).toBe(true);
      expect(new Set(stops).size).toBe(stops.length);
    }
    expect(rangeText(k)).toBe('2 or more');
    expect(rangeText(share)).toBe('above 0, below 1');
  });

  test('refuse in words what cannot be asked for', () => {
    expect(refusal(k, 10, 1000)).toBeNull();
    expect(refusal(k, 1, 1000)).toBe('k must be 2 or more');
    expect(refusal(k, 2.5, 1000)).toBe('k must be a whole number');
    expect(refusal(k, NaN, 1000)).toBe('k needs a number');
    expect(refusal(k, 1001, 1000)).toBe('k = 1,001 is more than the 1,000 records that there are');
    expect(refusal(share, 1, 1000)).toBe('d must be above 0, below 1');
  });

  test('are found by the nearest', () => {
    expect(wholeStops(0, 30_162)[nearest(wholeStops(0, 30_162), 321)]).toBeGreaterThan(290);
  });
});

test('the first request is the project’s own, with every number named', () => {
  const model = { id: 'k-anonymity', parameters: [k], sensitive: false } as unknown as Model;
  const project: Project = {
    name: 'x',
    location: 'demo:x',
    version: '',
    demo: false,
    records: 100,
    qi: ['a', 'b'],
    attributes: [],
    sensitive: [],
    defaults: { privacy: [{ model: 'k-anonymity', '': 5 }], levels: [1, 2], max_suppressed: '1%' },
    notice: null,
  };
  expect(defaultRequest(project, [model])).toEqual({
    qi: ['a', 'b'],
    privacy: [{ model: 'k-anonymity', k: 5 }],
    limit: { amount: 1, unit: 'percent' },
    caps: { a: 1, b: 2 },
    relax: 'lowest',
    optimize: 'lm',
  });
  expect(defaultRequest({ ...project, defaults: { optimize: 'precision' } }, [model]).optimize).toBe('precision');
  expect(defaultRequest({ ...project, defaults: {} }, [model]).privacy).toEqual([{ model: 'k-anonymity', k: 5 }]);
});

test('a request that was sent is read back as it was', () => {
  const model = { id: 'k-anonymity', parameters: [k], sensitive: false } as unknown as Model;
  const otherwise = { qi: ['a'], privacy: [{ model: 'k-anonymity', k: 5 }], limit: { amount: 1, unit: 'percent' as const }, caps: {}, relax: 'lowest' as const, optimize: 'lm' };
  const sent = { qi: ['a', 'b'], privacy: [{ model: 'k-anonymity', '': 7 }], levels: [1, 0], max_suppressed: '2%' };
  expect(fromAsk(sent, otherwise, [model])).toEqual({
    qi: ['a', 'b'],
    privacy: [{ model: 'k-anonymity', k: 7 }],
    limit: { amount: 2, unit: 'percent' },
    caps: { a: 1, b: 0 },
    relax: 'lowest',
    optimize: null,
  });
});
