import type { AnswerEntry } from '../log/log-entry.ts'
import { shareMetric, type SumMetric } from './sum-metric.ts'
import { harmonicMean } from './text/overlap.ts'

/**
 * Not to know, taken as a verdict that nothing is to be known: precision is the share of “I do not know” that was right,
 * recall the share of unanswerable questions that got it. A step's failure is not an abstention, so an unanswerable
 * question that failed lowers recall. Precision is null without an abstention; F1 is then 0.
 */
export const ABSTENTION_METRICS: readonly SumMetric<AnswerEntry>[] = [
  shareMetric('abstention_precision', (entry) => (abstains(entry) ? !entry.answerable : null)),
  shareMetric('abstention_recall', (entry) => (entry.answerable ? null : abstains(entry))),
  {
    name: 'abstention_f1',
    add: (entry) => [
      Number(abstains(entry) && !entry.answerable),
      Number(abstains(entry)),
      Number(!entry.answerable),
    ],
    of: ([right = 0, said = 0, due = 0]) => harmonicMean(said === 0 ? 0 : right / said, right / due),
  },
]

function abstains(entry: AnswerEntry): boolean {
  return entry.failure === null && entry.abstained
}
