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
import { figure, sliceBy, sumFigures } from './make-figures.ts'
import { sum } from '../../metrics/means.ts'

/** Matches the category of a question that is asked after each session: `S3 Q1` is asked after session 3 about session 1. */
const SESSION_CATEGORY = /^S(\d+) Q\d+$/

const isRight = (entry: AnswerEntry): number => Number(outcomeOf(entry) === 'correct')
const isAnswered = (entry: AnswerEntry): number => Number(outcomeOf(entry) !== 'omitted')

/** The metrics of LUFY's Table 11: right answers as a share of answers (precision) and of questions (recall), and F1. */
const REPEATED_METRICS: readonly SumMetric<AnswerEntry>[] = [
  ratioMetric('precision', (entry) => [isRight(entry), isAnswered(entry)]),
  ratioMetric('recall', (entry) => [isRight(entry), 1]),
  {
    name: 'f1',
    add: (entry) => [isRight(entry), isAnswered(entry), 1],
    combine: ([right = 0, answered = 0, all = 0]) =>
      harmonicMean(answered === 0 ? 0 : right / answered, right / all),
  },
]

/** Computes figures of questions that are repeated after each session (LUFY): by that session (Table 11), and by the session of their topic (16 to 18). */
function askedBySession(
  entries: readonly AnswerEntry[],
  { judge, seed }: { readonly judge: string | null; readonly seed: number },
): Figure[] {
  const repeated = entries.filter(({ category }) => SESSION_CATEGORY.test(category))
  if (repeated.length === 0) return []
  const sessionAfter = (category: string): string => `s${SESSION_CATEGORY.exec(category)?.[1] ?? ''}`
  const afterSession = sliceBy(repeated, 'after', ({ category }) => sessionAfter(category))
  const byCategory = sliceBy(repeated, 'category', ({ category }) => category).slice(1)
  const kind = { task: 'answering', unit: 'share', judge } as const
  return sumFigures(kind, REPEATED_METRICS, [...afterSession, ...byCategory], seed)
}

/** Numbers of first units among which all evidence of a question must be. The log contains the first 30 units of each question. */
const ALL_CUTOFFS = [5, 10, 30] as const

/** Means over the questions with evidence: scores of each retrieval, and whether all evidence was found. Failures count zero. */
const retrieval = countTask({
  task: 'retrieval',
  entry: 'retrieval',
  keyOf: ({ question }) => question,
  slices: ['category', ({ category }) => category],
  metricGroups: (entries) => [
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
  moreFigures: (entries, seed) => confidenceFigures('retrieval', entries, seed),
})

/** The updating part of HaluMem's Table 3, also by memory type. */
const updating = countTask({
  task: 'updating',
  entry: 'update',
  keyOf: ({ session, gold }) => JSON.stringify([session, gold]),
  slices: ['type', ({ type }) => type],
  metricGroups: () => [{ isJudged: true, metrics: UPDATING_METRICS }],
})

/** Judged outcomes, with computed overlap, abstention, confidence and Distinct-n. */
const answering = countTask({
  task: 'answering',
  entry: 'answer',
  keyOf: ({ question }) => question,
  slices: ['category', ({ category }) => category],
  metricGroups: (entries) => [
    { isJudged: true, metrics: ANSWERING_METRICS },
    {
      isJudged: false,
      metrics: namedMeans(
        entries,
        ({ overlap }) => overlap,
        ({ overlap, failure, answerable }, name) => {
          if (failure === null) return overlap[name] ?? null
          // A failed answer overlaps with nothing. Unanswerable questions have no reference to overlap with.
          return answerable ? 0 : null
        },
      ),
    },
    ...(entries.some(({ answerable }) => !answerable)
      ? [{ isJudged: false, isTotalOnly: true, metrics: ABSTENTION_METRICS }]
      : []),
  ],
  moreFigures: (entries, seed, judge) => [
    ...askedBySession(entries, { judge, seed }),
    ...confidenceFigures('answering', entries, seed),
    ...distinctFigures(entries),
  ],
})

/** Computes Distinct-1 and Distinct-2. They have no interval, because resampling repeats people, whose words are then less distinct. */
function distinctFigures(entries: readonly AnswerEntry[]): Figure[] {
  // The splitter recognises the script, so one setting is right for both languages.
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

/** Whether contexts of each token budget contain the key points: by a judge (`points@500`, `all_points@500`) and by words (`words@500`). */
const coverage = countTask({
  task: 'coverage',
  entry: 'coverage',
  keyOf: ({ question }) => question,
  slices: ['category', ({ category }) => category],
  metricGroups: (entries) => {
    const budgets = new Set(entries.flatMap(({ contexts }) => contexts.map(({ budget }) => budget)))
    const ratioAtEach = (name: string, ratioOf: (context: CoveredContext) => readonly [number, number]) =>
      [...budgets].map((budget) =>
        ratioMetric<CoverageEntry>(`${name}@${budget}`, ({ contexts }) => {
          const context = contexts.find((candidate) => candidate.budget === budget)
          return context === undefined ? null : ratioOf(context)
        }),
      )
    return [
      {
        isJudged: true,
        metrics: [
          ...ratioAtEach('all_points', ({ held }) => [Number(held.every(Boolean)), 1]),
          ...ratioAtEach('points', ({ held }) => [held.filter(Boolean).length, held.length]),
        ],
      },
      { isJudged: false, metrics: ratioAtEach('words', ({ words }) => [sum(words), words.length]) },
      { isJudged: false, unit: 'tokens', metrics: ratioAtEach('tokens', ({ tokens }) => [tokens, 1]) },
    ]
  },
})

/** Multiple-choice probes, also by category. The reader chooses the option; no judge is needed. */
const probes = countTask({
  task: 'probes',
  entry: 'probe',
  keyOf: ({ question }) => question,
  slices: ['category', ({ category }) => category],
  metricGroups: () => [{ isJudged: false, metrics: [CHOICE_ACCURACY] }],
})

/** Table 6 of the MOOM paper: how near replies about planted facts are to their references, judged and by words. */
const probeTable = countTask({
  task: 'probe-table',
  entry: 'reply',
  keyOf: ({ question }) => question,
  metricGroups: (entries) => [
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

/** The three accuracies of the MMM paper (type, index and content of operations), also by expected operation. Only content is judged. */
const operations = countTask({
  task: 'operations',
  entry: 'operation',
  keyOf: ({ gold }) => gold.turn,
  slices: ['kind', ({ gold }) => gold.kind],
  metricGroups: (entries) => [
    { isJudged: false, metrics: [OPERATION_TYPE, ...OPERATION_INDEX] },
    ...(entries.some(({ indexShown }) => indexShown !== undefined)
      ? [{ isJudged: false, metrics: [OPERATION_INDEX_SHOWN] }]
      : []),
    { isJudged: true, metrics: OPERATION_CONTENT },
  ],
})

/** Table 1 of the MOOM paper: the best memory for each label, averaged. MemScore needs a judge. A label without a memory counts 0. */
const labels = countTask({
  task: 'labels',
  entry: 'label',
  keyOf: ({ label }) => label,
  slices: ['kind', ({ kind = null }) => kind],
  metricGroups: (entries) => [
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

/** Every task with one kind of log entry. Extraction has two kinds, so it is in another file. */
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
