// Where the keyboard is while a button's work is under way.

import { tick } from 'svelte';

/** Moves the focus to Cancel while work is under way, then back, unless the user moved it elsewhere. */
export async function followFocus(place: HTMLElement, running: Promise<void>, back: () => HTMLElement | undefined): Promise<void> {
  await tick();
  place.querySelector<HTMLElement>('[role=group] button')?.focus({ preventScroll: true });
  await running;
  await tick();
  if (document.activeElement === document.body) back()?.focus({ preventScroll: true });
}
