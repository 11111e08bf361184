import { expect, test } from 'vitest';
import { begin, change, goTo, redo, settle, undo } from '../../src/lib/request/timeline';

test('undo and redo go back and forth', () => {
  const line = change(change(begin(1), 2, true), 3, true);
  expect(undo(line).present).toBe(2);
  expect(undo(undo(line)).present).toBe(1);
  expect(redo(undo(line))).toEqual(line);
  expect(undo(begin(1))).toEqual(begin(1));
  expect(redo(line)).toEqual(line);
});

test('a drag is one step', () => {
  let line = begin(0);
  for (const value of [1, 2, 3]) line = change(line, value, false);
  line = settle(line);
  line = change(line, 9, true);
  expect(undo(line).present).toBe(3);
  expect(undo(undo(line)).present).toBe(0);
});

test('a change after undo forgets what was undone', () => {
  const line = change(undo(change(begin(1), 2, true)), 5, true);
  expect(line.future).toEqual([]);
  expect(undo(line).present).toBe(1);
});

test('back and undo walk along the same line', () => {
  const line = change(change(begin(1), 2, true), 3, true);
  const back = goTo(line, (one) => one === 1)!;
  expect(back.present).toBe(1);
  expect(undo(back), 'nothing lies before').toEqual(back);
  expect(redo(back).present).toBe(2);
  expect(goTo(back, (one) => one === 3)).toEqual(line);
  expect(goTo(line, (one) => one === 9)).toBeNull();
});
