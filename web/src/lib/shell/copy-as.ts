// What the page shows as a command line and as a curl call, so that it can be repeated without the page.

import type { Ask, Privacy } from '../server/api';
import type { Tab } from '../request/codec';

export interface State {
  tab: Tab;
  /** The project as the command line takes it. */
  project: string;
  /** Where the server is. */
  origin: string;
  ask: Ask;
  /** The scheme that the tab is about; none where the answer to the request is meant. */
  scheme: number[] | null;
  measure: string;
  risk: { threshold: number; fraction: number | null; prior: string };
}

/** A word as a POSIX shell reads it. */
export const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A model as the command line takes it: "k-anonymity:k=10". */
export function privacyText({ model, ...rest }: Privacy): string {
  const pairs = Object.entries(rest).filter(([, value]) => value !== undefined);
  return pairs.length ? `${model}:${pairs.map(([name, value]) => `${name}=${value}`).join(',')}` : model;
}

const flag = (name: string, value: string | number | null | undefined): string[] => (value == null ? [] : [`--${name}`, String(value)]);

/** The thresholds, and only these: the page shows all that is asked for. */
const thresholds = ({ privacy = [] }: Ask): string[] => [...privacy.flatMap((one) => flag('privacy', privacyText(one))), ...(privacy.length ? ['--only'] : [])];

const levels = (ask: Ask): string[] => flag('levels', Array.isArray(ask.levels) ? ask.levels.join(',') : null);

const request = (ask: Ask): string[] => [...thresholds(ask), ...flag('max-suppressed', ask.max_suppressed), ...levels(ask)];

const scheme = (state: State): string[] => flag('scheme', state.scheme?.join(','));

/** The words of each tab's command after the project and its quasi-identifiers. */
const WORDS: Record<Tab, (state: State) => [string, ...string[]]> = {
  negotiate: ({ ask }) => ['ask', ...request(ask), ...flag('relax-height', ask.relax_height), ...flag('optimize', ask.optimize)],
  'trade-offs': ({ ask, measure }) => ['pareto', ...model(ask), ...flag('loss', measure), ...flag('max-suppressed', ask.max_suppressed), ...levels(ask)],
  explore: (state) => ['why', ...thresholds(state.ask), ...scheme(state), ...flag('loss', state.measure)],
  data: () => ['check'],
  review: ({ ask, risk, ...state }) => [
    'risk',
    ...thresholds(ask),
    ...flag('scheme', state.scheme?.join(',')),
    ...flag('threshold', risk.threshold),
    ...flag('sampling-fraction', risk.fraction),
    ...flag('prior', risk.prior),
  ],
  publish: (state) => ['publish', ...(state.scheme ? [...thresholds(state.ask), ...scheme(state)] : [...request(state.ask), ...flag('optimize', state.ask.optimize)]), '-o', 'published.csv'],
};

/** The model whose threshold varies on a front, with its other parameters. */
function model({ privacy = [] }: Ask): string[] {
  const [first] = privacy;
  if (!first) return [];
  const { model: id, on } = first;
  return ['--privacy', on === undefined ? id : `${id}:on=${on}`];
}

export function commandLine(state: State): string {
  const [command, ...rest] = WORDS[state.tab](state);
  const qi = command === 'check' ? [] : flag('qi', state.ask.qi?.join(','));
  return ['haggle', command, state.project, ...qi, ...rest].map(word).join(' ');
}

/** The route of each tab, and its body. */
function call(state: State): { path: string; body: object | null } {
  const { ask, scheme, measure } = state;
  switch (state.tab) {
    case 'negotiate':
      return { path: '/api/ask', body: ask };
    case 'trade-offs':
      return { path: '/api/pareto', body: { ...ask, optimize: undefined, privacy: ask.privacy?.slice(0, 1), loss: measure } };
    case 'explore':
      return { path: '/api/why', body: { qi: ask.qi, privacy: ask.privacy, ...(scheme && { scheme }), loss: measure } };
    case 'data':
      return { path: '/api/data', body: null };
    case 'review': {
      const { threshold, fraction, prior } = state.risk;
      return { path: '/api/risk', body: { ...ask, ...(scheme && { scheme }), threshold, prior, ...(fraction !== null && { sampling_fraction: fraction }) } };
    }
    case 'publish':
      return { path: '/api/publish', body: { ...ask, ...(scheme && { scheme }), format: 'csv' } };
  }
}

/** The name of the variable that holds the token. */
export const TOKEN = 'HAGGLE_TOKEN';

export function curl(state: State): string {
  const { path, body } = call(state);
  const data = body === null ? '' : ` -H 'Content-Type: application/json' -d ${word(JSON.stringify(body))}`;
  return `curl -s -H "Authorization: Bearer $${TOKEN}"${data} ${word(state.origin + path)}`;
}
