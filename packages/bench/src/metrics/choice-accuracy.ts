import type { ProbeEntry } from '../log/log-entry.ts'
import { shareMetric, type SumMetric } from './sum-metric.ts'

/**
 * Share of multiple-choice probes answered rightly (MOOM, section 5.1, “QA precision”). One that a step failed on is
 * wrong. The probe table (appendix H), whose answers are free, is measured as questions are: `ANSWERING_METRICS`.
 */
export const CHOICE_ACCURACY: SumMetric<ProbeEntry> = shareMetric(
  'accuracy',
  (entry) => entry.failure === null && entry.chosen === entry.correct,
)
