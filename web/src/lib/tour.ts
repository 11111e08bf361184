// The stops of the guided tour.

export interface Stop {
  /** Which part of the page it speaks of (`data-tour`). */
  target: string;
  title: string;
  text: string;
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
    text: 'Each slider is the most general that an attribute may become; the stops show what a value looks like there. The outlined part of the lattice is what these maximum levels allow.',
  },
  {
    target: 'answer',
    title: 'And haggle',
    text: 'You get the best scheme there is at once, or what would have to be relaxed: more records dropped, coarser levels, or less privacy. Accept moves the sliders for you and gives exactly what the card shows. Then publish it; the promise is proved from the written file.',
  },
];
