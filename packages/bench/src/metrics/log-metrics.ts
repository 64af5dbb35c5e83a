import type { AnswerOutcome, UpdateOutcome } from '../judges/judge.ts'
import type { AnswerEntry, OperationEntry, ProbeEntry, UpdateEntry } from '../log/log-entry.ts'
import { shareMetric, type SumMetric } from './sum-metric.ts'
import { harmonicMean } from './text/overlap.ts'

const OUTCOMES = ['correct', 'hallucinated', 'omitted'] as const satisfies readonly AnswerOutcome[]

/** Returns the outcome of an answer. If a step failed, the question counts as unanswered. */
export function outcomeOf(entry: AnswerEntry): AnswerOutcome {
  return entry.failure === null ? entry.outcome : 'omitted'
}

/** Question answering as in HaluMem's Table 3 (section 5.3, equation 6), in shares of all questions. */
export const ANSWERING_METRICS: readonly SumMetric<AnswerEntry>[] = OUTCOMES.map((outcome) =>
  shareMetric(outcome, (entry) => outcomeOf(entry) === outcome),
)

const UPDATE_OUTCOMES = [
  'correct',
  'hallucinated',
  'omitted',
  'other',
] as const satisfies readonly UpdateOutcome[]

/** HaluMem's updating (equation 5), pooled over sessions. `published.…` leaves out updates for which nothing was retrieved. */
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

/** “I do not know”: the share of abstentions that were right, and of unanswerable questions that got one. Failures lower recall. */
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
    combine: ([right = 0, abstained = 0, unanswerable = 0]) =>
      harmonicMean(abstained === 0 ? 0 : right / abstained, right / unanswerable),
  },
]

function abstains(entry: AnswerEntry): boolean {
  return entry.failure === null && entry.abstained
}

/** Share of right multiple-choice answers (MOOM, section 5.2). A failed answer is wrong. Probes are measured as answers. */
export const CHOICE_ACCURACY: SumMetric<ProbeEntry> = shareMetric(
  'accuracy',
  (entry) => entry.failure === null && entry.chosen === entry.correct,
)

/** Accuracy of the operation's type over all turns (MMM, equation 11). It needs no judge. */
export const OPERATION_TYPE: SumMetric<OperationEntry> = shareMetric('type', (entry) => entry.typeCorrect)

/**
 * Accuracy of the index: whether the right memory was changed. It needs no judge.
 *
 * - `index` is MMM's equation 12: over all turns, whatever the operation's type. `add` and `none` expect no index, and are right when no
 *   memory was changed.
 * - `index_where_any` is ours: over modifications and deletions alone, right only if the type is right too.
 */
export const OPERATION_INDEX: readonly SumMetric<OperationEntry>[] = [
  shareMetric(
    'index',
    (entry) =>
      entry.ofAnyType?.index ?? entry.indexCorrect ?? entry.actual.every(({ kind }) => kind === 'add'),
  ),
  shareMetric('index_where_any', (entry) => entry.indexCorrect),
]

/** Accuracy of the index over turns in which the prompt showed the right memory. It measures the model's choice without retrieval. */
export const OPERATION_INDEX_SHOWN: SumMetric<OperationEntry> = shareMetric(
  'index_where_shown',
  (entry) => entry.indexShown ?? null,
)

/**
 * Consistency of the content: whether the right text was written. A judge decides.
 *
 * - `content` is MMM's equation 13. `delete` and `none` expect no text, and are right when none was written.
 * - `content_where_any` is ours: over additions and modifications alone, right only if the type is right too.
 */
export const OPERATION_CONTENT: readonly SumMetric<OperationEntry>[] = [
  shareMetric(
    'content',
    (entry) =>
      entry.ofAnyType?.content ?? entry.contentCorrect ?? entry.actual.every(({ kind }) => kind === 'delete'),
  ),
  shareMetric('content_where_any', (entry) => entry.contentCorrect),
]
