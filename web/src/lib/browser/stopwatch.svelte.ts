// How long an answer has taken, once that is long enough to be shown.

/** Shorter waits need no notice, in milliseconds. */
const SHOW_AFTER = 400;

export class Stopwatch {
  /** Whole seconds, or null while there is nothing to show. */
  seconds: number | null = $state(null);
  private clock: ReturnType<typeof setInterval> | undefined;

  start(): void {
    this.stop();
    const since = Date.now();
    this.clock = setInterval(() => {
      const passed = Date.now() - since;
      if (passed >= SHOW_AFTER) this.seconds = Math.floor(passed / 1000);
    }, 200);
  }

  stop(): void {
    clearInterval(this.clock);
    this.seconds = null;
  }
}
