// The server's routes with their types; field names are those of the command line.

export type Role = 'identifier' | 'quasi-identifier' | 'sensitive' | 'insensitive';
export type Threshold = number | Record<string, number>;

/** A privacy model as asked for: its id, the sensitive attribute, numbers and words by name. */
export type Privacy = { model: string; on?: string } & Record<string, string | number | undefined>;

export interface Ask {
  qi?: string[];
  privacy?: Privacy[];
  levels?: number[] | Record<string, number>;
  max_suppressed?: number | string;
  relax_height?: RelaxHeight;
  optimize?: string;
  top?: number;
}

export type RelaxHeight = 'lowest' | 'closest' | 'published';

export interface Project {
  name: string;
  version: string;
  records: number;
  qi: string[];
  attributes: { name: string; role: Role; qi: boolean; levels: number | null }[];
  sensitive: string[];
  defaults: Ask;
  notice: string | null;
}

export interface Level {
  level: number;
  values: number;
  examples: string[];
}

export interface LatticeAttribute {
  name: string;
  top: number;
  levels: Level[];
}

export interface LatticeInfo {
  qi: string[];
  attributes: LatticeAttribute[];
  schemes: number;
  records: number;
  base_groups: number;
  notice: string | null;
}

export interface Parameter {
  name: string;
  meaning: string;
  minimum?: number;
  maximum?: number;
  above?: number;
  below?: number;
  whole: boolean;
  negotiated: boolean;
  optional: boolean;
}

export interface Choice {
  name: string;
  meaning: string;
  options: string[];
}

export interface Model {
  id: string;
  title: string;
  definition: string;
  formula: string;
  citation: string;
  example: string;
  parameters: Parameter[];
  choices: Choice[];
  sensitive: boolean;
  states: string[];
}

export interface Measure {
  id: string;
  title: string;
  definition: string;
  range: string;
  example: string;
}

export interface Offer {
  scheme: number[];
  levels: Record<string, number>;
  height: number;
  suppressed: number;
  privacy: Record<string, Threshold>;
  attained: Record<string, Threshold>;
  loss?: Record<string, number>;
}

export interface PrivacyOffer {
  model: string;
  parameter: string;
  value: number | null;
  offer: Offer | null;
  reason?: string;
}

export interface Offers {
  suppression: Offer | null;
  suppression_reason?: string;
  height: Offer | null;
  height_reason?: string;
  privacy: Offer | null;
  privacy_reason?: string;
  privacy_each?: PrivacyOffer[];
  attribute: (Offer & { attribute: string })[];
  attribute_reason?: string;
}

export interface Answer {
  outcome: 'exact' | 'relaxed';
  exact: Offer | null;
  runners_up?: Offer[];
  relaxations: Offers | null;
  visited: number;
  micros: number;
}

export interface Bin {
  value: number;
  groups: number;
  records: number;
  weaker: number;
}

export interface SchemeInfo {
  scheme: number[];
  height: number;
  suppressed: number;
  groups: number;
  attained: Record<string, Threshold>;
  histogram: { model: string; parameter: string; bins: Bin[] } | null;
  loss: Record<string, number>;
}

export interface Heights {
  heights: { height: number; schemes: number; least: number; mean: number; most: number }[];
}

export interface FrontPoint {
  threshold: number;
  loss: number;
  suppressed: number;
  scheme: number[];
  height: number;
  price?: number;
  knee: boolean;
}

export interface Front {
  model: string;
  parameter: string;
  loss: string;
  limit: number;
  points: FrontPoint[];
}

export interface Count {
  /** None for all values that are not told one by one. */
  value: string | null;
  records: number;
}

export interface DataAttribute {
  name: string;
  role: Role;
  distinct: number;
  missing: number;
  distribution: Count[];
  hierarchy: boolean;
}

export interface Branch {
  label: string;
  level: number;
  records: number;
  below?: Branch[];
}

export interface Hierarchy {
  attribute: string;
  source: string;
  levels: number[];
  tree: Branch;
}

export interface Preview {
  columns: string[];
  rows: { before: string[]; after: string[] | null }[];
  attributes: { name: string; before: Count[]; after: Count[]; loss: number | null }[];
  suppressed: number;
  records: number;
}

export interface PublicationReport {
  output: string;
  manifest: string;
  scheme: number[];
  records: number;
  suppressed: number;
  promised: Record<string, Threshold>;
  attained: Record<string, Threshold>;
  as_recorded?: string[];
}

export interface Published {
  report: PublicationReport;
  downloads: Record<string, string | null>;
}

export interface Progress {
  what: string;
  done: number;
  of: number | null;
}

export interface Problem {
  what: string;
  where?: string;
  fix?: string;
}

/** What the server refused, in its own words. */
export class Refusal extends Error {
  constructor(
    readonly problems: Problem[],
    readonly status = 422,
  ) {
    super(problems.map((p) => (p.fix ? `${p.what}; ${p.fix}` : p.what)).join('. '));
  }
}

export const wasAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** Any failure as a sentence for people. */
export function inWords(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof TypeError) return 'The server does not answer. Is haggle still running?';
  return error instanceof Error ? error.message : String(error);
}

const token = typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('token');

function headers(body: boolean): HeadersInit {
  return {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
}

async function call(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { headers: headers(body !== undefined), signal: signal ?? null };
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
    const fix = response.status === 401 ? 'open the address that haggle printed' : undefined;
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

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await call(path, undefined, signal)).json();
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await call(path, body, signal)).json();
}

/** Reads lines of JSON as they come: progress, then the result. */
async function stream<T>(
  path: string,
  body: unknown,
  progress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<T> {
  const response = await call(path, body, signal);
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

export const api = {
  project: () => get<Project>('/api/project'),
  models: () => get<Model[]>('/api/models'),
  measures: () => get<Measure[]>('/api/measures'),
  data: (signal?: AbortSignal) => get<{ attributes: DataAttribute[] }>('/api/data', signal),
  hierarchy: (attribute: string, signal?: AbortSignal) =>
    get<Hierarchy>(`/api/hierarchy/${encodeURIComponent(attribute)}`, signal),
  build: (qi: string[], progress: (p: Progress) => void, signal: AbortSignal) =>
    stream<LatticeInfo>('/api/build', { qi }, progress, signal),
  ask: (ask: Ask, signal?: AbortSignal) => post<Answer>('/api/ask', ask, signal),
  suppressed: async (ask: Ask, signal?: AbortSignal) =>
    new Uint32Array(await (await call('/api/suppressed', ask, signal)).arrayBuffer()),
  scheme: (ask: Ask, scheme: number[], signal?: AbortSignal) =>
    post<SchemeInfo>('/api/scheme', { ...ask, scheme }, signal),
  study: (ask: Ask, signal?: AbortSignal) => post<Heights>('/api/study', ask, signal),
  pareto: (ask: Ask, loss: string, signal?: AbortSignal) => post<Front>('/api/pareto', { ...ask, loss }, signal),
  plot: async (picture: Picture, format: PictureFormat, body: object) =>
    (await call(`/api/plot/${picture}/${format}`, body)).blob(),
  preview: (ask: Ask, scheme: number[], rows: number, signal?: AbortSignal) =>
    post<Preview>('/api/preview', { ...ask, scheme, rows }, signal),
  publish: (body: object, progress: (p: Progress) => void, signal: AbortSignal) =>
    stream<Published>('/api/publish', body, progress, signal),
  download: async (path: string) => (await call(path)).blob(),
};
