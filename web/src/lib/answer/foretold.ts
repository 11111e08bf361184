// What a summary foretells of a request, and what of it was counted since.

import type { CountedScheme, InstantAnswer, InstantPrediction, LatticeInfo } from '../server/api';
import { sameList, type Request } from '../request/request';
import type { SchemeSet } from '../schemes/space';

export interface Foretold {
  request: Request;
  lattice: LatticeInfo;
  prediction: InstantPrediction;
  /** What counting the best candidates led to; none while they are being counted. */
  answer: InstantAnswer | null;
  /** The schemes that were counted. */
  counted: CountedScheme[];
}

/** The figure of a scheme, if it was counted; all others are predicted. */
export const firmOf = (foretold: Foretold | null, scheme: readonly number[]): CountedScheme | null =>
  foretold?.counted.find((firm) => sameList(firm.scheme, scheme)) ?? null;

/**
 * What every scheme suppresses: as counted where it was, else as predicted, in whole records. Below
 * one that promises too little nothing is predicted; there all records stand for too many.
 */
export function suppressedOf({ prediction, counted }: Foretold, space: SchemeSet): Float64Array {
  const all = Float64Array.from(prediction.suppressed, (one) => Math.round(one ?? prediction.summary.records));
  for (const firm of counted) if (space.has(firm.scheme)) all[space.index(firm.scheme)] = firm.suppressed;
  return all;
}

/** How sure a figure is: counted, predicted, or not looked at because a scheme above it promises too little. */
export type Sureness = 'counted' | 'predicted' | 'left out';

export function surenessOf(foretold: Foretold, scheme: readonly number[], space: SchemeSet): Sureness {
  if (firmOf(foretold, scheme)) return 'counted';
  return foretold.prediction.suppressed[space.index([...scheme])] === null ? 'left out' : 'predicted';
}

/** The scheme to speak of: the one that keeps its promise, else the one that promises most. */
export const schemeOf = ({ prediction, answer }: Foretold): number[] | null =>
  (answer ? answer.scheme : prediction.best?.scheme) ?? null;

/** A probability as people say it; what is not quite certain is not called certain. */
export function confidence(probability: number): string {
  if (probability >= 0.9995 && probability < 1) return 'over 99.9 %';
  if (probability > 0 && probability < 0.0005) return 'under 0.1 %';
  return `${Number((100 * probability).toFixed(1))} %`;
}
