// The request, with undo and redo, and what it means in the lattice that it is asked of.

import type { LatticeInfo } from '../server/api';
import { capsInOrder, limitInRecords, toAsk, type Request } from '../request/request';
import { begin, change, goTo, redo, settle, undo, type Timeline } from '../request/timeline';

export class RequestStore {
  line: Timeline<Request>;
  lattice: LatticeInfo;
  current = $derived.by(() => this.line.present);
  tops = $derived.by(() => this.lattice.attributes.map((a) => a.top));
  caps = $derived.by(() => capsInOrder(this.current, this.lattice));
  /** The limit in records. */
  limit = $derived.by(() => limitInRecords(this.current.limit, this.lattice.records));
  /** The request as the server takes it. */
  ask = $derived.by(() => toAsk(this.current, this.lattice));

  constructor(request: Request, lattice: LatticeInfo) {
    this.line = $state.raw(begin(request));
    this.lattice = $state.raw(lattice);
  }

  /** `done` is false while a slider is dragged. */
  change(request: Request, done: boolean): void {
    this.line = change(this.line, request, done);
  }

  undo(): void {
    this.line = undo(this.line);
  }

  redo(): void {
    this.line = redo(this.line);
  }

  /** Ends a drag; whether there was one. */
  settle(): boolean {
    if (!this.line.open) return false;
    this.line = settle(this.line);
    return true;
  }

  /** Goes to a request that was or was undone, else changes to it: back and undo walk along the same line. */
  revisit(request: Request, same: (one: Request) => boolean): void {
    this.line = goTo(this.line, same) ?? change(this.line, request, true);
  }
}
