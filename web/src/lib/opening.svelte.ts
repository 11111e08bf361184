// Opening the project, again whenever its files change; its problems until they are solved.

import { api, inWords, Refusal, type Problem, type Progress } from './api';
import { Negotiation } from './negotiation.svelte';

/** How often the server is asked whether files changed, in milliseconds. */
const INTERVAL = 2000;

export class Opening {
  negotiation: Negotiation | null = $state.raw(null);
  problems: Problem[] | null = $state.raw(null);
  progress: Progress | null = $state.raw(null);
  /** Whether the project was read again because a file changed. */
  reread = $state(false);
  private version: number | null = null;
  private asking = false;

  /** Opens, and looks for changes from then on. */
  async start(): Promise<void> {
    setInterval(() => void this.check(), INTERVAL);
    await this.open();
  }

  /** Opens again if a file changed, or if nothing could be opened so far and the server answers. */
  private async check(): Promise<void> {
    if (this.asking || document.visibilityState === 'hidden') return;
    this.asking = true;
    try {
      const version = await api.version();
      const known = this.version;
      this.version = version;
      if (known === version) return;
      if (known !== null || this.problems) await this.open();
      this.reread = known !== null;
    } catch {
      // The server may be starting again; asked once more soon.
      if (this.problems) this.version = null;
    } finally {
      this.asking = false;
    }
  }

  private async open(): Promise<void> {
    this.progress = null;
    try {
      const opened = await Negotiation.open((progress) => (this.progress = progress));
      this.negotiation?.close();
      [this.negotiation, this.problems] = [opened, null];
    } catch (error) {
      this.negotiation?.close();
      [this.negotiation, this.problems] = [null, error instanceof Refusal ? error.problems : [{ what: inWords(error) }]];
    }
    this.version ??= await api.version().catch(() => null);
  }
}
