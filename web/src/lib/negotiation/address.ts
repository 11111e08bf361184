// The view in the address: read when the page opens and after back or forward, written with every change.

import type { Model, Project } from '../server/api';
import { decode, encode, type View } from '../request/codec';
import { defaultRequest, quasiIdentifiersOf } from '../request/request';

/** The fragment of the view that sets up a table; it says nothing of a request. */
const SET_UP = '#setup';

/** How a change shows in the browser's history. */
export type Step = 'replace' | 'push' | 'none';

/** Whether a table is being set up, so that the address says nothing of a request. */
export const isSetUp = (): boolean => location.hash === SET_UP;

/** The view that the address tells of, with quasi-identifiers that the project has. */
export function readAddress(project: Project, models: Model[]): View {
  const request = defaultRequest(project, models);
  const otherwise: View = { tab: 'negotiate', request, pinned: null, measure: 'lm', instant: false, shortlist: [] };
  const view = decode(location.hash, otherwise);
  const known = quasiIdentifiersOf(project);
  const qi = view.request.qi.filter((name) => known.includes(name));
  return { ...view, request: { ...view.request, qi: qi.length ? qi : request.qi } };
}

export function writeAddress(view: View, step: Step): void {
  if (step === 'none' || (step === 'replace' && isSetUp())) return;
  const address = `${location.pathname}${location.search}#${encode(view)}`;
  if (step === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
}
