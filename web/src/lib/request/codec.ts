// The state as an address fragment, so that a bookmark reproduces it, and back.

import type { Privacy, RelaxHeight } from '../server/api';
import { readLimit, written, type Request } from './request';

export const TABS = ['negotiate', 'trade-offs', 'explore', 'data', 'review', 'publish'] as const;
export type Tab = (typeof TABS)[number];

/** In the address: the scheme with the fewest steps, whatever it loses. */
const FEWEST_STEPS = 'steps';

/** What the address holds: the request and what is looked at. */
export interface View {
  tab: Tab;
  request: Request;
  pinned: number[] | null;
  measure: string;
  /** Whether answers are predicted and then counted. */
  instant: boolean;
  /** Schemes to compare side by side. */
  shortlist: number[][];
}

const safe = (text: string) => encodeURIComponent(text).replace(/%20/g, '+');
const unsafe = (text: string) => decodeURIComponent(text.replace(/\+/g, '%20'));

export function encode(view: View): string {
  const { request } = view;
  const fields: [string, string][] = [
    ['qi', request.qi.map(safe).join(',')],
    ...request.privacy.map((one): [string, string] => ['privacy', encodePrivacy(one)]),
    ['limit', String(written(request.limit)).replace('%', 'pc')],
  ];
  const caps = Object.entries(request.caps).map(([name, level]) => `${safe(name)}:${level}`);
  if (caps.length) fields.push(['levels', caps.join(',')]);
  if (request.relax !== 'lowest') fields.push(['relax', request.relax]);
  fields.push(['optimize', request.optimize ? safe(request.optimize) : FEWEST_STEPS]);
  if (view.pinned) fields.push(['pin', view.pinned.join(',')]);
  if (view.shortlist.length) fields.push(['short', view.shortlist.map((levels) => levels.join(',')).join(';')]);
  if (view.measure !== 'lm') fields.push(['measure', safe(view.measure)]);
  if (view.instant) fields.push(['instant', 'on']);
  if (view.tab !== 'negotiate') fields.push(['tab', view.tab]);
  return fields.map(([name, value]) => `${name}=${value}`).join('&');
}

function encodePrivacy(privacy: Privacy): string {
  const { model, ...rest } = privacy;
  const pairs = Object.entries(rest).filter(([, value]) => value !== undefined);
  return [model, ...pairs.map(([name, value]) => `${safe(name)}:${safe(String(value))}`)].join(',');
}

/** The view that a fragment tells of; what it leaves out or spoils comes from `otherwise`. */
export function decode(fragment: string, otherwise: View): View {
  const fields = fragment
    .replace(/^#/, '')
    .split('&')
    .map((field) => field.split('=') as [string, string?]);
  const all = (name: string) => fields.filter(([n, v]) => n === name && v).map(([, v]) => v as string);
  const one = (name: string) => all(name)[0];
  try {
    return read(all, one, otherwise);
  } catch {
    return otherwise;
  }
}

function read(
  all: (name: string) => string[],
  one: (name: string) => string | undefined,
  otherwise: View,
): View {
  if (one('qi') === undefined) return { ...otherwise, tab: readTab(one('tab')) };
  const privacy = all('privacy').map(decodePrivacy);
  const optimize = one('optimize');
  const measure = one('measure');
  const request: Request = {
    qi: one('qi')!.split(',').map(unsafe),
    privacy: privacy.length ? privacy : otherwise.request.privacy,
    limit: readLimit(one('limit')?.replace('pc', '%')) ?? otherwise.request.limit,
    caps: readCaps(one('levels')),
    relax: readRelax(one('relax')),
    optimize: optimize === FEWEST_STEPS ? null : optimize ? unsafe(optimize) : otherwise.request.optimize,
  };
  const pinned = readLevels(one('pin'));
  return {
    tab: readTab(one('tab')),
    request,
    pinned,
    measure: measure ? unsafe(measure) : 'lm',
    instant: one('instant') === 'on',
    shortlist: (one('short') ?? '').split(';').flatMap((text) => [readLevels(text) ?? []]).filter((levels) => levels.length > 0),
  };
}

function readLevels(text: string | undefined): number[] | null {
  const levels = text ? text.split(',').map(Number) : null;
  return levels?.every((level) => Number.isInteger(level) && level >= 0) ? levels : null;
}

function decodePrivacy(text: string): Privacy {
  const [model, ...pairs] = text.split(',');
  const privacy: Privacy = { model: unsafe(model ?? '') };
  for (const pair of pairs) {
    const [name, value] = pair.split(':').map(unsafe);
    if (!name || value === undefined) continue;
    privacy[name] = name === 'on' || value === '' || Number.isNaN(Number(value)) ? value : Number(value);
  }
  return privacy;
}

function readCaps(text: string | undefined): Record<string, number> {
  const pairs = (text ?? '').split(',').map((pair) => pair.split(':'));
  const known = pairs.filter(([name, level]) => name && /^\d+$/.test(level ?? ''));
  return Object.fromEntries(known.map(([name, level]) => [unsafe(name!), Number(level)]));
}

const readTab = (text: string | undefined): Tab => TABS.find((tab) => tab === text) ?? 'negotiate';

const readRelax = (text: string | undefined): RelaxHeight =>
  (['lowest', 'closest', 'published'] as const).find((relax) => relax === text) ?? 'lowest';
