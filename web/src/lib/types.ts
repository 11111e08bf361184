// What the server takes and tells; field names are those of the command line.

export type Role = 'identifier' | 'quasi-identifier' | 'sensitive' | 'insensitive';
export type Threshold = number | Record<string, number>;

/** A privacy model as asked for: its id, the sensitive attribute, numbers and words by name. */
export type Privacy = { model: string; on?: string } & Record<string, string | number | undefined>;

export interface Ask {
  qi?: string[];
  privacy?: Privacy[];
  levels?: number[] | Record<string, number>;
  max_suppressed?: number | string;
  relax_height?: RelaxHeight;
  optimize?: string;
  top?: number;
  /** Whether `privacy` may be weaker than what the project asks for; publishing that needs it. */
  only?: boolean;
}

/** What became of the records of the table. */
export interface Account {
  read: number;
  dropped: number;
  counted: number;
  suppressed?: number;
  published?: number;
}

/** A threshold of the project that a publication would not keep. */
export interface Weakened {
  project: string;
  promised?: string;
}

export type RelaxHeight = 'lowest' | 'closest' | 'published';

export interface Project {
  name: string;
  version: string;
  records: number;
  qi: string[];
  attributes: { name: string; role: Role; qi: boolean; levels: number | null }[];
  sensitive: string[];
  defaults: Ask;
  notice: string | null;
}

export interface Level {
  level: number;
  values: number;
  examples: string[];
}

export interface LatticeAttribute {
  name: string;
  top: number;
  levels: Level[];
}

export interface LatticeInfo {
  qi: string[];
  attributes: LatticeAttribute[];
  schemes: number;
  records: number;
  base_groups: number;
  /** Models that cannot be asked for, and why. */
  unaskable: Record<string, string>;
  notice: string | null;
}

export interface Parameter {
  name: string;
  meaning: string;
  minimum?: number;
  maximum?: number;
  above?: number;
  below?: number;
  whole: boolean;
  negotiated: boolean;
  optional: boolean;
  /** A value that people begin with. */
  usual: number;
}

export interface Choice {
  name: string;
  meaning: string;
  options: string[];
}

export interface Model {
  id: string;
  title: string;
  definition: string;
  formula: string;
  citation: string;
  example: string;
  parameters: Parameter[];
  choices: Choice[];
  sensitive: boolean;
  states: string[];
}

export interface Measure {
  id: string;
  title: string;
  definition: string;
  range: string;
  example: string;
}

export interface Offer {
  scheme: number[];
  levels: Record<string, number>;
  height: number;
  suppressed: number;
  privacy: Record<string, Threshold>;
  /** The same in full, as a request states it. */
  thresholds: Privacy[];
  attained: Record<string, Threshold>;
  loss?: Record<string, number>;
}

export interface PrivacyOffer {
  model: string;
  parameter: string;
  value: number | null;
  offer: Offer | null;
  reason?: string;
}

export interface Offers {
  suppression: Offer | null;
  suppression_reason?: string;
  height: Offer | null;
  height_reason?: string;
  privacy: Offer | null;
  privacy_reason?: string;
  privacy_each?: PrivacyOffer[];
  attribute: (Offer & { attribute: string })[];
  attribute_reason?: string;
}

export interface Answer {
  outcome: 'exact' | 'relaxed';
  /** What was asked, in full. */
  asked: Ask;
  account: Account;
  exact: Offer | null;
  runners_up?: Offer[];
  relaxations: Offers | null;
  visited: number;
  micros: number;
}

export interface Bin {
  value: number;
  groups: number;
  records: number;
  weaker: number;
}

export interface SchemeInfo {
  scheme: number[];
  height: number;
  suppressed: number;
  groups: number;
  attained: Record<string, Threshold>;
  histogram: { model: string; parameter: string; bins: Bin[] } | null;
  loss: Record<string, number>;
}

export interface Heights {
  heights: { height: number; schemes: number; least: number; mean: number; most: number }[];
}

export interface FrontPoint {
  threshold: number;
  loss: number;
  suppressed: number;
  scheme: number[];
  height: number;
  price?: number;
  knee: boolean;
}

export interface Front {
  model: string;
  parameter: string;
  loss: string;
  limit: number;
  points: FrontPoint[];
}

export interface Count {
  /** None for all values that are not told one by one. */
  value: string | null;
  records: number;
}

export interface DataAttribute {
  name: string;
  role: Role;
  distinct: number;
  missing: number;
  distribution: Count[];
  hierarchy: boolean;
}

