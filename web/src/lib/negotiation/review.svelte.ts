// Risk and utility of the chosen scheme: how they are measured, and what was calculated.

import type { RiskReport, UtilityReport } from '../server/api';
import { Calculation } from '../server/calculation.svelte';

export class Review {
  /** How risk is measured: both numbers in per cent. */
  riskForm = $state({ threshold: 20 as number | null, fraction: null as number | null, prior: 'marginal' as string });
  /** The column that models predict; the first that can be if empty. */
  utilityTarget = $state('');
  readonly risk = new Calculation<RiskReport>();
  readonly utility = new Calculation<UtilityReport>();
}
