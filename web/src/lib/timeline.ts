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

export function redo<T>(line: Timeline<T>): Timeline<T> {
  const [after, ...future] = line.future;
  if (after === undefined) return line;
  return { past: [...line.past, line.present], present: after, future, open: false };
}