export interface Branch {
  label: string;
  level: number;
  records: number;
  below?: Branch[];
}

export interface Hierarchy {
  attribute: string;
  source: string;
  levels: number[];
  tree: Branch;
}

export interface Preview {
  columns: string[];
  rows: { before: string[]; after: string[] | null }[];
  attributes: { name: string; before: Count[]; after: Count[]; loss: number | null }[];
  plan: ColumnPlan;
  suppressed: number;
  starred: number;
  records: number;
  /** Thresholds of the project that this publication would not keep. */
  weaker: Weakened[];
}

/** What becomes of one column, and how many published records its values single out. */
export interface ColumnAccount {
  name: string;
  role: string;
  listed: boolean;
  treatment: 'generalized' | 'unchanged' | 'dropped';
  as_recorded: boolean;
  reason?: string;
  explanation?: string;
  unique: number;
  below_k: number;
  estimated?: boolean;
}

/** What becomes of every column. */
export interface ColumnPlan {
  k: number;
  max_below_k: number;
  records: number;
  columns: ColumnAccount[];
  notes: string[];
}

export interface PublicationReport {
  output: string;
  manifest: string;
  recoding: string;
  strategy?: string;
  /** The name of the recoding, as a comparison tells it. */
  result: string;
  scheme?: number[];
  groups: number;
  records: number;
  read: number;
  dropped: number;
  suppressed: number;
  /** The order of the records: random, or kept as in the table. */
  order: 'random' | 'kept';
  /** Records with * in every quasi-identifier: suppressed, and a group of their own. */
  starred: number;
  /** Models because of which suppressed records were dropped although stars were asked for. */
  stars_failed?: string[];
  /** Groups with one value of a sensitive attribute, if the promise is about none. */
  single_valued?: { attribute: string; groups: number; records: number }[];
  /** Fields and names of columns that spreadsheets take for formulas. */
  formulas: number;
  spreadsheet_safe: boolean;
  /** Earlier publications of the table. */
  earlier: { time: string; output: string; records: number; promises: string[] }[];
  promised: Record<string, Threshold>;
  attained: Record<string, Threshold>;
  promise_over: string[];
  unchanged: string[];
  as_recorded: string[];
  unique_over_all_columns: number;
  columns: ColumnPlan;
}

/** What one strategy found. */
export interface Compared {
  strategy: string;
  title: string;
  recoding: string;
  found?: string;
  /** Its name, by which just this can be published; only what was verified has one. */
  result?: string;
  reason?: string;
  loss: Record<string, number>;
  suppressed?: number;
  groups?: number;
  evaluated: number;
  scans?: number;
  /** What should be known of how it was found. */
  note?: string;
  proven: boolean;
  verified: boolean;
  micros: number;
}

/** Every strategy on one request. */
export interface Comparison {
  records: number;
  limit: number;
  measures: string[];
  strategies: Compared[];
}

/** What becomes of records whose group fails: left out, or kept with * throughout. */
export type Suppress = 'drop' | 'star';

/** What is published: a scheme, or what a strategy was found to give. */
export type Recoding = { scheme: number[] } | { strategy: string; result: string };

export interface Published {
  report: PublicationReport;
  downloads: Record<string, string | null>;
}

export interface Progress {
  what: string;
  done: number;
  of: number | null;
}

export interface Problem {
  what: string;
  where?: string;
  fix?: string;
}

export interface Predicted {
  probability: number;
  at_least: number;
  at_most: number;
  suppressed: number;
  loss: Record<string, number>;
}

export interface InstantPlan {
  schemes: number;
  predicted: number;
  candidates: number;
  too_many_cells: number;
  pruning: 'sound' | 'heuristic';
}

export interface InstantPrediction {
  summary: { id: string; scans: number; records: number };
  limit: number;
  /** None for schemes below one that promises too little. */
  suppressed: (number | null)[];
  plan: InstantPlan;
  best: { scheme: number[]; height: number; predicted: Predicted } | null;
  micros: number;
}

/** A scheme as counted; what it attains stands under the model's name. */
export type Firm = { scheme: number[]; suppressed: number; records: number; loss: Record<string, number> } & Record<string, unknown>;

export interface InstantAnswer {
  scheme: number[] | null;
  scans: number;
  limit: number;
  plan: InstantPlan;
  predicted: Predicted | null;
  attained: Firm | null;
  trials: Firm[];
}
