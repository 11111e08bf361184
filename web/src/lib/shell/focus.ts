// Where the keyboard is while a button's work is under way, and after a button that leads elsewhere.

import { tick } from 'svelte';
import type { Panel, Selection } from '../negotiation/selection.svelte';

/** Moves the focus to Cancel while work is under way, then back, unless the user moved it elsewhere. */
export async function followFocus(place: HTMLElement, running: Promise<void>, back: () => HTMLElement | undefined): Promise<void> {
  await tick();
  place.querySelector<HTMLElement>('[role=group] button')?.focus({ preventScroll: true });
  await running;
  await tick();
  if (document.activeElement === document.body) back()?.focus({ preventScroll: true });
}

/**
 * Brings a panel that just came up into view and focuses it, if it is the one that was asked for. It stays
 * in view while it and what is above it grow, until the user moves.
 */
export function comeIntoView(panel: HTMLElement, selection: Selection, name: Panel): (() => void) | undefined {
  if (selection.sought !== name) return undefined;
  selection.sought = null;
  panel.focus({ preventScroll: true });
  const growth = new ResizeObserver(() => panel.scrollIntoView({ block: 'start' }));
  for (let one: Element | null = panel; one; one = one.previousElementSibling) growth.observe(one);
  const stop = () => growth.disconnect();
  for (const moved of ['wheel', 'pointerdown', 'keydown']) addEventListener(moved, stop, { once: true });
  return stop;
}
