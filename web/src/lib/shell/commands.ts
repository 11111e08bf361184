// Everything that the command palette can do, found by words.

import type { Negotiation } from '../negotiation/negotiation.svelte';
import { TABS } from '../request/codec';
import { firstAsked } from '../request/request';
import { applied, PRESETS } from '../request/presets';
import { theme } from '../browser/theme.svelte';
import { sentence } from '../text/words';

export interface Command {
  id: string;
  title: string;
  run: () => void;
}

/** All commands in the order in which they are listed. */
export function commands(negotiation: Negotiation, tour: () => void): Command[] {
  const { models, project } = negotiation;
  const request = negotiation.request.current;
  const open = TABS.map((tab) => ({ id: `open-${tab}`, title: `Open ${sentence(tab)}`, run: () => negotiation.selection.open(tab) }));
  const presets = PRESETS.map((preset) => ({
    id: `preset-${preset.id}`,
    title: `Ask for ${preset.title.toLowerCase()}`,
    run: () => negotiation.edit(applied(request, preset, project, models), true, 'push'),
  }));
  const measures = negotiation.measures.map((measure) => ({
    id: `optimize-${measure.id}`,
    title: `Optimize for least ${measure.title}`,
    run: () => negotiation.edit({ ...request, optimize: measure.id }),
  }));
  const attributes = negotiation.quasiIdentifiers.map((name) => {
    const on = request.qi.includes(name);
    const qi = on ? request.qi.filter((one) => one !== name) : [...request.qi, name];
    return { id: `attribute-${name}`, title: `${on ? 'Switch off' : 'Switch on'} attribute ${name}`, run: () => qi.length && negotiation.edit({ ...request, qi }) };
  });
  const asked = new Set(request.privacy.map(({ model }) => model));
  const added = models
    .filter(({ id }) => !asked.has(id) && !(id in negotiation.request.lattice.unaskable))
    .map((model) => ({
      id: `model-${model.id}`,
      title: `Add privacy model ${model.title}`,
      run: () => negotiation.edit({ ...request, privacy: [...request.privacy, firstAsked(model, project)] }),
    }));
  const { chosen } = negotiation.selection;
  return [
    ...open,
    { id: 'undo', title: 'Undo', run: () => negotiation.undo() },
    { id: 'redo', title: 'Redo', run: () => negotiation.redo() },
    ...(negotiation.selection.pinned !== null ? [{ id: 'unpin', title: 'Unpin the scheme', run: () => negotiation.selection.pin(null) }] : []),
    ...(chosen ? [{ id: 'shortlist', title: 'Add the scheme to the shortlist', run: () => negotiation.selection.shortlisted(chosen, true) }] : []),
    ...presets,
    { id: 'optimize-none', title: 'Optimize for the lowest scheme', run: () => negotiation.edit({ ...request, optimize: null }) },
    ...measures,
    ...attributes,
    ...added,
    { id: 'light', title: 'Light colours', run: () => theme.choose('light') },
    { id: 'dark', title: 'Dark colours', run: () => theme.choose('dark') },
    { id: 'tour', title: 'Start the guided tour', run: tour },
  ];
}

/** What a typed threshold asks for: "k 10", "k = 10". */
export function typedThreshold(text: string, negotiation: Negotiation): Command[] {
  const match = /^\s*([a-z]+)\s*[= ]\s*(\d+(?:\.\d+)?)\s*$/i.exec(text);
  if (!match) return [];
  const [name, value] = [match[1]!.toLowerCase(), Number(match[2])];
  const request = negotiation.request.current;
  const position = request.privacy.findIndex((one) => typeof one[name] === 'number');
  if (position < 0) return [];
  const privacy = request.privacy.map((one, i) => (i === position ? { ...one, [name]: value } : one));
  return [{ id: `ask-${name}`, title: `Ask for ${name} = ${value}`, run: () => negotiation.edit({ ...request, privacy }) }];
}

/** The commands that have every typed word; those that begin with the text first. */
export function found(all: Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ title }: Command) => words.every((one) => title.toLowerCase().includes(one));
  const begins = ({ title }: Command) => (title.toLowerCase().startsWith(text.toLowerCase().trim()) ? 0 : 1);
  return all.filter(has).sort((a, b) => begins(a) - begins(b));
}
