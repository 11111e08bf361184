// Opening the project, again whenever its files change; its problems until they are solved.

import { api, inWords, Refusal, wasAborted, type Problem, type Progress } from '../server/api';
import { quasiIdentifiersOf } from '../request/request';
import { Negotiation } from './negotiation.svelte';
import { Stopwatch } from '../browser/stopwatch.svelte';

/** How often the server is asked whether files changed, in milliseconds. */
const INTERVAL = 2000;

export class Opening {
  negotiation: Negotiation | null = $state.raw(null);
  problems: Problem[] | null = $state.raw(null);
  progress: Progress | null = $state.raw(null);
  /** The quasi-identifiers to choose from, once opening was cancelled. */
  cancelled: string[] | null = $state.raw(null);
  /** The quasi-identifiers that were being opened. */
  wanted: string[] = $state.raw([]);
  /** Whether the project was read again because a file changed. */
  reread = $state(false);
  /** How long opening has taken. */
  readonly waiting = new Stopwatch();
  private version: number | null = null;
  private asking = false;
  private underWay: AbortController | null = null;

  /** Opens, and looks for changes from then on. */
  async start(): Promise<void> {
    setInterval(() => void this.check(), INTERVAL);
    await this.open();
  }

  /** Gives up opening. */
  cancel(): void {
    this.underWay?.abort();
  }

  /** Opens after a cancel, with these quasi-identifiers. */
  openWith(qi: string[]): Promise<void> {
    return this.open(qi);
  }

  /** Opens again if a file changed, or if nothing could be opened so far and the server answers. */
  private async check(): Promise<void> {
    if (this.asking || document.visibilityState === 'hidden') return;
    this.asking = true;
    try {
      const version = await api.version();
      const known = this.version;
      this.version = version;
      if (known === version) {
        if (this.negotiation?.answer.unanswered) this.negotiation.answer.again();
        return;
      }
      if (known !== null || this.problems) await this.open();
      this.reread = known !== null;
    } catch {
      // The server may be starting again; asked once more soon.
      if (this.problems) this.version = null;
    } finally {
      this.asking = false;
    }
  }

  private async open(qi: string[] | null = null): Promise<void> {
    this.underWay?.abort();
    const underWay = new AbortController();
    this.underWay = underWay;
    this.progress = this.cancelled = null;
    this.waiting.start();
    try {
      const observer = { begun: (wanted: string[]) => (this.wanted = wanted), progress: (progress: Progress) => (this.progress = progress) };
      const opened = await Negotiation.open(qi, observer, underWay.signal);
      if (underWay !== this.underWay) return opened.close();
      this.negotiation?.close();
      [this.negotiation, this.problems] = [opened, null];
    } catch (error) {
      if (underWay !== this.underWay) return;
      if (wasAborted(error)) await this.offerFewer();
      else this.fail(error);
    } finally {
      if (underWay === this.underWay) this.waiting.stop();
    }
    this.version ??= await api.version().catch(() => null);
  }

  /** After a cancel: what could be opened instead. */
  private async offerFewer(): Promise<void> {
    try {
      this.cancelled = quasiIdentifiersOf(await api.project());
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.negotiation?.close();
    [this.negotiation, this.problems] = [null, error instanceof Refusal ? error.problems : [{ what: inWords(error) }]];
  }
}
