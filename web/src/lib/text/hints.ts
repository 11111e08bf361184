// The terms of art, each in a sentence or two; shown next to the term.

export const HINTS = {
  scheme:
    'A scheme is one level for each quasi-identifier, written [2,1,0]: the first attribute two levels up, the second one, the third as recorded.',
  lattice:
    'Every scheme there is, as a point. The lowest point publishes values as recorded; each step up makes one attribute one level more general. Colour tells how many records would be suppressed.',
  height: 'The sum of a scheme’s levels: how far it is from the values as recorded.',
  suppressed:
    'Records that are dropped because too few others look like them. Higher schemes usually suppress fewer, because values that look alike become more.',
  limit: 'How many records may be suppressed at most, as a count or in per cent of all. Per cent are rounded down.',
  level:
    'A hierarchy makes values more general level by level: level 0 is the value as recorded, the top is *. The slider sets how general an attribute may become at most.',
  privacy:
    'What must hold of every group of records that look alike. Groups that fail are suppressed. Several models can be asked for together; then all of them must hold.',
  relaxation:
    'No scheme meets the whole request. Each card changes one part of it, keeps all others, and shows exactly what accepting it gives.',
  loss: 'What generalizing and suppressing destroy, by a measure of your choice. Less is better.',
  front:
    'Every point is the least loss that is possible at a privacy threshold, within the coarsest levels allowed and the limit. Nothing below the line is possible. Choose a point to ask for its threshold. The knee, if it is at a threshold that people ask for, is where more privacy starts to cost much more.',
  histogram:
    'How many records the pinned scheme suppresses at every threshold. Where the curve crosses the limit, the threshold is no longer possible.',
  study: 'At each height of the lattice the least, the mean and the most that its schemes suppress at the threshold asked for.',
  strategies:
    'As well as by schemes, a table can be recoded with values of different levels (cuts), as boxes (ranges of several attributes together), and with suppressed records published at higher levels (parts). Each row is what one algorithm of the field finds for this request; every one keeps the promise.',
  scatter:
    'Every scheme by what it loses (to the right) and how many records it suppresses (upwards). The paler, the lower the scheme. Schemes that meet the request are drawn in full; the dashed line is the limit. What is pinned or pointed at here is so in all views.',
  why:
    'Which published values have most of their records suppressed under the shown scheme, and what one level up or down would change. Groups are described by generalized values only.',
  weights:
    'Some measures can weigh attributes: an attribute with weight 2 counts twice as much as one with weight 1. The answer is then the scheme that loses least where it matters to you.',
  beforeAfter:
    'Each axis has the recorded values in the order of the hierarchy. Columns are records before; the outline is what is published: one step for each published value, as high as its records would be if they were spread evenly over the values it stands for.',
  crossTable:
    'Records by two attributes, in the cells that will be published. A cell says how many records are published and, if some are suppressed, of how many.',
  subgroups:
    'Suppression does not hit everybody alike: small groups lose more. “Next to all” says how many times the share of all records a subgroup loses. This is for the curator and tells about single groups.',
  context:
    'The wider the audience, the smaller the risk that may be left. Each context sets thresholds with a source or a reason; afterwards every number can be changed.',
  query:
    'An analyst asks how many published records satisfy a condition. A group may satisfy it only in part: then all of its records are counted (not corrected), or each by a probability: that of the real combinations of values (corrected), or that of each attribute alone (independent). The truth is what the table itself answers.',
  risk:
    'What the shown scheme tells an attacker. The prosecutor knows that a person is in the table, the journalist knows the population, the marketer matches the whole table. Groups are described by generalized values only.',
  utility:
    'What analysts can still do with the shown scheme. Entropy says how much an attribute tells. Cramér’s V is 0 for independent columns and 1 if one determines the other. Models are tested with records that were held out before the scheme was chosen.',
  report:
    'The public report is about the published records alone. The private report, for the file of the data-protection officer, adds how many records are suppressed and where, the worst groups, the hashes of the input and the recorded values.',
  quasi:
    'Quasi-identifiers are attributes that others may know, and so could link a record to a person. They are what is generalized.',
  sensitive: 'What must not become known of a person.',
  role: 'Identifiers name a person and are never published. Quasi-identifiers are generalized. Sensitive attributes must not become known. The rest is insensitive.',
  relaxHeight:
    'If no scheme within the coarsest levels allowed will do: “lowest” takes the lowest scheme anywhere, “closest” the fewest levels beyond them, “published” searches upwards from them, as the method was published.',
  optimize: 'Among all schemes that meet the request, the one that loses least by this measure is the best match. “Fewest steps” takes the scheme of the least height instead, as the method was published.',
  instant:
    'Before anything is counted, a summary of the table predicts what every scheme would suppress. The best candidates are then counted, one scan each, until one keeps its promise. For large tables that is much quicker than counting every scheme; predicted figures are marked, and nothing is published on them alone.',
  promise: 'The published file is read again and measured. If it did not keep the promise, it would be removed.',
  order:
    'Records are published in a random order. Two releases that keep the order of the table can be joined by row number, which gives back every record.',
  manifest: 'What was promised and how the values were recoded; holds nothing that helps an attacker.',
} as const;

export type Term = keyof typeof HINTS;
