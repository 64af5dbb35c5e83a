import { allAt } from '../../metrics/ranking-metrics.ts'
import { meanMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import type { Figure } from '../figure.ts'
import type { RetrievalEntry } from '../log-entry.ts'
import { confidenceFigures } from './confidence-figures.ts'
import { sliceBy, sumFigures, type FigureContext } from './make-figures.ts'

/** Cuts at which all of a question's evidence is asked for; the log holds 30 units of each question. */
const ALL_CUTS = [5, 10, 30] as const

/**
 * Means over the questions that have evidence, failures included with zero (metrics.md): what `judgeRecall` scored, and
 * whether all of the evidence was found. Those of `summariseOutcomes`, with an interval for each category too.
 */
export function retrievalFigures(entries: readonly RetrievalEntry[], { seed }: FigureContext): Figure[] {
  const slices = sliceBy(entries, 'category', (entry) => entry.category)
  return [
    ...sumFigures({ task: 'retrieval', unit: 'share', judge: null }, retrievalMetrics(entries), slices, seed),
    ...confidenceFigures('retrieval', entries, seed),
  ]
}

export function retrievalMetrics(entries: readonly RetrievalEntry[]): SumMetric<RetrievalEntry>[] {
  const names = new Set(entries.flatMap(({ scores }) => Object.keys(scores ?? {})))
  return [
    ...[...names].map((name) => meanMetric<RetrievalEntry>(name, ({ scores }) => scores?.[name] ?? null)),
    ...ALL_CUTS.map((k) =>
      meanMetric<RetrievalEntry>(`all@${k}`, ({ scores, units, evidence }) =>
        scores === null ? null : allAt(k, units, new Set(evidence)),
      ),
    ),
  ]
}
