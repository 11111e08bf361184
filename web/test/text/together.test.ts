import { describe, expect, it } from 'vitest';
import { togetherSentences } from '../../src/lib/text/together';

const differing = { compared: 1, not_compared: 0, k: 5, groups: 0, over: ['age'] };
const together = { earlier: 1, checked: 1, unchecked: 0, unrelated: 0, changed: 0, joined_on: ['age', 'disease'], over: ['age'], below: 0, unique: 0, differing };
const words = (more: object) => togetherSentences({ ...together, ...more }).map((one) => one.text);

describe('several publications', () => {
  it('says over which columns nothing was found', () => {
    expect(words({})).toEqual([
      'Joined with 1 earlier publication on age, disease: no record falls below the promise over age.',
      'No group over age differs from 1 earlier publication by 1 to 4 records.',
    ]);
  });

  it('gives no all-clear for what is not judged', () => {
    const nothing = { checked: 0, unchecked: 2, differing: { ...differing, compared: 0, not_compared: 2 } };
    expect(words(nothing)).toEqual([
      'Not judged: what joining with 2 earlier publications reveals.',
      'Not judged: where groups of 2 earlier publications differ from these.',
    ]);
    expect(togetherSentences({ checked: 0, unchecked: 1, below: 0 }).map((one) => one.warns)).toEqual([true]);
  });

  it('warns of records below the promise and of groups that differ little', () => {
    const found = togetherSentences({ ...together, below: 8, unique: 3, differing: { ...differing, groups: 1, from: 'one.csv' } });
    expect(found.map((one) => one.warns)).toEqual([true, true]);
    expect(found[0]?.text).toContain('8 records fall below the promise (unique: 3) over age');
    expect(found[1]?.text).toContain('1 group over age differs from one.csv by 1 to 4 records, or in sensitive values alone');
  });
});
