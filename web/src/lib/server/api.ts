// The server's routes.

import type {
  Answer,
  Ask,
  Comparison,
  CrossTable,
  DataAttribute,
  CountedScheme,
  Front,
  Heights,
  Hierarchy,
  InstantAnswer,
  InstantPrediction,
  LatticeInfo,
  Measure,
  Model,
  Preview,
  Problem,
  Progress,
  Project,
  Published,
  QueryAnswer,
  Receipt,
  Recoding,
  ReportForm,
  ReportFormat,
  RiskOptions,
  RiskReport,
  SchemeInfo,
  SchemesReport,
  Suppress,
  UtilityReport,
  Why,
} from './shapes';

import { recall } from '../browser/memory';

export type * from './shapes';

/** What the server refused, in its own words. */
export class Refusal extends Error {
  constructor(
    readonly problems: Problem[],
    readonly status = 422,
  ) {
    super(problems.map((p) => [p.where, p.fix ? `${p.what}; ${p.fix}` : p.what].filter(Boolean).join(': ')).join('. '));
  }
}

export const wasAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** Any failure as a sentence for people. */
export function inWords(error: unknown): string {
  if (wasAborted(error)) return 'Cancelled.';
  if (error instanceof Refusal) return error.message;
  if (error instanceof TypeError) return 'The server does not answer. Is haggle still running?';
  return error instanceof Error ? error.message : String(error);
}

/**
 * Every question carries a secret from the storage of this page's origin: the cookie that goes with it is
 * sent to every port of this machine, and so proves nothing by itself. Read each time, because another
 * tab may have signed in anew.
 */
function headers(more: Record<string, string> = {}): HeadersInit {
  const secret = recall('secret');
  return { ...(secret ? { 'haggle-secret': secret } : {}), ...more };
}

/** Asks for progress and the result as lines of JSON; without it, the result comes alone. */
const AS_LINES = { accept: 'application/x-ndjson' };

async function call(path: string, body?: unknown, signal?: AbortSignal, more: Record<string, string> = {}): Promise<Response> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const init: RequestInit = { headers: headers({ ...json, ...more }), signal: signal ?? null };
  if (body !== undefined) Object.assign(init, { method: 'POST', body: JSON.stringify(body) });
  const response = await fetch(path, init);
  if (response.ok) return response;
  throw await refusal(response);
}

async function refusal(response: Response): Promise<Refusal> {
  const text = await response.text();
  try {
    return new Refusal(problems(JSON.parse(text)), response.status);
  } catch {
    const fix = response.status === 401 ? 'open the page anew from the terminal that haggle runs in' : undefined;
    return new Refusal([{ what: `The server answered ${response.status}`, ...(fix && { fix }) }], response.status);
  }
}

/** The problems within an error or a refusal, however deep the server wrapped them. */
function problems(json: unknown): Problem[] {
  const found = json as { error?: unknown; problems?: Problem[]; what?: string; reason?: string };
  if (found?.problems) return found.problems;
  if (found?.error) return problems(found.error);
  if (found?.what) return [found as Problem];
  return [{ what: typeof json === 'string' ? json : (found?.reason ?? JSON.stringify(json)) }];
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await call(path, undefined, signal)).json();
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await call(path, body, signal)).json();
}

/** Sends a file as it is. */
export async function send<T>(path: string, file: Blob, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { method: 'POST', body: file, headers: headers(), signal: signal ?? null });
  if (response.ok) return response.json();
  throw await refusal(response);
}

/** Reads lines of JSON as they come: progress, then the result. */
async function stream<T>(
  path: string,
  body: unknown,
  progress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<T> {
  const response = await call(path, body, signal, AS_LINES);
  for await (const line of lines(response)) {
    const event = JSON.parse(line) as { progress?: Progress; done?: T; refused?: unknown; error?: unknown };
    if (event.progress) progress(event.progress);
    else if (event.done) return event.done;
    else throw new Refusal(problems(event.refused ?? event.error));
  }
  throw new Refusal([{ what: 'The server ended before it was done' }]);
}

async function* lines(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const parts = (rest + (value ?? '')).split('\n');
    rest = parts.pop() ?? '';
    yield* parts.filter((part) => part.trim());
    if (!done) continue;
    if (rest.trim()) yield rest;
    return;
  }
}

export type Picture = 'front' | 'study' | 'histogram' | 'lattice';
export type PictureFormat = 'svg' | 'png' | 'csv';

/** The request without what counting one scheme does not use. */
const ofOneScheme = ({ relax_height: _relax, top: _top, ...ask }: Ask): Ask => ask;

/** The request without what a comparison does not look at. */
const comparable = ({ relax_height: _relax, top: _top, ...ask }: Ask): Ask => ask;

/** Whole numbers of 64 bits, the lowest byte first. */
export function wholeNumbers(bytes: ArrayBuffer): Float64Array {
  const view = new DataView(bytes);
  const number = (at: number) => view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  return Float64Array.from({ length: bytes.byteLength / 8 }, (_, i) => number(8 * i));
}

