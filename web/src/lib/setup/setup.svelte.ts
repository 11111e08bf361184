// A project that is being set up: the plan (with undo and redo), and what it costs.

import { Latest } from '../server/latest';
import { explained, setupApi } from './api';
import type { Plan, PlanCheck, Rule, SetupColumn, SetupTable, SetupValues } from './types';
import { begin, change, redo, settle, undo, type Timeline } from '../request/timeline';

export class Setup {
  line: Timeline<Plan> = $state.raw(begin({} as Plan));
  plan = $derived(this.line.present);
  /** What the plan costs, and what the one before it cost. */
  checked: PlanCheck | null = $state.raw(null);
  before: PlanCheck | null = $state.raw(null);
  /** Why the plan cannot be used. */
  error: string | null = $state(null);
  busy = $state(true);
  /** The column that is looked at. */
  looked: string = $state('');
  private values = new Map<string, Promise<SetupValues>>();
  private questions = new Latest(250);

  constructor(readonly table: SetupTable) {
    this.line = begin(table.plan as Plan);
    this.looked = this.plan.columns.find((c) => c.role === 'quasi-identifier')?.name ?? this.plan.columns[0]?.name ?? '';
    this.check();
  }

  column = (name: string): SetupColumn => this.table.columns.find((c) => c.name === name)!;

  /** The values of a column, asked for once. */
  valuesOf(name: string): Promise<SetupValues> {
    const known = this.values.get(name) ?? setupApi.values(this.table.id, name);
    this.values.set(name, known);
    return known;
  }

  /** Changes the plan; `done` is false while something is dragged. */
  edit(plan: Plan, done = true): void {
    if (plan === this.plan) return;
    this.line = change(this.line, plan, done);
    this.check();
  }

  settle(): void {
    if (this.line.open) this.line = settle(this.line);
  }

  undo(): void {
    this.go(undo(this.line));
  }

  redo(): void {
    this.go(redo(this.line));
  }

  private go(line: Timeline<Plan>): void {
    if (line === this.line) return;
    this.line = line;
    this.check();
  }

  /** A pasted hierarchy as a rule, in the server's words if it is none. */
  async pasted(column: string, text: string): Promise<Rule | null> {
    return (await setupApi.hierarchy(this.table.id, column, text)).hierarchy;
  }

  private check(): void {
    this.busy = true;
    this.questions.run(async (signal) => {
      this.busy = true; // an earlier check may have ended meanwhile
      try {
        const checked = await setupApi.check(this.table.id, this.plan, signal);
        if (!this.line.open) this.before = this.checked;
        this.checked = checked;
        this.error = null;
        this.busy = false;
      } catch (error) {
        if (signal.aborted) return;
        this.error = explained(error);
        this.busy = false;
      }
    });
  }

  stop(): void {
    this.questions.stop();
  }
}
