// Light or dark: as the system says, unless the visitor chose.

import { DARK, forcedColours, LIGHT } from './palette';
import { recall, remember } from './memory';

export type Choice = 'auto' | 'light' | 'dark';

class Theme {
  choice = $state<Choice>((recall('theme') as Choice | null) ?? 'auto');
  private system = $state(false);
  dark = $derived(this.choice === 'auto' ? this.system : this.choice === 'dark');
  /** Whether the system dictates the colours. */
  private forced = $state(false);
  palette = $derived(this.forced ? forcedColours(this.dark) : this.dark ? DARK : LIGHT);

  start(): void {
    const query = matchMedia('(prefers-color-scheme: dark)');
    this.system = query.matches;
    query.addEventListener('change', (event) => (this.system = event.matches));
    const forced = matchMedia('(forced-colors: active)');
    this.forced = forced.matches;
    forced.addEventListener('change', (event) => (this.forced = event.matches));
    this.show();
  }

  choose(choice: Choice): void {
    this.choice = choice;
    remember('theme', choice);
    this.show();
  }

  private show(): void {
    document.documentElement.dataset.theme = this.choice;
  }
}

export const theme = new Theme();
