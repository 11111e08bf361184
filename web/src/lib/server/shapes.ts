// The names under which the page uses what the server takes and reports. The types themselves are
// generated; only what the OpenAPI document cannot say is written here.

import type * as api from './types';

export type {
  Account,
  AttackReport,
  BeforeAfter,
  BeliefReport,
  Branch,
  ColumnAccount,
  ColumnPlan,
  ColumnRisk,
  ColumnView as DataAttribute,
  Change,
  ComparedStrategy as Compared,
  Comparison,
  CrossTable,
  SuppressedRecords as Suppress,
  CountedScheme,
  Front,
  FrontPoint,
  HierarchyView as Hierarchy,
  HistogramBin as Bin,
  InstantAnswer,
  InstantPlan,
  InstantPrediction,
  LevelOverview as Level,
  LevelsOverview as LatticeAttribute,
  Measure,
  Model,
  ModelsUtility,
  Offer,
  Pinned as SchemeInfo,
  Predicted,
  Preview,
  PublicationReport,
  PublishedFiles as Published,
  QueryAnswer,
  ReidentificationRisk,
  RiskReport,
  RulesUtility,
  SchemeCost,
  SchemesReport,
  SelectedRecords,
  SensitiveRisk,
  Study as Heights,
  SuppressedValue,
  TableAxis,
  Threshold,
  ReportedProblem as Problem,
  UtilityReport,
  ValueRecords as Count,
  Weakened,
  WholeRecords,
  Why,
} from './types';

/** A privacy model as asked for: its id, the sensitive attribute, numbers and words by name. */
export type Privacy = { model: string; on?: string } & Record<string, string | number | undefined>;

/** A request of the page: the shared part of every body, with the quasi-identifiers. */
export type Ask = Omit<api.Ask, 'privacy'> & { qi?: string[]; privacy?: Privacy[] };

/** Requests that the server sends have their privacy as a list. */
export type Relaxation = Omit<api.Relaxation, 'accept'> & { accept?: Ask | null };
export type Answer = Omit<api.Answer, 'asked' | 'relaxations'> & { asked: Ask; relaxations: Relaxation[] };
export type Project = Omit<api.ProjectOverview, 'defaults'> & { defaults: Ask };

/** The page does not show how a lattice was built. */
export type LatticeInfo = Omit<api.LatticeOverview, 'built'>;

/** How far work has come; the page shows work whose length it does not know yet. */
export type Progress = Omit<api.WorkStep, 'of'> & { of: number | null };

/** The receipt of a publication, with the request that it was published for. */
export type Receipt = Omit<api.Receipt, 'request'> & { request: Ask & { scheme?: number[]; strategy?: string } };

export type Parameter = api.Model['parameters'][number];
export type Choice = NonNullable<api.Model['choices']>[number];
export type RelaxHeight = NonNullable<api.Ask['relax_height']>;
export type Role = api.AttributeOverview['role'];

/** How risk is measured. */
export type RiskOptions = Pick<api.RiskAsk, 'threshold' | 'sampling_fraction' | 'prior'>;

/** Who may read a report, and its format. */
export type ReportForm = api.ReportForm;
export type ReportFormat = api.ReportFormat;

/** What is published: a scheme, or the result that a strategy found. */
export type Recoding = { scheme: number[] } | { strategy: string; result: string };