export const api = {
  project: () => get<Project>('/api/project'),
  models: () => get<Model[]>('/api/models'),
  measures: () => get<Measure[]>('/api/measures'),
  data: (signal?: AbortSignal) => get<{ attributes: DataAttribute[] }>('/api/data', signal),
  hierarchy: (attribute: string, signal?: AbortSignal) =>
    get<Hierarchy>(`/api/hierarchy/${encodeURIComponent(attribute)}`, signal),
  build: (qi: string[], progress: (p: Progress) => void, signal: AbortSignal) =>
    stream<LatticeInfo>('/api/build', { qi }, progress, signal),
  prepare: (ask: Ask & { loss?: string }, progress: (p: Progress) => void, signal: AbortSignal) =>
    stream<{ schemes: number }>('/api/prepare', ask, progress, signal),
  ask: (ask: Ask, signal?: AbortSignal) => post<Answer>('/api/ask', ask, signal),
  suppressed: async (ask: Ask, signal?: AbortSignal) =>
    wholeNumbers(await (await call('/api/suppressed', { ...ask, bits: 64 }, signal)).arrayBuffer()),
  predict: (ask: Ask, signal?: AbortSignal) => post<InstantPrediction>('/api/predict', ask, signal),
  instant: (ask: Ask, max_scans: number, signal?: AbortSignal) =>
    post<InstantAnswer>('/api/instant', { ...ask, max_scans }, signal),
  firm: (ask: Ask, scheme: number[], signal?: AbortSignal) =>
    post<CountedScheme>('/api/firm', { ...ofOneScheme(ask), scheme }, signal),
  scheme: (ask: Ask, scheme: number[], signal?: AbortSignal) =>
    post<SchemeInfo>('/api/scheme', { ...ask, scheme }, signal),
  /** What some schemes suppress and lose. */
  schemes: (ask: Ask, schemes: number[][], loss: string, signal?: AbortSignal) =>
    post<SchemesReport>('/api/schemes', { ...ofOneScheme(ask), schemes, loss }, signal),
  /** What every scheme loses, in the order of `suppressed`. */
  losses: async (ask: Ask, loss: string, signal?: AbortSignal) =>
    new Float32Array(await (await call('/api/losses', { ...ofOneScheme(ask), loss }, signal)).arrayBuffer()),
  crossTable: (ask: Ask, scheme: number[], by: string[], signal?: AbortSignal) =>
    post<CrossTable>('/api/cross-table', { ...ofOneScheme(ask), scheme, by }, signal),
  why: (ask: Ask, scheme: number[], loss: string, signal?: AbortSignal) =>
    post<Why>('/api/why', { ...ofOneScheme(ask), scheme, loss }, signal),
  query: (ask: Ask, scheme: number[], query: { condition: string; of?: string }, signal?: AbortSignal) =>
    post<QueryAnswer>('/api/query', { qi: ask.qi, privacy: ask.privacy, scheme, ...query }, signal),
  risk: (ask: Ask, scheme: number[], options: RiskOptions, signal?: AbortSignal) =>
    post<RiskReport>('/api/risk', { ...ask, scheme, ...options }, signal),
  utility: (ask: Ask, scheme: number[] | null, target: string | null, signal?: AbortSignal) =>
    post<UtilityReport>('/api/utility', { ...ask, scheme, target }, signal),
  report: async (ask: Ask, about: { scheme: number[] | null; published?: string }, form: ReportForm, format: ReportFormat, signal?: AbortSignal) =>
    (await call('/api/report', { ...ask, ...about, form, format }, signal)).blob(),
  study: (ask: Ask, signal?: AbortSignal) => post<Heights>('/api/study', ask, signal),
  pareto: (ask: Ask, loss: string, signal?: AbortSignal) => post<Front>('/api/pareto', { ...ask, loss }, signal),
  /** The least loss at some thresholds, of a lattice of any size. */
  front: ({ optimize: _optimize, ...ask }: Ask, loss: string, thresholds: number[], progress: (p: Progress) => void, signal: AbortSignal) =>
    stream<Front>('/api/pareto', { ...ofOneScheme(ask), loss, thresholds }, progress, signal),
  compare: (ask: Ask, progress: (p: Progress) => void, signal: AbortSignal) =>
    stream<Comparison>('/api/compare', comparable(ask), progress, signal),
  /** A look on the side: a strategy that takes longer than a second is not worth the hint. */
  compareSome: (ask: Ask, strategies: string[], measures: string[], signal: AbortSignal) =>
    stream<Comparison>('/api/compare', { ...comparable(ask), strategies, measures, time_limit: 1 }, () => {}, signal),
  plot: async (picture: Picture, format: PictureFormat, body: object) =>
    (await call('/api/plot', { ...body, figure: picture, format })).blob(),
  preview: (ask: Ask, what: Recoding, rows: number, choice: { as_recorded: string[] | null; suppress: Suppress }, signal?: AbortSignal) =>
    post<Preview>('/api/preview', { ...ask, ...what, ...choice, rows }, signal),
  publish: (body: object, progress: (p: Progress) => void, signal: AbortSignal) =>
    stream<Published>('/api/publish', body, progress, signal),
  publications: (signal?: AbortSignal) => get<Receipt[]>('/api/publications', signal),
  version: async (signal?: AbortSignal) => (await get<{ version: number }>('/api/version', signal)).version,
  download: async (path: string) => (await call(path)).blob(),
};
