import type { AnswerOutcome, UpdateOutcome } from '../judges/judge.ts'
import type { AnswerEntry, OperationEntry, ProbeEntry, UpdateEntry } from '../log/log-entry.ts'
import { shareMetric, type SumMetric } from './sum-metric.ts'
import { harmonicMean } from './text/overlap.ts'

const OUTCOMES = ['correct', 'hallucinated', 'omitted'] as const satisfies readonly AnswerOutcome[]

/** A question whose step failed counts as unanswered. */
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
 * Updating as in HaluMem's Table 3 (section 5.2, equation 5), pooled over sessions: shares of all gold updates (those the data set
 * expects). An update for which nothing was retrieved counts as not made. `published.…` leaves such updates out, as the published script
 * does.
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
 * Abstention: the system answers “I do not know”. Precision is the share of abstentions that were right, recall the share of unanswerable
 * questions that got one. A failed step is no abstention, so it lowers recall. Without any abstention, precision is null and F1 is 0.
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
    combine: ([right = 0, abstained = 0, unanswerable = 0]) =>
      harmonicMean(abstained === 0 ? 0 : right / abstained, right / unanswerable),
  },
]

function abstains(entry: AnswerEntry): boolean {
  return entry.failure === null && entry.abstained
}

/**
 * Share of right multiple-choice answers (MOOM, section 5.2, “QA precision”). A failed answer is wrong. Probes (questions inserted into the
 * talk, appendix H) have free answers, so `ANSWERING_METRICS` measures them.
 */
export const CHOICE_ACCURACY: SumMetric<ProbeEntry> = shareMetric(
  'accuracy',
  (entry) => entry.failure === null && entry.chosen === entry.correct,
)

/** Operation type accuracy (MMM, equation 11): over all turns. Computed, without a judge. */
export const OPERATION_TYPE: SumMetric<OperationEntry> = shareMetric('type', (entry) => entry.typeCorrect)

/**
 * Memory index accuracy: whether the right memory was changed. Computed, without a judge.
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

/**
 * The same over modifications and deletions of memories that the prompt showed. Where the list is longer than a prompt, this measures the
 * model's choice alone; `index_where_any` then also measures retrieval.
 */
export const OPERATION_INDEX_SHOWN: SumMetric<OperationEntry> = shareMetric(
  'index_where_shown',
  (entry) => entry.indexShown ?? null,
)

/**
 * Content consistency: whether the right text was written. Judged.
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
