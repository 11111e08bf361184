// A scheme in words: "Age hidden, race in two groups, 107 records dropped".

import type { Account } from '../server/api';
import { count, counted, sentence, small } from './words';

/** An attribute with the number of values at each level, as a lattice and the price of a plan have it. */
interface Attribute {
  name: string;
  levels: { values: number }[];
}

/** The attributes that a scheme is about, in its order. */
interface Attributes {
  attributes: Attribute[];
}

const topOf = ({ levels }: Attribute): number => levels.length - 1;

/** What becomes of one attribute; nothing where it stays as recorded. */
function treatment(attribute: Attribute, level: number): string | null {
  if (level === 0) return null;
  if (level >= topOf(attribute)) return `${attribute.name} hidden`;
  const groups = attribute.levels[level]?.values ?? 0;
  return groups > 1 ? `${attribute.name} in ${small(groups)} groups` : `${attribute.name} made coarser`;
}

/** The whole scheme in words; records only where their number is known. */
export function headline({ attributes }: Attributes, scheme: readonly number[], suppressed: number | null): string {
  const changed = attributes.flatMap((attribute, i) => treatment(attribute, scheme[i] ?? 0) ?? []);
  const columns = changed.length ? changed : ['all columns as recorded'];
  const records = suppressed === null ? [] : [suppressed === 0 ? 'no record dropped' : `${counted(suppressed, 'record')} dropped`];
  return sentence([...columns, ...records].join(', '));
}

/** What becomes of each negotiated column under a scheme, in a word or two. */
export function treatments({ attributes }: Attributes, scheme: readonly number[]): Record<string, string> {
  const word = (level: number, top: number) => (level === 0 ? 'as recorded' : level >= top ? 'hidden' : 'generalized');
  return Object.fromEntries(attributes.map((one, i) => [one.name, word(scheme[i] ?? 0, topOf(one))]));
}

/** "32,561 rows, 2,399 dropped for missing values, 30,162 counted"; short where nothing was dropped. */
export function accountWords(account: Pick<Account, 'read' | 'dropped' | 'counted'>): string {
  if (account.dropped === 0) return `${counted(account.counted, 'record')}, none dropped for missing values`;
  return `${counted(account.read, 'row')}, ${count(account.dropped)} dropped for missing values, ${count(account.counted)} counted`;
}
