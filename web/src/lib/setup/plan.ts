// Changes of a plan: every function takes a plan and returns a new one.

import { alone } from './rules';
import type { Plan, PlannedColumn, Role, Rule, RuleName, SetupColumn } from './types';

/** The roles in the order of the page, with what becomes of such a column. */
export const ROLES: { role: Role; title: string; one: string; means: string; key: string }[] = [
  { role: 'quasi-identifier', title: 'Quasi-identifiers', one: 'quasi-identifier', means: 'others may know them: generalized', key: 'q' },
  { role: 'sensitive', title: 'Sensitive', one: 'sensitive', means: 'must not become known: protected', key: 's' },
  { role: 'insensitive', title: 'Insensitive', one: 'insensitive', means: 'published as recorded', key: 'i' },
  { role: 'identifier', title: 'Dropped', one: 'identifier, to be dropped', means: 'identifiers: never published', key: 'd' },
];

export const columnOf = (plan: Plan, name: string): PlannedColumn => plan.columns.find((c) => c.name === name)!;

function withColumn(plan: Plan, name: string, change: Partial<PlannedColumn>): Plan {
  return { ...plan, columns: plan.columns.map((c) => (c.name === name ? { ...c, ...change } : c)) };
}

/** A column in another role; a new quasi-identifier is negotiated and gets the hierarchy that suits it. */
export function setRole(plan: Plan, column: SetupColumn, role: Role): Plan {
  const now = columnOf(plan, column.name);
  if (now.role === role) return plan;
  if (plan.unit === column.name && role !== 'identifier') return setRole({ ...plan, unit: null }, column, role);
  if (role !== 'quasi-identifier') return withColumn(plan, column.name, { role });
  const hierarchy = now.hierarchy ?? column.hierarchy ?? null;
  return withColumn(plan, column.name, { role, negotiated: true, hierarchy });
}

/** The role next to this one on the page; none beyond the ends. */
export function neighbour(role: Role, by: -1 | 1): Role | undefined {
  return ROLES[ROLES.findIndex((r) => r.role === role) + by]?.role;
}

export const setNegotiated = (plan: Plan, name: string, negotiated: boolean): Plan => withColumn(plan, name, { negotiated });

export const setHierarchy = (plan: Plan, name: string, hierarchy: Rule | null): Plan => withColumn(plan, name, { hierarchy });

/** One more field that means "not known"; blanks around fields do not count. */
export function addMark(plan: Plan, mark: string): Plan {
  const [marks, added] = [plan.missing ?? [], mark.trim()];
  return marks.includes(added) ? plan : { ...plan, missing: [...marks, added] };
}

export const removeMark = (plan: Plan, mark: string): Plan => ({ ...plan, missing: (plan.missing ?? []).filter((other) => other !== mark) });

/** A width of about a tenth of a range, as people write it: 1, 2 or 5 and zeros. */
export function roundWidth(range: number): number {
  if (!(range > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(range / 10));
  const factor = range / 10 / power;
  return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

/** A rule of a kind to begin with. */
export function startRule(kind: RuleName, column: SetupColumn, values: string[]): Rule | null {
  const [least, most] = column.range ?? [0, 100];
  const width = roundWidth(most - least);
  switch (kind) {
    case 'intervals':
      return { rule: 'intervals', widths: [width, 2 * width, 4 * width], origin: 0, below: null, above: null };
    case 'bounds': {
      const bounds = [1, 2, 3].map((i) => Math.round((least + (i * (most - least)) / 4) / width) * width);
      return { rule: 'bounds', levels: [[...new Set(bounds)].sort((a, b) => a - b)] };
    }
    case 'prefix':
      return { rule: 'prefix', hidden: [1, 2, 3].filter((n) => n < column.longest), pad: 'right' };
    case 'dates':
      return { rule: 'dates', units: ['month', 'year'], format: null };
    case 'groups':
      return { rule: 'groups', levels: [values.map(alone)], order: null, rest: 'Other' };
    case 'tree':
      return { rule: 'tree', branches: [{ label: 'All', below: values.map((label) => ({ label, below: [] })) }], rest: 'Other' };
    case 'file':
      return null;
  }
}

/** The rules that make sense for a column. */
export function kindsFor(column: SetupColumn): RuleName[] {
  const numbers: RuleName[] = ['intervals', 'bounds'];
  const texts: RuleName[] = ['groups', 'tree'];
  if (column.kind === 'number') return [...numbers, 'prefix', ...texts];
  return column.kind === 'date' ? ['dates', ...texts] : ['prefix', ...texts];
}
