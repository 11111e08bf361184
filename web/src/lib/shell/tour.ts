// The stops of the guided tour, from the lattice to a publication.

import type { Tab } from '../request/codec';

export interface Stop {
  /** Which part of the page it speaks of (`data-tour`). */
  target: string;
  /** The tab that it is on; the first one if not given. */
  tab?: Tab;
  title: string;
  text: string;
  /** Something that the user does; the tour goes on by itself once this is there. */
  until?: string;
}

export const STOPS: Stop[] = [
  {
    target: 'lattice',
    title: 'Every way to anonymize this table',
    text: 'Each point is a scheme: how general each attribute becomes. At the bottom values are as recorded; each step up makes one attribute more general. The deeper the colour, the more records would have to be left out.',
  },
  {
    target: 'privacy',
    title: 'Say how much privacy you need',
    text: 'With k = 10, every published record looks like nine others at least. There are more models below, alone or together.',
  },
  {
    target: 'limit',
    title: 'Say how many records may be dropped',
    text: 'Records that too few others look like are suppressed. The limit is how many that may be.',
  },
  {
    target: 'levels',
    title: 'Say how much detail you need',
    text: 'Each slider is the most general that an attribute may become; the stops show what a value looks like there. The outlined part of the lattice is what these levels allow.',
  },
  {
    target: 'answer',
    title: 'And haggle',
    text: 'You get the best scheme there is at once, or what would have to be relaxed: more records dropped, coarser levels, or less privacy. Accept moves the sliders for you and gives exactly what the card shows.',
  },
  {
    target: 'explore',
    tab: 'explore',
    title: 'Look before you decide',
    text: 'The same schemes as a lattice, a scatter and a list: what you pin in one is pinned in all. Below you see which records are lost and why, and every attribute before and after.',
  },
  {
    target: 'review',
    tab: 'review',
    title: 'Ask what it tells',
    text: 'Here an officer chooses thresholds by audience, calculates the risk for people, and saves the report.',
  },
  {
    target: 'publish',
    tab: 'publish',
    title: 'Publish it',
    text: 'Every column is accounted for. Press Publish: the file is written, read again, and kept only if the promise holds. It stays on this machine until you save it.',
    until: '[data-published]',
  },
  {
    target: 'published',
    tab: 'publish',
    title: 'Proved from the written file',
    text: 'That is a publication: the data, a public manifest of what was promised, and a private one for your files. Anybody can check the promise with haggle verify.',
  },
];
