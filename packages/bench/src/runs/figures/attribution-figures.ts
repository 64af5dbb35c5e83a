import { outcomeOf } from '../../metrics/log-metrics.ts'
import { shareMetric } from '../../metrics/sum-metric.ts'
import type { Figure } from '../figure.ts'
import { LOST_STEPS, type AnswerEntry } from '../log-entry.ts'
import { sliceBy, sumFigures, type FigureContext } from './make-figures.ts'

/** Which step lost the wrong answers, as shares of them; `unknown` where it cannot be told. They add up to 1. */
export function attributionFigures(
  entries: readonly AnswerEntry[],
  { judge, seed }: FigureContext,
): Figure[] {
  const wrong = entries.filter((entry) => outcomeOf(entry) !== 'correct')
  const metrics = [...LOST_STEPS, null].map((step) =>
    shareMetric<AnswerEntry>(step ?? 'unknown', ({ lost }) => lost === step),
  )
  const slices = sliceBy(wrong, 'category', (entry) => entry.category)
  return sumFigures({ task: 'attribution', unit: 'share', judge }, metrics, slices, seed)
}
