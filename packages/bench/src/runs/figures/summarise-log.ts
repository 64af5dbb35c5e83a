import type { Figure } from '../../log/figure.ts'
import { LOST_STEPS, type AnswerEntry, type LogEntry } from '../../log/log-entry.ts'
import { outcomeOf } from '../../metrics/log-metrics.ts'
import { shareMetric } from '../../metrics/sum-metric.ts'
import { costFigures } from './cost-figures.ts'
import { everyday } from './everyday-figures.ts'
import { extraction } from './extraction-figures.ts'
import { entriesOf, sliceBy, sumFigures, type FigureContext } from './make-figures.ts'
import { COUNTED_TASKS } from './task-tables.ts'

/** The seed of resampling. Any fixed number gives the same intervals again. */
const SEED = 20_240_501

/**
 * Computes every figure of a run from its log.
 *
 * - A figure has a value, a 95 % interval, the number of its items, and the judge whose verdicts it rests on.
 * - Intervals come from resampling people 1,000 times. One person gives no interval.
 * - Rates pool the entries of all conversations.
 * - Failed steps score zero, or count as omissions or as lost.
 * - A task without entries has no figures.
 * - The same log gives the same figures. Another order of conversations changes only the last digits of intervals.
 *
 * @example
 * const figures = summariseLog(entries, { judge: 'deterministic', reader: 'extractive' })
 * figures.find(({ task, metric, slice }) => task === 'extraction' && metric === 'recall' && slice === 'all')
 */
export function summariseLog(
  log: readonly LogEntry[],
  { seed = SEED, judge, reader }: Omit<FigureContext, 'seed'> & { readonly seed?: number },
): Figure[] {
  const context = { judge, reader, seed }
  const [retrieval, ...others] = COUNTED_TASKS
  return [
    ...(retrieval?.figuresOf(log, context) ?? []),
    ...everyday.figuresOf(log, context),
    ...extraction.figuresOf(log, context),
    ...others.flatMap(({ figuresOf }) => figuresOf(log, context)),
    ...attributionFigures(entriesOf(log, 'answer'), context),
    ...costFigures(log, context),
  ]
}

/** Computes the shares of wrong answers by the step that lost them, or `unknown`. The shares add up to 1. */
function attributionFigures(entries: readonly AnswerEntry[], { judge, seed }: FigureContext): Figure[] {
  const wrong = entries.filter((entry) => outcomeOf(entry) !== 'correct')
  const metrics = [...LOST_STEPS, null].map((step) =>
    shareMetric<AnswerEntry>(step ?? 'unknown', ({ lost }) => lost === step),
  )
  const slices = sliceBy(wrong, 'category', (entry) => entry.category)
  return sumFigures({ task: 'attribution', unit: 'share', judge }, metrics, slices, seed)
}
