// Changes of a rule: bounds on a histogram, groups of categories, trees as text.

import type { LabelledGroup, RuleOf, TreeNode } from './types';

// Bounds on a histogram.

const sorted = (numbers: number[]) => [...new Set(numbers)].sort((a, b) => a - b);

/** Every level above has only bounds of the level below, so that values stay together. */
function nested(levels: number[][]): number[][] {
  const kept: number[][] = [];
  for (const level of levels) {
    const below = kept.at(-1);
    kept.push(below ? level.filter((bound) => below.includes(bound)) : sorted(level));
  }
  return kept.filter((level, i) => level.length > 0 && (i === 0 || level.length < kept[i - 1]!.length));
}

export function addBound(rule: RuleOf<'bounds'>, bound: number): RuleOf<'bounds'> {
  const [first = [], ...rest] = rule.levels;
  return { ...rule, levels: nested([sorted([...first, bound]), ...rest]) };
}

/** Moves a bound at every level that has it. */
export function moveBound(rule: RuleOf<'bounds'>, from: number, to: number): RuleOf<'bounds'> {
  if (from !== to && rule.levels[0]?.includes(to)) return rule;
  return { ...rule, levels: nested(rule.levels.map((level) => sorted(level.map((b) => (b === from ? to : b))))) };
}

/** Removes a bound; the last one stays, because a rule needs one. */
export function removeBound(rule: RuleOf<'bounds'>, bound: number): RuleOf<'bounds'> {
  const levels = nested(rule.levels.map((level) => level.filter((b) => b !== bound)));
  return levels.length ? { ...rule, levels } : rule;
}

/** A bound kept or not at a higher level. */
export function toggleBound(rule: RuleOf<'bounds'>, level: number, bound: number): RuleOf<'bounds'> {
  const has = rule.levels[level]?.includes(bound);
  const levels = rule.levels.map((bounds, i) => (i === level ? (has ? bounds.filter((b) => b !== bound) : sorted([...bounds, bound])) : bounds));
  return { ...rule, levels: nested(levels) };
}

/** One more level, with every second bound of the last. */
export function addBoundLevel(rule: RuleOf<'bounds'>): RuleOf<'bounds'> {
  const last = rule.levels.at(-1) ?? [];
  const next = last.filter((_, i) => i % 2 === 1);
  return next.length ? { ...rule, levels: [...rule.levels, next] } : rule;
}

// Groups of categories.

export const alone = (value: string): LabelledGroup => ({ label: value, members: [value] });

/** The values that a level has to group: those of the table, or the labels of the level below. */
export function memberships(rule: RuleOf<'groups'>, level: number, values: string[]): { member: string; label: string | null }[] {
  const below = level === 0 ? values : labelsOf(rule, level - 1, values);
  const label = (member: string) => rule.levels[level]?.find((g) => g.members.includes(member))?.label ?? rule.rest ?? null;
  return below.map((member) => ({ member, label: label(member) }));
}

/** The labels of a level, in order. */
export function labelsOf(rule: RuleOf<'groups'>, level: number, values: string[]): string[] {
  const labels = memberships(rule, level, values).map((m) => m.label);
  return [...new Set(labels.filter((label): label is string => label !== null))];
}

/** Puts members of a level into one group; groups that lose all their members go. */
export function merge(rule: RuleOf<'groups'>, level: number, members: string[], label: string): RuleOf<'groups'> {
  const name = label.trim();
  if (!name || !members.length) return rule;
  const left = (rule.levels[level] ?? [])
    .map((group) => ({ ...group, members: group.members.filter((m) => !members.includes(m)) }))
    .filter((group) => group.members.length || group.label === name);
  const known = left.find((group) => group.label === name);
  const groups = known
    ? left.map((group) => (group === known ? { ...group, members: [...group.members, ...members] } : group))
    : [...left, { label: name, members }];
  return consistent({ ...rule, order: null, levels: rule.levels.map((old, i) => (i === level ? groups : old)) });
}

/** Another name for a group; it is a member by that name at the next level. */
export function rename(rule: RuleOf<'groups'>, level: number, from: string, to: string): RuleOf<'groups'> {
  const name = to.trim();
  if (!name || name === from) return rule;
  if (rule.levels[level]?.some((group) => group.label === name)) {
    return merge(rule, level, rule.levels[level]!.find((g) => g.label === from)?.members ?? [], name);
  }
  const levels = rule.levels.map((groups, i) =>
    groups.map((group) => {
      if (i === level && group.label === from) return { ...group, label: name };
      if (i === level + 1) return { ...group, members: group.members.map((m) => (m === from ? name : m)) };
      return group;
    }),
  );
  return { ...rule, levels };
}

/** Each member of a group on its own again. */
export function split(rule: RuleOf<'groups'>, level: number, label: string): RuleOf<'groups'> {
  const groups = (rule.levels[level] ?? []).flatMap((g) => (g.label === label ? g.members.map(alone) : [g]));
  return consistent({ ...rule, levels: rule.levels.map((old, i) => (i === level ? groups : old)) });
}

/** One more level, with every label on its own. */
export function addGroupLevel(rule: RuleOf<'groups'>, values: string[]): RuleOf<'groups'> {
  const labels = labelsOf(rule, rule.levels.length - 1, values).filter((label) => label !== rule.rest);
  return { ...rule, levels: [...rule.levels, labels.map(alone)] };
}

export const removeLevel = <R extends RuleOf<'groups'> | RuleOf<'bounds'>>(rule: R, level: number): R => {
  const levels = (rule.levels as unknown[]).slice(0, level);
  return levels.length ? ({ ...rule, levels } as R) : rule;
};

/** Higher levels list only labels that there are, and all of them. */
function consistent(rule: RuleOf<'groups'>): RuleOf<'groups'> {
  const levels: LabelledGroup[][] = [];
  for (const groups of rule.levels) {
    const below = levels.at(-1)?.map((group) => group.label);
    if (!below) {
      levels.push(groups);
      continue;
    }
    const kept = groups
      .map((group) => ({ ...group, members: group.members.filter((m) => below.includes(m)) }))
      .filter((group) => group.members.length);
    const listed = new Set(kept.flatMap((group) => group.members));
    levels.push([...kept, ...below.filter((label) => !listed.has(label)).map(alone)]);
  }
  return { ...rule, levels };
}

// Trees as indented text.

/** A tree as lines, two blanks for each level. */
export function treeText(branches: TreeNode[], depth = 0): string {
  return branches.map((node) => `${'  '.repeat(depth)}${node.label}\n${treeText(node.below ?? [], depth + 1)}`).join('');
}

/** Lines as a tree; the indent of a line says what it belongs to. */
export function readTree(text: string): TreeNode[] {
  const top: TreeNode[] = [];
  const open: { indent: number; below: TreeNode[] }[] = [{ indent: -1, below: top }];
  for (const line of text.split('\n')) {
    const label = line.trim();
    if (!label) continue;
    const indent = line.replaceAll('\t', '  ').search(/\S/);
    while (open.at(-1)!.indent >= indent) open.pop();
    const node: TreeNode = { label, below: [] };
    open.at(-1)!.below.push(node);
    open.push({ indent, below: node.below! });
  }
  return top;
}

/** Numbers as people list them: "5, 10 20". */
export function readNumbers(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const numbers = parts.map(Number);
  return parts.length && numbers.every(Number.isFinite) ? numbers : null;
}
