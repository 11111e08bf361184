// Accepted schemes: each belongs to the request that accepting led to, and comes and goes with it.

import { sameList, type Request } from './request';

export class Agreements {
  private readonly schemes = new WeakMap<Request, number[]>();

  add(request: Request, scheme: number[]): void {
    this.schemes.set(request, scheme);
  }

  /** The scheme that was accepted with a request. */
  of(request: Request): number[] | null {
    return this.schemes.get(request) ?? null;
  }

  /** What is pinned after going from one request to another: the accepted scheme, or what a person pinned. */
  pinnedAfter(from: Request, to: Request, pinned: number[] | null): number[] | null {
    const agreed = this.schemes.get(to);
    if (agreed) return agreed;
    return this.isAgreed(from, pinned) ? null : pinned;
  }

  /** An accepted scheme that is the best answer anyway needs no pin; whether that is so here. */
  settle(request: Request, best: number[] | undefined, pinned: number[] | null): boolean {
    const same = this.isAgreed(request, pinned) && best !== undefined && sameList(best, pinned!);
    if (same) this.schemes.delete(request);
    return same;
  }

  private isAgreed(request: Request, pinned: number[] | null): boolean {
    const agreed = this.schemes.get(request);
    return agreed !== undefined && pinned !== null && sameList(agreed, pinned);
  }
}
