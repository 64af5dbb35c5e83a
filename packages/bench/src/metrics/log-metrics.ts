import type { AnswerOutcome, UpdateOutcome } from '../judges/judge.ts'
import type { AnswerEntry, OperationEntry, ProbeEntry, UpdateEntry } from '../log/log-entry.ts'
import { shareMetric, type SumMetric } from './sum-metric.ts'
import { harmonicMean } from './text/overlap.ts'

const OUTCOMES = ['correct', 'hallucinated', 'omitted'] as const satisfies readonly AnswerOutcome[]

/** The outcome of a question; a failed step counts as unanswered. */
export function outcomeOf(entry: AnswerEntry): AnswerOutcome {
  return entry.failure === null ? entry.outcome : 'omitted'
}

/** Question answering as in HaluMem's Table 3 (section 5.3, equation 6): shares of all questions. */
export const ANSWERING_METRICS: readonly SumMetric<AnswerEntry>[] = OUTCOMES.map((outcome) =>
  shareMetric(outcome, (entry) => outcomeOf(entry) === outcome),
)

const UPDATE_OUTCOMES = [
  'correct',
  'hallucinated',
  'omitted',
  'other',
] as const satisfies readonly UpdateOutcome[]

/**
 * Updating as in HaluMem's Table 3 (section 5.2, equation 5), pooled over sessions: shares of all gold updates, where one without retrieval
 * was not made. `published.…`: shares of those with retrieval, as the published script counts.
 */
export const UPDATING_METRICS: readonly SumMetric<UpdateEntry>[] = [
  ...UPDATE_OUTCOMES.map((outcome) =>
    shareMetric<UpdateEntry>(outcome, (entry) => entry.outcome === outcome),
  ),
  ...UPDATE_OUTCOMES.map((outcome) =>
    shareMetric<UpdateEntry>(`published.${outcome}`, (entry) =>
      entry.retrieved.length === 0 ? null : entry.outcome === outcome,
    ),
  ),
]

/**
 * Abstention as a verdict: precision is the share of right “I do not know”, recall the share of unanswerable questions that got it. A
 * step's failure is not an abstention and lowers recall. Precision is null without an abstention; F1 is then 0.
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

/**
 * Share of right multiple-choice answers (MOOM, section 5.2, “QA precision”). Failed ones are wrong. The probe table (appendix H), with
 * free answers, is measured like questions: `ANSWERING_METRICS`.
 */
export const CHOICE_ACCURACY: SumMetric<ProbeEntry> = shareMetric(
  'accuracy',
  (entry) => entry.failure === null && entry.chosen === entry.correct,
)

/** Operation type accuracy (MMM, equation 11): over all turns. Computed. */
export const OPERATION_TYPE: SumMetric<OperationEntry> = shareMetric('type', (entry) => entry.typeCorrect)

/**
 * Memory index accuracy. `index` is MMM's equation 12: over all turns, whatever the type; without an expected index (`add`, `none`) it is
 * right when none was touched. `index_where_any` is ours: over modifications and deletions alone, right only with its type. Computed.
 */
export const OPERATION_INDEX: readonly SumMetric<OperationEntry>[] = [
  shareMetric(
    'index',
    (entry) =>
      entry.ofAnyType?.index ?? entry.indexCorrect ?? entry.actual.every(({ kind }) => kind === 'add'),
  ),
  shareMetric('index_where_any', (entry) => entry.indexCorrect),
]

/**
 * The same over modifications and deletions of memories that the updater was shown. For lists longer than a prompt, this measures the
 * choice of numbers, and `index_where_any` the retrieval. Computed.
 */
export const OPERATION_INDEX_SHOWN: SumMetric<OperationEntry> = shareMetric(
  'index_where_shown',
  (entry) => entry.indexShown ?? null,
)

/**
 * Content consistency, likewise: `content` is MMM's equation 13, where without expected content (`delete`, `none`) it is right when none
 * was written; `content_where_any` is over additions and modifications alone, right only with its type. Judged.
 */
export const OPERATION_CONTENT: readonly SumMetric<OperationEntry>[] = [
  shareMetric(
    'content',
    (entry) =>
      entry.ofAnyType?.content ?? entry.contentCorrect ?? entry.actual.every(({ kind }) => kind === 'delete'),
  ),
  shareMetric('content_where_any', (entry) => entry.contentCorrect),
]
