// The routes of set-up.

import { get, inWords, post, Refusal, send } from '../server/api';
import type { DiscardedTable, Plan, PlanCheck, Rule, SetupStatus, SetupTable, SetupValues } from './types';

/** A failure as a sentence: where, what and what to do. */
export function explained(error: unknown): string {
  if (!(error instanceof Refusal)) return inWords(error);
  const one = ({ what, where, fix }: (typeof error.problems)[number]) => `${where ? `${where}: ` : ''}${what}${fix ? `. What to do: ${fix}` : ''}.`;
  return error.problems.map(one).join(' ');
}

const path = (id: string, what = '') => `/api/setup/${encodeURIComponent(id)}${what}`;

export const setupApi = {
  status: () => get<SetupStatus>('/api/setup'),
  upload: (file: File, signal?: AbortSignal) =>
    send<SetupTable>(`/api/setup/upload?name=${encodeURIComponent(file.name)}`, file, signal),
  open: (source: 'given' | 'project', signal?: AbortSignal) => post<SetupTable>('/api/setup/open', { source }, signal),
  database: (url: string, table: string, signal?: AbortSignal) =>
    post<SetupTable>('/api/setup/open', { source: 'database', url, table }, signal),
  table: (id: string, signal?: AbortSignal) => get<SetupTable>(path(id), signal),
  values: (id: string, column: string, signal?: AbortSignal) =>
    get<SetupValues>(path(id, `/values/${encodeURIComponent(column)}`), signal),
  hierarchy: (id: string, column: string, text: string) =>
    post<{ hierarchy: Rule | null }>(path(id, '/hierarchy'), { column, text }),
  check: (id: string, plan: Plan, signal?: AbortSignal) => post<PlanCheck>(path(id, '/check'), plan, signal),
  save: (id: string, plan: Plan, replace: boolean) => post<{ file: string }>(path(id, '/save'), { plan, replace }),
  serve: (id: string, plan: Plan) => post<{ name: string }>(path(id, '/serve'), plan),
  discard: (id: string) => post<DiscardedTable>(path(id, '/discard'), {}),
};
