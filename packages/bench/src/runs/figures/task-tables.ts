import type { Figure } from '../../log/figure.ts'
import type { AnswerEntry, CoverageEntry, CoveredContext, EntryOf } from '../../log/log-entry.ts'
import {
  ABSTENTION_METRICS,
  ANSWERING_METRICS,
  CHOICE_ACCURACY,
  OPERATION_CONTENT,
  OPERATION_INDEX,
  OPERATION_INDEX_SHOWN,
  OPERATION_TYPE,
  UPDATING_METRICS,
  outcomeOf,
} from '../../metrics/log-metrics.ts'
import { allAt } from '../../metrics/ranking-metrics.ts'
import { meanMetric, ratioMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import { distinctN, harmonicMean } from '../../metrics/text/overlap.ts'
import { splitWords } from '../../metrics/text/split-words.ts'
import { confidenceFigures } from './confidence-figures.ts'
import { countTask, namedMeans, type CountedTask } from './count-task.ts'
import { figure, sliceBy, sumFigures, wholeOf } from './make-figures.ts'
import { sum } from '../../metrics/means.ts'

/** Matches the category of a question that is asked after each session: `S3 Q1` is asked after session 3 about session 1. */
const SESSION_CATEGORY = /^S(\d+) Q\d+$/

const isRight = (entry: AnswerEntry): number => Number(outcomeOf(entry) === 'correct')
const isAnswered = (entry: AnswerEntry): number => Number(outcomeOf(entry) !== 'omitted')

/** LUFY's table 11: right shares of answers and of questions, and F1. */
const METRICS: readonly SumMetric<AnswerEntry>[] = [
  ratioMetric('precision', (entry) => [isRight(entry), isAnswered(entry)]),
  ratioMetric('recall', (entry) => [isRight(entry), 1]),
  {
    name: 'f1',
    add: (entry) => [isRight(entry), isAnswered(entry), 1],
    of: ([right = 0, given = 0, all = 0]) => harmonicMean(given === 0 ? 0 : right / given, right / all),
  },
]

/** Figures of questions repeated after each session: over all, after each (table 11), and by their subject's session (tables 16 to 18). */
function askedBySession(
  entries: readonly AnswerEntry[],
  { judge, seed }: { readonly judge: string | null; readonly seed: number },
): Figure[] {
  const repeated = entries.filter(({ category }) => SESSION_CATEGORY.test(category))
  const after = sliceBy(repeated, 'after', ({ category }) => `s${SESSION_CATEGORY.exec(category)?.[1] ?? ''}`)
  const parts = sliceBy(repeated, 'category', ({ category }) => category).slice(wholeOf(repeated).length)
  const kind = { task: 'answering', unit: 'share', judge } as const
  return repeated.length === 0 ? [] : sumFigures(kind, METRICS, [...after, ...parts], seed)
}

/** Cuts at which all of a question's evidence is required; the log holds 30 units of each question. */
const ALL_CUTOFFS = [5, 10, 30] as const

/** Means over the questions with evidence, failures counting zero: `judgeRecall`'s scores, and whether all evidence was found. */
const retrieval = countTask({
  task: 'retrieval',
  entry: 'retrieval',
  keyOf: ({ question }) => question,
  slices: ['category', ({ category }) => category],
  counted: (entries) => [
    {
      isJudged: false,
      metrics: [
        ...namedMeans(
          entries,
          ({ scores }) => scores,
          ({ scores }, name) => scores?.[name] ?? null,
        ),
        ...ALL_CUTOFFS.map((k) =>
          meanMetric<EntryOf<'retrieval'>>(`all@${k}`, ({ scores, units, evidence }) =>
            scores === null ? null : allAt(k, units, new Set(evidence)),
          ),
        ),
      ],
    },
  ],
  more: (entries, seed) => confidenceFigures('retrieval', entries, seed),
})

/** HaluMem's updating table with both denominators, and by memory type. */
const updating = countTask({
  task: 'updating',
  entry: 'update',
  keyOf: ({ session, gold }) => JSON.stringify([session, gold]),
  slices: ['type', ({ type }) => type],
  counted: () => [{ isJudged: true, metrics: UPDATING_METRICS }],
})

/**
 * Outcomes of the questions, by the judge; and computed: overlap of answers with references (failed ones have none), abstention where some
 * questions are unanswerable, confidence, Distinct.
 */
const answering = countTask({
  task: 'answering',
  entry: 'answer',
  keyOf: ({ question }) => question,
  slices: ['category', ({ category }) => category],
  counted: (entries) => [
    { isJudged: true, metrics: ANSWERING_METRICS },
    {
      isJudged: false,
      metrics: namedMeans(
        entries,
        ({ overlap }) => overlap,
        ({ overlap, failure, answerable }, name) =>
          failure === null ? (overlap[name] ?? null) : answerable ? 0 : null,
      ),
    },
    ...(entries.some(({ answerable }) => !answerable)
      ? [{ isJudged: false, isOfAll: true, metrics: ABSTENTION_METRICS }]
      : []),
  ],
  more: (entries, seed, judge) => [
    ...askedBySession(entries, { judge, seed }),
    ...confidenceFigures('answering', entries, seed),
    ...distinctFigures(entries),
  ],
})

/**
 * Counts words whatever the language, since segments depend on the script alone. Without an interval, as repeated people would make the
 * words less distinct.
 */
function distinctFigures(entries: readonly AnswerEntry[]): Figure[] {
  const answers = entries
    .map(({ answer }) => splitWords(answer, { language: 'zh', unit: 'words' }))
    .filter((words) => words.length > 0)
  if (answers.length === 0) return []
  return [1, 2].map((size) =>
    figure(
      { task: 'answering', unit: 'share', judge: null },
      { metric: `distinct${size}`, value: distinctN(answers, size), count: answers.length },
    ),
  )
}

/**
 * Support of answers in contexts of each budget, by the judge: contained key points (`points@500`), and questions with all of them
 * (`all_points@500`). Computed: the share of their words (`words@500`), and the tokens spent.
 */
const coverage = countTask({
  task: 'coverage',
  entry: 'coverage',
  keyOf: ({ question }) => question,
  slices: ['category', ({ category }) => category],
  counted: (entries) => {
    const budgets = new Set(entries.flatMap(({ contexts }) => contexts.map(({ budget }) => budget)))
    const at = (name: string, part: (of: CoveredContext) => readonly [number, number]) =>
      [...budgets].map((budget) =>
        ratioMetric<CoverageEntry>(`${name}@${budget}`, ({ contexts }) => {
          const of = contexts.find((one) => one.budget === budget)
          return of === undefined ? null : part(of)
        }),
      )
    return [
      {
        isJudged: true,
        metrics: [
          ...at('all_points', ({ held }) => [Number(held.every(Boolean)), 1]),
          ...at('points', ({ held }) => [held.filter(Boolean).length, held.length]),
        ],
      },
      { isJudged: false, metrics: at('words', ({ words }) => [sum(words), words.length]) },
      { isJudged: false, unit: 'tokens', metrics: at('tokens', ({ tokens }) => [tokens, 1]) },
    ]
  },
})

/** Multiple-choice probes, also by category. The reader chooses the option; no judge is needed. */
const probes = countTask({
  task: 'probes',
  entry: 'probe',
  keyOf: ({ question }) => question,
  slices: ['category', ({ category }) => category],
  counted: () => [{ isJudged: false, metrics: [CHOICE_ACCURACY] }],
})

/** MOOM's Table 6: nearness of replies to their references, by the judge; and computed, their common words. */
const probeTable = countTask({
  task: 'probe-table',
  entry: 'reply',
  keyOf: ({ question }) => question,
  counted: (entries) => [
    { isJudged: true, unit: 'score', metrics: [meanMetric('reply_score', ({ score }) => score)] },
    {
      isJudged: false,
      metrics: namedMeans(
        entries,
        ({ overlap }) => overlap,
        ({ overlap }, name) => overlap[name] ?? 0,
      ),
    },
  ],
})

/** MMM's three accuracies, also by the expected operation. Only content is judged. */
const operations = countTask({
  task: 'operations',
  entry: 'operation',
  keyOf: ({ gold }) => gold.turn,
  slices: ['kind', ({ gold }) => gold.kind],
  counted: (entries) => [
    { isJudged: false, metrics: [OPERATION_TYPE, ...OPERATION_INDEX] },
    ...(entries.some(({ indexShown }) => indexShown !== undefined)
      ? [{ isJudged: false, metrics: [OPERATION_INDEX_SHOWN] }]
      : []),
    { isJudged: true, metrics: OPERATION_CONTENT },
  ],
})

/**
 * MOOM's Table 1: the best memory of each label, averaged over labels; MemScore where there is a judge. A label without a memory, or
 * without a verdict, counts 0 (MOOM, section 5.2). Also by kind of label, where the data has several.
 */
const labels = countTask({
  task: 'labels',
  entry: 'label',
  keyOf: ({ label }) => label,
  slices: ['kind', ({ kind = null }) => kind],
  counted: (entries) => [
    {
      isJudged: false,
      metrics: namedMeans(
        entries,
        ({ overlap }) => overlap,
        ({ overlap }, name) => overlap[name] ?? 0,
      ),
    },
    ...(entries.some(({ memScore }) => memScore !== null)
      ? [
          {
            isJudged: true,
            unit: 'score' as const,
            metrics: [meanMetric<EntryOf<'label'>>('mem_score', ({ memScore }) => memScore ?? 0)],
          },
        ]
      : []),
  ],
})

/** Every task whose lines are counted one by one; extraction, with two kinds of lines, is separate. */
export const COUNTED_TASKS: readonly CountedTask[] = [
  retrieval,
  updating,
  answering,
  coverage,
  probes,
  probeTable,
  operations,
  labels,
]
