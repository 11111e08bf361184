// What is negotiated: one plain value, never changed in place, from which all else follows.

import type { Ask, LatticeInfo, Model, Privacy, Project, RelaxHeight } from '../server/api';
import { firstValue } from './stops';

export interface Limit {
  amount: number;
  unit: 'records' | 'percent';
}

export interface Request {
  qi: string[];
  privacy: Privacy[];
  limit: Limit;
  /** Maximum levels by attribute; an attribute without one has no maximum. */
  caps: Record<string, number>;
  relax: RelaxHeight;
  /** The measure whose loss is to be least; none for the fewest steps. */
  optimize: string | null;
}

/** What the page optimizes for unless somebody chooses: a general loss, as people understand it. */
export const USUAL_MEASURE = 'lm';

/** The limit as the server takes it. */
export const written = (limit: Limit): number | string =>
  limit.unit === 'records' ? limit.amount : `${plain(limit.amount)}%`;

/** The limit in records; per cent are floored, as everywhere in haggle. */
export function limitInRecords(limit: Limit, records: number): number {
  if (limit.unit === 'records') return Math.min(limit.amount, records);
  const decimals = plain(limit.amount).split('.')[1]?.length ?? 0;
  const digits = BigInt(Math.round(limit.amount * 10 ** decimals));
  return Number((digits * BigInt(records)) / (100n * 10n ** BigInt(decimals)));
}

/** A number without exponent, as people type it. */
export const plain = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(8).replace(/0+$/, '').replace(/\.$/, '');

/** The maximum levels in the order of the quasi-identifiers. */
export const capsInOrder = (request: Request, lattice: LatticeInfo): number[] =>
  lattice.attributes.map((a) => Math.min(request.caps[a.name] ?? a.top, a.top));

export function toAsk(request: Request, lattice: LatticeInfo): Ask {
  return {
    qi: lattice.qi,
    privacy: request.privacy,
    levels: capsInOrder(request, lattice),
    max_suppressed: written(request.limit),
    relax_height: request.relax,
    ...(request.optimize ? { optimize: request.optimize } : {}),
  };
}

/** A model with numbers to begin with. */
export function firstAsked(model: Model, project: Project): Privacy {
  const needed = model.parameters.filter((parameter) => !parameter.optional);
  const numbers = needed.map((parameter) => [parameter.name, firstValue(parameter, project.records)]);
  const on = model.sensitive && project.sensitive[0] ? { on: project.sensitive[0] } : {};
  return { model: model.id, ...Object.fromEntries(numbers), ...on };
}

/** The same with the name of the number that was given without one. */
function named(privacy: Privacy, models: Model[]): Privacy {
  const { '': unnamed, ...rest } = privacy;
  const first = models.find(({ id }) => id === privacy.model)?.parameters.find((p) => p.negotiated);
  return unnamed === undefined || !first ? privacy : { ...rest, model: privacy.model, [first.name]: unnamed };
}

/** The attributes that the project calls quasi-identifiers. */
export const quasiIdentifiersOf = ({ attributes }: Project): string[] =>
  attributes.filter((a) => a.role === 'quasi-identifier').map((a) => a.name);

/** The request that the project's own defaults make. */
export function defaultRequest(project: Project, models: Model[]): Request {
  const { defaults } = project;
  const asked = defaults.privacy?.map((one) => named(one, models)) ?? [];
  return {
    qi: project.qi,
    privacy: asked.length ? asked : models.slice(0, 1).map((model) => firstAsked(model, project)),
    limit: readLimit(defaults.max_suppressed) ?? { amount: 1, unit: 'percent' },
    caps: readLevels(defaults.levels, project.qi),
    relax: defaults.relax_height ?? 'lowest',
    optimize: defaults.optimize ?? USUAL_MEASURE,
  };
}

/** A request as it was sent, for the page; what it leaves out comes from `otherwise`. */
export function fromAsk(ask: Ask, otherwise: Request, models: Model[]): Request {
  const qi = ask.qi ?? otherwise.qi;
  return {
    qi,
    privacy: ask.privacy?.length ? ask.privacy.map((one) => named(one, models)) : otherwise.privacy,
    limit: readLimit(ask.max_suppressed) ?? otherwise.limit,
    caps: readLevels(ask.levels, qi),
    relax: ask.relax_height ?? 'lowest',
    optimize: ask.optimize ?? null,
  };
}

function readLevels(levels: Ask['levels'], qi: string[]): Record<string, number> {
  if (!levels) return {};
  if (!Array.isArray(levels)) return levels;
  return Object.fromEntries(levels.map((level, i) => [qi[i] ?? '', level]));
}

export function readLimit(typed: number | string | undefined): Limit | null {
  if (typeof typed === 'number') return { amount: typed, unit: 'records' };
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(typed ?? '');
  if (!match) return null;
  const amount = Number(match[1]);
  if (match[2]) return amount <= 100 ? { amount, unit: 'percent' } : null;
  return Number.isInteger(amount) ? { amount, unit: 'records' } : null;
}

export const sameList = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((x, i) => x === b[i]);
