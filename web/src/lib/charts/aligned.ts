// Values before and after on one axis: the recorded values in the order of the hierarchy, and the run of them that each
// published value stands for.

import type { Branch, Count } from '../server/api';

/** A published value over the recorded values from `start` up to `end`. */
export interface Run {
  value: string;
  records: number;
  start: number;
  end: number;
}

export interface Aligned {
  /** The recorded values in order, with their records. */
  recorded: { value: string; records: number }[];
  /** The published values, each over the recorded ones that it stands for. */
  runs: Run[];
}

/** Where the values of a hierarchy lie on the axis: leaves that occur one by one, others over all of their leaves. */
function spans(tree: Branch, occurs: (leaf: string) => boolean): { leaves: string[]; of: Map<string, [number, number]> } {
  const leaves: string[] = [];
  const of = new Map<string, [number, number]>();
  const visit = (branch: Branch) => {
    const start = leaves.length;
    if (branch.level > 0) branch.below?.forEach(visit);
    else if (occurs(branch.label)) leaves.push(branch.label);
    if (leaves.length === start) return;
    const known = of.get(branch.label);
    // A label that repeats along a path means the widest of its nodes.
    if (!known || known[1] - known[0] < leaves.length - start) of.set(branch.label, [start, leaves.length]);
  };
  visit(tree);
  return { leaves, of };
}

/** Which numbers a side of a box holds: "17–36", or up to cuts between values "<24", "[17.5,20)", "≥80". */
function holds(value: string): ((number: number) => boolean) | undefined {
  const end = '(-?\\d+(?:\\.\\d+)?)';
  const ends = (form: string) => new RegExp(`^${form}$`).exec(value)?.slice(1).map(Number);
  const [low, high] = ends(`${end}–${end}`) ?? [];
  if (low !== undefined && high !== undefined) return (number) => low <= number && number <= high;
  const [from, to] = ends(`\\[${end},${end}\\)`) ?? [ends(`≥${end}`)?.[0], ends(`<${end}`)?.[0]];
  if (from === undefined && to === undefined) return undefined;
  return (number) => (from === undefined || from <= number) && (to === undefined || number < to);
}

/** The run of neighbouring values that a side of a box stands for. */
function range(value: string, leaves: string[], of: Map<string, [number, number]>): [number, number] | undefined {
  const [from, to] = value.split('–').map((end) => of.get(end.trim()));
  if (from && to && value.split('–').length === 2 && from[0] < to[1]) return [from[0], to[1]];
  const inside = holds(value);
  const held = leaves.map((leaf) => leaf.trim() !== '' && (inside?.(Number(leaf)) ?? false));
  return held.includes(true) ? [held.indexOf(true), held.lastIndexOf(true) + 1] : undefined;
}

/** Both distributions on one axis; nothing where a value has no place in the hierarchy. */
export function aligned(tree: Branch, before: Count[], after: Count[]): Aligned | null {
  const records = new Map(before.map(({ value, records }) => [value ?? '', records]));
  const { leaves, of } = spans(tree, (leaf) => records.has(leaf));
  if (!leaves.length || before.some(({ value }) => value == null || !of.has(value))) return null;
  const runs: Run[] = [];
  for (const { value, records } of after) {
    const span = value == null ? undefined : (of.get(value) ?? range(value, leaves, of));
    if (value == null || !span) return null;
    runs.push({ value, records, start: span[0], end: span[1] });
  }
  return { recorded: leaves.map((value) => ({ value, records: records.get(value) ?? 0 })), runs };
}

/** What is published for each recorded value, if the records of a run are spread evenly over it. */
export function spread({ recorded, runs }: Aligned): number[] {
  const heights = recorded.map(() => 0);
  for (const { records, start, end } of runs) for (let i = start; i < end; i++) heights[i]! += records / (end - start);
  return heights;
}

/** The runs that follow one another, and those that lie over others, such as records published with *. */
export function layered(runs: Run[]): { row: Run[]; over: Run[] } {
  const row: Run[] = [];
  const over: Run[] = [];
  for (const run of [...runs].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = row.at(-1);
    if (!last || run.start >= last.end) row.push(run);
    else over.push(run);
  }
  return { row, over };
}
