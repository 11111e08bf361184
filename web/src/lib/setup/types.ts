// The names under which set-up uses what the server takes and reports.

import type * as api from '../server/types';

export type {
  AttributePrice,
  DiscardedTable,
  HierarchyRule,
  HistogramColumn,
  LabelledGroup,
  PlanCheck,
  PlanPrice,
  SetupColumn,
  SetupStatus,
  SetupTable,
  SetupValues,
  TreeNode,
} from '../server/types';

export type MissingPolicy = api.MissingPolicy;
export type Role = 'quasi-identifier' | 'sensitive' | 'insensitive' | 'identifier';
export type PlannedColumn = Omit<api.PlannedColumn, 'role'> & { role: Role };
export type Plan = Omit<api.SetupPlan, 'columns'> & { columns: PlannedColumn[] };
export type Rule = api.HierarchyRule;
export type RuleName = Rule['rule'];
export type RuleOf<N extends RuleName> = Extract<Rule, { rule: N }>;
