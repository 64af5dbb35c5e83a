import type { UpdateOutcome } from '../../judges/judge.ts'
import type { UpdateEntry } from '../../log/log-entry.ts'
import { shareMetric, type SumMetric } from '../sum-metric.ts'

const OUTCOMES = ['correct', 'hallucinated', 'omitted', 'other'] as const satisfies readonly UpdateOutcome[]

/**
 * Updating as HaluMem's Table 3 has it (section 5.2, equation 5), pooled over sessions: shares of all gold updates. One
 * for which nothing was retrieved is an update that was not made. `published.…`: shares of those for which anything was
 * retrieved, as the published script counts; the others it counts under extraction.
 */
export const UPDATING_METRICS: readonly SumMetric<UpdateEntry>[] = [
  ...OUTCOMES.map((outcome) => shareMetric<UpdateEntry>(outcome, (entry) => entry.outcome === outcome)),
  ...OUTCOMES.map((outcome) =>
    shareMetric<UpdateEntry>(`published.${outcome}`, (entry) =>
      entry.retrieved.length === 0 ? null : entry.outcome === outcome,
    ),
  ),
]
