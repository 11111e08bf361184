// Requests by context: what a data-protection officer would start from. Every number can be changed
// afterwards; the page says which come from practice, and which are our choice.

import type { Model, Privacy, Project } from '../server/api';
import type { Request } from './request';

export interface Preset {
  id: 'public' | 'research' | 'internal';
  title: string;
  /** Who receives the data. */
  audience: string;
  k: number;
  /** How many different sensitive values each group needs; none where the audience is bound. */
  l: number | null;
  source: string;
}

/** Where the sizes of groups come from: the chapter lists who has used which. */
const GUIDE = 'K. El Emam, Guide to the De-Identification of Personal Health Information, CRC Press 2013, chapter “Cell Size Precedents”';

export const PRESETS: Preset[] = [
  {
    id: 'public',
    title: 'Public release',
    audience: 'Anybody, without conditions',
    k: 11,
    l: 3,
    source:
      `k = 11, a risk of about 0.09, has been used for public releases of health data in the United States (${GUIDE}). l = 3 is our choice: a reader who can rule out one value still does not know the other.`,
  },
  {
    id: 'research',
    title: 'Research use',
    audience: 'Researchers who agreed to conditions',
    k: 5,
    l: 2,
    source:
      `k = 5, a risk of 0.2, is the smallest group that custodians of health data have long used (${GUIDE}). That it suits recipients under conditions is our choice, and so is l = 2: the least that keeps a group from having a single sensitive value.`,
  },
  {
    id: 'internal',
    title: 'Internal use',
    audience: 'Colleagues bound by the same duties',
    k: 3,
    l: null,
    source:
      `k = 3, a risk of 0.33, is used by some custodians of health data (${GUIDE}). That it suits colleagues is our choice. Sensitive values are not hidden from people who may see them.`,
  },
];

/** The risk that k allows, in per cent, rounded up so that groups of exactly k are not above it. */
export const riskOf = (k: number): number => Math.ceil(1000 / k) / 10;

/** What a preset asks for on this project: k, and diversity of the first sensitive attribute. */
export function privacyOf({ k, l }: Preset, project: Project, models: Model[]): Privacy[] {
  const on = project.sensitive[0];
  const diversity = models.some(({ id }) => id === 'distinct-l-diversity');
  return [{ model: 'k-anonymity', k }, ...(l && on && diversity ? [{ model: 'distinct-l-diversity', l, on }] : [])];
}

/** The request with a preset's privacy; limit, levels and attributes stay. */
export const applied = (request: Request, preset: Preset, project: Project, models: Model[]): Request => ({
  ...request,
  privacy: privacyOf(preset, project, models),
});

/** The preset that a request asks for exactly, if there is one. */
export function presetOf(request: Request, project: Project, models: Model[]): Preset | null {
  const text = (privacy: Privacy[]) => JSON.stringify(privacy.map((one) => Object.entries(one).sort()));
  return PRESETS.find((preset) => text(privacyOf(preset, project, models)) === text(request.privacy)) ?? null;
}
