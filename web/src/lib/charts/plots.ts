// What the trade-off charts show: plain data made from the server's answers.

import type { Front, Heights, SchemeInfo } from '../server/api';
import type { Kind } from './axes';
import { count, counted, figure, schemeText } from '../text/words';

export interface PlotPoint {
  x: number;
  y: number;
  low?: number;
  high?: number;
  mark?: string;
  text: string;
  scheme: number[] | null;
  /** The threshold that the point stands for, and what its scheme suppresses there. */
  threshold?: { label: string; value: number; suppressed: number };
}

export interface Rule {
  value: number;
  label: string;
}

export interface PlotData {
  points: PlotPoint[];
  /** How a line gets from point to point: a threshold between two costs what the stronger one does. */
  line: 'before' | 'after' | null;
  labelX: string;
  labelY: string;
  kindX?: Kind;
  kindY?: Kind;
  rulesX: Rule[];
  rulesY: Rule[];
  invite: string;
}

const ascending = (points: PlotPoint[]) => [...points].sort((a, b) => a.x - b.x);

/** The front of privacy against loss; `searched`: at some thresholds only. */
export function frontPlot(front: Front, asked: number | undefined, searched = false): PlotData {
  const points = front.points.map((p) => ({
    x: p.threshold,
    y: p.loss,
    scheme: p.scheme,
    threshold: { label: `${front.parameter} = ${figure(p.threshold)}`, value: p.threshold, suppressed: p.suppressed },
    ...(p.knee ? { mark: 'knee' } : {}),
    text: `${front.parameter} = ${figure(p.threshold)} costs ${front.loss} ${figure(p.loss)}: scheme ${schemeText(p.scheme)}, ${count(p.suppressed)} suppressed${p.price ? `; on the way here a unit of ${front.parameter} costs ${figure(p.price)}` : ''}.`,
  }));
  return {
    points: ascending(points),
    line: (points[0]?.x ?? 0) > (points.at(-1)?.x ?? 0) ? 'before' : 'after',
    labelX: `${front.parameter} of ${front.model}`,
    labelY: front.loss,
    kindY: 'linear',
    rulesX: asked === undefined || !points.length ? [] : [{ value: asked, label: `asked: ${figure(asked)}` }],
    rulesY: [],
    invite: `${searched ? 'Each point is exact; thresholds between two points were not searched. ' : ''}Point at one to see its scheme in the lattice; click to choose it.`,
  };
}

/** What a scheme suppresses at every threshold, with the limit drawn in. */
export function histogramPlot(info: SchemeInfo, limit: number, asked: number | undefined): PlotData {
  const { parameter = '', model = '', bins = [] } = info.histogram ?? {};
  // An infinite statistic has no value in JSON, and no place on an axis.
  const finite = bins.flatMap(({ value, ...bin }) => (value == null ? [] : [{ ...bin, value }]));
  const points = finite.map((bin) => ({
    x: bin.value,
    y: bin.weaker,
    scheme: null,
    text: `${parameter} = ${figure(bin.value)} suppresses ${counted(bin.weaker, 'record')}; ${counted(bin.groups, 'group')} with ${counted(bin.records, 'record')} ${bin.groups === 1 ? 'has' : 'have'} just that.`,
  }));
  return {
    points: ascending(points),
    line: (points[0]?.x ?? 0) < (points.at(-1)?.x ?? 0) ? 'before' : 'after',
    labelX: `${parameter} of ${model}, scheme ${schemeText(info.scheme)}`,
    labelY: 'suppressed',
    rulesX: asked === undefined ? [] : [{ value: asked, label: `asked: ${figure(asked)}` }],
    rulesY: [{ value: limit, label: `limit ${count(limit)}` }],
    invite: 'Point at the curve to read it.',
  };
}

/** Least, mean and most suppression at each height. */
export function studyPlot(study: Heights, limit: number): PlotData {
  return {
    points: study.heights.map((h) => ({
      x: h.height,
      y: h.mean,
      low: h.least,
      high: h.most,
      scheme: null,
      text: `Height ${h.height}, ${counted(h.schemes, 'scheme')}: at least ${count(h.least)}, on average ${count(h.mean)}, at most ${count(h.most)} suppressed.`,
    })),
    line: null,
    labelX: 'height',
    labelY: 'suppressed',
    kindX: 'whole',
    rulesX: [],
    rulesY: [{ value: limit, label: `limit ${count(limit)}` }],
    invite: 'Full dots are the least at each height, hollow ones the mean, lines reach to the most.',
  };
}
