// A loss measure as it is asked for: its id, and how much each attribute counts.

import type { Measure } from '../server/api';
import { plain } from './request';

export interface Weighing {
  measure: string;
  /** Weights by attribute; 1 if not named. */
  weights: Record<string, number>;
  /** Other words after the measure, such as on=disease, kept as they are. */
  others: string[];
}

/** Reads "lm:age=2,race=0.5". */
export function readJudge(text: string): Weighing {
  const at = text.indexOf(':');
  const measure = at < 0 ? text : text.slice(0, at);
  const words = at < 0 ? [] : text.slice(at + 1).split(',');
  const weighing: Weighing = { measure, weights: {}, others: [] };
  for (const word of words) {
    const split = word.lastIndexOf('=');
    const value = Number(word.slice(split + 1));
    if (split > 0 && word.slice(split + 1).trim() !== '' && Number.isFinite(value)) weighing.weights[word.slice(0, split)] = value;
    else weighing.others.push(word);
  }
  return weighing;
}

/** The measure with the weights that differ from 1. */
export function writeJudge({ measure, weights, others }: Weighing): string {
  const words = Object.entries(weights)
    .filter(([, weight]) => weight !== 1)
    .map(([name, weight]) => `${name}=${plain(weight)}`);
  const all = [...others, ...words];
  return all.length ? `${measure}:${all.join(',')}` : measure;
}

/** The id of a measure, without its weights. */
export const measureOf = (text: string | null): string => (text === null ? '' : readJudge(text).measure);

/** Whether a weight can be written for an attribute: its name must not look like another word. */
export const canBeWeighed = (name: string): boolean => !/[,:=]/.test(name) && name !== 'on' && name !== 'over';

export const acceptsWeights = (measures: Measure[], id: string): boolean => measures.find((m) => m.id === id)?.weighted ?? false;
