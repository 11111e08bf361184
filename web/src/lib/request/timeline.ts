// Undo and redo: what was, what is, what was undone. A drag counts as one step.

export interface Timeline<T> {
  past: T[];
  present: T;
  future: T[];
  /** Whether the present is still in the making, so that the next change belongs to the same step. */
  open: boolean;
}

const MOST = 200;

export const begin = <T>(present: T): Timeline<T> => ({ past: [], present, future: [], open: false });

/** A change; `done` is false while a slider is still being dragged. */
export function change<T>(line: Timeline<T>, present: T, done: boolean): Timeline<T> {
  const past = line.open ? line.past : [...line.past, line.present].slice(-MOST);
  return { past, present, future: [], open: !done };
}

/** The end of a drag. */
export const settle = <T>(line: Timeline<T>): Timeline<T> => ({ ...line, open: false });

export function undo<T>(line: Timeline<T>): Timeline<T> {
  const before = line.past.at(-1);
  if (before === undefined) return line;
  return { past: line.past.slice(0, -1), present: before, future: [line.present, ...line.future], open: false };
}

/** Goes to a state that was or was undone, if it is there; what lies between is not lost. */
export function goTo<T>(line: Timeline<T>, same: (one: T) => boolean): Timeline<T> | null {
  const all = [...line.past, line.present, ...line.future];
  const here = line.past.length;
  const places = [...all.keys()].filter((i) => i !== here && same(all[i]!));
  if (!places.length) return null;
  const to = places.reduce((best, i) => (Math.abs(i - here) < Math.abs(best - here) ? i : best));
  return { past: all.slice(0, to), present: all[to]!, future: all.slice(to + 1), open: false };
}

export function redo<T>(line: Timeline<T>): Timeline<T> {
  const [after, ...future] = line.future;
  if (after === undefined) return line;
  return { past: [...line.past, line.present], present: after, future, open: false };
}
