import { expect, test } from 'vitest';
import { addMark, neighbour, removeMark, roundWidth, setRole } from '../../src/lib/setup/plan';
import {
  addBound,
  addBoundLevel,
  addGroupLevel,
  alone,
  labelsOf,
  memberships,
  merge,
  moveBound,
  readNumbers,
  readTree,
  removeBound,
  rename,
  split,
  toggleBound,
  treeText,
} from '../../src/lib/setup/rules';
import type { Plan, RuleOf, SetupColumn } from '../../src/lib/setup/types';

const column = (name: string): SetupColumn => ({
  name,
  kind: 'number',
  distinct: 9,
  estimated: false,
  missing: 0,
  range: [0, 90],
  longest: 2,
  role: 'insensitive',
  why: 'nothing',
  doubtful: false,
  hierarchy: { rule: 'prefix', hidden: [1], pad: 'right' },
  hierarchy_why: 'codes',
});
const plan: Plan = {
  columns: [{ name: 'age', role: 'insensitive', negotiated: false, hierarchy: null }],
  missing: [],
  on_missing: 'drop',
  unit: null,
  k: 5,
  max_suppressed: '1%',
};

test('a new quasi-identifier is negotiated and has the hierarchy that suits it', () => {
  const next = setRole(plan, column('age'), 'quasi-identifier');
  expect(next.columns[0]).toEqual({ name: 'age', role: 'quasi-identifier', negotiated: true, hierarchy: column('age').hierarchy });
  expect(plan.columns[0]?.role).toBe('insensitive');
  const back = setRole(next, column('age'), 'sensitive');
  expect(setRole(back, column('age'), 'quasi-identifier').columns[0]?.hierarchy).toEqual(column('age').hierarchy);
  expect(setRole(plan, column('age'), 'insensitive')).toBe(plan);
  const persons: Plan = { ...plan, unit: 'age', columns: [{ ...plan.columns[0]!, role: 'identifier' }] };
  expect(setRole(persons, column('age'), 'sensitive')).toMatchObject({ unit: null, columns: [{ role: 'sensitive' }] });
});

test('marks of missing values are added once, without blanks, and removed', () => {
  const marked = addMark(addMark(plan, ' NA '), '');
  expect(marked.missing).toEqual(['NA', '']);
  expect(addMark(marked, 'NA')).toBe(marked);
  expect(removeMark(marked, '').missing).toEqual(['NA']);
  expect(plan.missing).toEqual([]);
});

test('roles have neighbours except at the ends', () => {
  expect(neighbour('sensitive', -1)).toBe('quasi-identifier');
  expect(neighbour('sensitive', 1)).toBe('insensitive');
  expect(neighbour('quasi-identifier', -1)).toBeUndefined();
  expect(neighbour('identifier', 1)).toBeUndefined();
});

const bounds = (...levels: number[][]): RuleOf<'bounds'> => ({ rule: 'bounds', levels });

test('higher levels keep only bounds that the level below has', () => {
  expect(moveBound(bounds([18, 40, 65], [40]), 40, 50).levels).toEqual([[18, 50, 65], [50]]);
  expect(moveBound(bounds([18, 40, 65]), 40, 65).levels).toEqual([[18, 40, 65]]);
  expect(removeBound(bounds([18, 40, 65], [40]), 40).levels).toEqual([[18, 65]]);
  expect(removeBound(bounds([18]), 18).levels).toEqual([[18]]);
  expect(addBound(bounds([18, 65], [65]), 30).levels).toEqual([[18, 30, 65], [65]]);
  expect(addBoundLevel(bounds([1, 2, 3, 4])).levels).toEqual([[1, 2, 3, 4], [2, 4]]);
  expect(toggleBound(bounds([1, 2, 3], [2]), 1, 3).levels).toEqual([[1, 2, 3], [2, 3]]);
  expect(toggleBound(bounds([1, 2, 3], [2]), 1, 2).levels).toEqual([[1, 2, 3]]);
});

const towns = ['Bonn', 'Köln', 'Ulm', 'Rom'];
const groups = (): RuleOf<'groups'> => ({ rule: 'groups', levels: [towns.map(alone)], order: null, rest: 'Other' });

test('categories are merged, renamed and split at every level', () => {
  let rule = merge(groups(), 0, ['Bonn', 'Köln'], 'West');
  expect(labelsOf(rule, 0, towns)).toEqual(['West', 'Ulm', 'Rom']);
  rule = addGroupLevel(rule, towns);
  rule = merge(rule, 1, ['West', 'Ulm'], 'Germany');
  expect(memberships(rule, 1, towns).map((m) => m.label)).toEqual(['Germany', 'Germany', 'Rom']);
  rule = rename(rule, 0, 'West', 'Rhine');
  expect(rule.levels[1]?.find((g) => g.label === 'Germany')?.members).toContain('Rhine');
  rule = split(rule, 0, 'Rhine');
  expect(rule.levels[0]).toContainEqual(alone('Köln'));
  const listed = rule.levels[1]?.flatMap((g) => g.members) ?? [];
  expect([...listed].sort()).toEqual([...towns].sort());
});

test('merging into a group that is there adds to it, and values that no group lists are the rest', () => {
  const rule = merge(merge(groups(), 0, ['Bonn'], 'West'), 0, ['Köln'], 'West');
  expect(rule.levels[0]?.find((g) => g.label === 'West')?.members).toEqual(['Bonn', 'Köln']);
  expect(memberships(rule, 0, [...towns, 'Paris']).at(-1)).toEqual({ member: 'Paris', label: 'Other' });
  expect(merge(rule, 0, ['Rom'], '  ')).toBe(rule);
});

test('trees survive the way to text and back', () => {
  const text = 'Europe\n  Germany\n    Ulm\n    Bonn\n  Italy\n    Rom\nAsia\n  Osaka\n';
  const tree = readTree(text);
  expect(tree.map((node) => node.label)).toEqual(['Europe', 'Asia']);
  expect(treeText(tree)).toBe(text);
  expect(readTree('\n  \n')).toEqual([]);
});

test('numbers are read as people write them', () => {
  expect(readNumbers('5, 10 20')).toEqual([5, 10, 20]);
  expect(readNumbers('5; x')).toBeNull();
  expect(readNumbers(' ')).toBeNull();
  expect(roundWidth(90)).toBe(10);
  expect(roundWidth(1)).toBe(0.1);
  expect(roundWidth(0)).toBe(1);
});
