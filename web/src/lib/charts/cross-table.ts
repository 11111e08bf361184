// Records before and after on a common axis: a cross-table's recorded values, and what is published
// instead of them.

import type { CrossTable, TableAxis } from '../server/api';

/** A published value on the axis of recorded values. */
export interface Run {
  value: string;
  /** Its first recorded value and the one after its last, as positions on the axis. */
  from: number;
  to: number;
  recorded: number;
  suppressed: number;
}

/** The published values of an axis with their places. */
export function places(axis: TableAxis): { value: string; from: number; to: number }[] {
  let from = 0;
  return axis.published.map(({ value, recorded }) => {
    const place = { value, from, to: from + recorded };
    from += recorded;
    return place;
  });
}

const sum = (numbers: number[], from: number, to: number) => numbers.slice(from, to).reduce((total, n) => total + n, 0);

/** The runs of a table by one attribute. */
export function runs(table: CrossTable): Run[] {
  return places(table.axes[0]!).map((place) => ({
    ...place,
    recorded: sum(table.records, place.from, place.to),
    suppressed: sum(table.suppressed, place.from, place.to),
  }));
}

export interface Cell {
  recorded: number;
  suppressed: number;
}

/** A table by two attributes, by what is published of both: rows of cells. */
export function cells(table: CrossTable): Cell[][] {
  const [rows, columns] = [places(table.axes[0]!), places(table.axes[1]!)];
  const width = table.axes[1]!.recorded.length;
  const within = (numbers: number[], row: { from: number; to: number }, column: { from: number; to: number }) => {
    let total = 0;
    for (let i = row.from; i < row.to; i++) total += sum(numbers, i * width + column.from, i * width + column.to);
    return total;
  };
  return rows.map((row) =>
    columns.map((column) => ({ recorded: within(table.records, row, column), suppressed: within(table.suppressed, row, column) })),
  );
}

/** Subgroups that lose the largest share first; equal shares by size. */
export const hardestHit = (all: Run[]): Run[] => {
  const share = (run: Run) => (run.recorded ? run.suppressed / run.recorded : 0);
  return [...all].sort((a, b) => share(b) - share(a) || b.recorded - a.recorded);
};
