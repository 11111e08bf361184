// What a publication tells, in the order and the words that the page shows.

import type { AttackReport, BeforeAfter, WholeRecords } from '../server/api';
import { count, percent, sentence } from './words';

/** "Background knowledge", "Naive Bayes" */
export const titleOf = (id: string): string => sentence(id.replaceAll('-', ' ')).replace(/\bbayes\b/, 'Bayes');

/** A probability with two figures: "10 %". */
export const chance = (share: number): string => percent(share, 1);

/** How many records are unique over whole records: "0.7 % of the records (7) are unique over …". */
export const wholeText = ({ unique, records, estimated }: WholeRecords): string =>
  `${estimated ? 'about ' : ''}${percent(unique, records)} of the records (${count(unique)}) are unique over all published columns that are not sensitive`;

/** Whether the number of unique records is worth a warning: more than 1 %. */
export const isMuch = ({ unique, records }: WholeRecords): boolean => 100 * unique > records;

/** The attacks by what they found; those that expose most records first. */
export function byOutcome(attacks: AttackReport[]): Record<'found' | 'nothing' | 'unchecked', AttackReport[]> {
  const exposed = (attack: AttackReport) => attack.exposed ?? -1;
  return {
    found: attacks.filter((one) => exposed(one) > 0).sort((a, b) => exposed(b) - exposed(a)),
    nothing: attacks.filter((one) => exposed(one) === 0),
    unchecked: attacks.filter((one) => exposed(one) < 0),
  };
}

/** What the attacker may know beforehand, as far as no file is needed. */
export const PRIORS = [
  { id: 'marginal', title: 'how often each value occurs in the table' },
  { id: 'summary:bayes', title: 'how attributes depend on each other (Bayesian network)' },
  { id: 'table', title: 'the whole table (the same for every scheme)' },
] as const;

/** The title of a prior that a report names. */
export const priorTitle = (id: string): string => PRIORS.find((prior) => prior.id === id)?.title ?? id;

/** How far a score is above the baseline, in percentage points: "+3.6", "−0.4", "±0". */
export function aboveBaseline(score: number, baseline: number): string {
  const points = Math.round(1000 * (score - baseline)) / 10;
  if (points === 0) return '±0';
  return points > 0 ? `+${points}` : `−${-points}`;
}

/** The columns that can be predicted: all but identifiers and what is negotiated. */
export const targetsOf = (attributes: { name: string; role: string }[], qi: string[]): string[] => {
  const rank = (role: string) => (role === 'sensitive' ? 0 : 1);
  const others = attributes.filter(({ name, role }) => role !== 'identifier' && !qi.includes(name));
  return others.sort((a, b) => rank(a.role) - rank(b.role)).map(({ name }) => name);
};

export const digits = (value: number, places = 3): string => value.toFixed(places);

/** A number of the table and the one of the publication. */
export const pair = ({ before, after }: BeforeAfter, places?: number): [string, string] => [digits(before, places), digits(after, places)];
