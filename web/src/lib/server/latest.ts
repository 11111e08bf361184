// Many requests, one at a time: the newest waits until the one under way is back, or has had its
// time; those in between are never sent. So a drag always shows fresh answers and never piles up.

export class Latest {
  private underWay: AbortController | null = null;
  private since = 0;
  private waiting: ((signal: AbortSignal) => Promise<void>) | null = null;
  private ended: Promise<void> = Promise.resolve();

  /** `patience`: so many milliseconds a request may take before a newer one ends it. */
  constructor(
    private readonly patience = 120,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Ends when nothing is under way any more. */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.waiting = work;
    const { underWay } = this;
    if (!underWay) return (this.ended = this.next());
    const left = this.patience - (this.now() - this.since);
    setTimeout(() => this.waiting && underWay.abort(), Math.max(0, left));
    return this.ended;
  }

  /** Ends what is under way; nothing waits any more. */
  stop(): void {
    this.waiting = null;
    this.underWay?.abort();
  }

  private async next(): Promise<void> {
    while (this.waiting) {
      const work = this.waiting;
      this.waiting = null;
      const controller = new AbortController();
      this.underWay = controller;
      this.since = this.now();
      await work(controller.signal);
      this.underWay = null;
    }
  }
}
