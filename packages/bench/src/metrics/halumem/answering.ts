import type { AnswerOutcome } from '../../judges/judge.ts'
import type { AnswerEntry } from '../../log/log-entry.ts'
import { shareMetric, type SumMetric } from '../sum-metric.ts'

const OUTCOMES = ['correct', 'hallucinated', 'omitted'] as const satisfies readonly AnswerOutcome[]

/** What came of a question: one that a step failed on is unanswered, whatever else stands in its line. */
export function outcomeOf(entry: AnswerEntry): AnswerOutcome {
  return entry.failure === null ? entry.outcome : 'omitted'
}

/** Question answering as HaluMem's Table 3 has it (section 5.3, equation 6): shares of all questions. */
export const ANSWERING_METRICS: readonly SumMetric<AnswerEntry>[] = OUTCOMES.map((outcome) =>
  shareMetric(outcome, (entry) => outcomeOf(entry) === outcome),
)
