import { ABSTENTION_METRICS, ANSWERING_METRICS } from '../../metrics/log-metrics.ts'
import { meanMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import { distinctN } from '../../metrics/text/overlap.ts'
import { splitWords } from '../../metrics/text/split-words.ts'
import type { Figure } from '../figure.ts'
import type { AnswerEntry } from '../log-entry.ts'
import { confidenceFigures } from './confidence-figures.ts'
import { figure, sliceBy, sumFigures, wholeOf, type FigureContext } from './make-figures.ts'

/**
 * What came of the questions, by the judge; and computed: how far answers overlap with their references, abstention where
 * some questions have no answer, confidence, Distinct.
 */
export function answeringFigures(entries: readonly AnswerEntry[], { judge, seed }: FigureContext): Figure[] {
  const slices = sliceBy(entries, 'category', (entry) => entry.category)
  const computed = { task: 'answering', unit: 'share', judge: null } as const
  const hasUnanswerable = entries.some((entry) => !entry.answerable)
  return [
    ...sumFigures({ ...computed, judge }, ANSWERING_METRICS, slices, seed),
    ...sumFigures(computed, overlapMetrics(entries), slices, seed),
    ...(hasUnanswerable ? sumFigures(computed, ABSTENTION_METRICS, wholeOf(entries), seed) : []),
    ...confidenceFigures('answering', entries, seed),
    ...distinctFigures(entries),
  ]
}

/** Means of what the log says of answers against their references. An answer that failed to come overlaps with nothing. */
export function overlapMetrics(entries: readonly AnswerEntry[]): SumMetric<AnswerEntry>[] {
  const names = new Set(entries.flatMap(({ overlap }) => Object.keys(overlap)))
  return [...names].map((name) =>
    meanMetric(name, ({ overlap, failure, answerable }) =>
      failure === null ? (overlap[name] ?? null) : answerable ? 0 : null,
    ),
  )
}

/** Of what was said, in words whatever the language: segments depend on the script alone. Without an interval, as drawing a person twice would make the same words less distinct. */
function distinctFigures(entries: readonly AnswerEntry[]): Figure[] {
  const answers = entries.flatMap(({ answer }) => {
    const words = splitWords(answer, { language: 'zh', unit: 'words' })
    return words.length === 0 ? [] : [words]
  })
  if (answers.length === 0) return []
  return [1, 2].map((size) =>
    figure(
      { task: 'answering', unit: 'share', judge: null },
      {
        metric: `distinct${size}`,
        slice: 'all',
        value: distinctN(answers, size),
        interval: null,
        count: answers.length,
      },
    ),
  )
}
