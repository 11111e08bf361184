import { describe, expect, it } from 'vitest';
import type { AttackReport } from '../../src/lib/server/api';
import { aboveBaseline, byOutcome, chance, isMuch, pair, priorTitle, targetsOf, titleOf, wholeText } from '../../src/lib/text/review';

const attack = (name: string, exposed: number | null) => ({ attack: name, exposed }) as AttackReport;

describe('a review', () => {
  it('lists attacks that found something first, the most records before others', () => {
    const { found, nothing, unchecked } = byOutcome([attack('a', 0), attack('b', 3), attack('c', null), attack('d', 40)]);
    expect([found, nothing, unchecked].map((all) => all.map((one) => one.attack))).toEqual([['d', 'b'], ['a'], ['c']]);
  });

  it('names attacks, models and priors in plain words', () => {
    expect([titleOf('background-knowledge'), titleOf('naive-bayes')]).toEqual(['Background knowledge', 'Naive Bayes']);
    expect([priorTitle('marginal'), priorTitle('conditionals:x')]).toEqual(['how often each value occurs in the table', 'conditionals:x']);
  });

  it('says how many records are unique over all columns, and when that is much', () => {
    const whole = { unchanged: ['ward'], unique: 7, records: 1000 };
    expect(wholeText(whole)).toBe('0.7 % of the records (7) are unique over all published columns that are not sensitive');
    expect(wholeText({ ...whole, unique: 1, estimated: true })).toMatch(/^about 0.1 % of the records \(1\) are unique/);
    expect([7, 10, 11].map((unique) => isMuch({ ...whole, unique }))).toEqual([false, false, true]);
  });

  it('writes probabilities, pairs and scores above the baseline', () => {
    expect([chance(0.1), chance(0), chance(1), chance(0.0040677)]).toEqual(['10 %', '0 %', '100 %', '0.41 %']);
    expect(pair({ before: 72, after: 15 }, 0)).toEqual(['72', '15']);
    expect([aboveBaseline(0.51, 0.474), aboveBaseline(0.47, 0.474), aboveBaseline(0.4741, 0.474)]).toEqual(['+3.6', '−0.4', '±0']);
  });

  it('predicts columns that are neither identifiers nor negotiated, sensitive ones first', () => {
    const attributes = [
      { name: 'id', role: 'identifier' },
      { name: 'age', role: 'quasi-identifier' },
      { name: 'sex', role: 'quasi-identifier' },
      { name: 'weight', role: 'insensitive' },
      { name: 'disease', role: 'sensitive' },
    ];
    expect(targetsOf(attributes, ['age'])).toEqual(['disease', 'sex', 'weight']);
  });
});
