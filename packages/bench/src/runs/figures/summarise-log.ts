import type { Figure } from '../../log/figure.ts'
import { LOST_STEPS, type AnswerEntry, type LogEntry } from '../../log/log-entry.ts'
import { outcomeOf } from '../../metrics/log-metrics.ts'
import { shareMetric } from '../../metrics/sum-metric.ts'
import { costFigures } from './cost-figures.ts'
import { everyday } from './everyday-figures.ts'
import { extraction } from './extraction-figures.ts'
import { entriesOf, sliceBy, sumFigures, type FigureContext } from './make-figures.ts'
import { COUNTED_TASKS } from './task-tables.ts'

const SEED = 20_240_501

/**
 * Every figure of a run from its log: value, 95 % interval by resampling people (1,000 times; none for one person),
 * what it is over, and whose verdicts it rests on. Rates are over all entries pooled. What failed stays in: it scores
 * zero, is an omission, is lost. A task that the log holds nothing of has no figures. The same log gives the same
 * figures, whatever the order of its conversations but for the intervals' last digits.
 *
 * @example
 * const figures = summariseLog(entries, { judge: 'deterministic', reader: 'extractive' })
 * figures.find(({ task, metric, slice }) => task === 'extraction' && metric === 'recall' && slice === 'all')
 */
export function summariseLog(
  log: readonly LogEntry[],
  { seed = SEED, ...who }: Omit<FigureContext, 'seed'> & { readonly seed?: number },
): Figure[] {
  const context = { ...who, seed }
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

/** Shares of wrong answers by the step that lost them; `unknown` otherwise. They add up to 1. */
function attributionFigures(entries: readonly AnswerEntry[], { judge, seed }: FigureContext): Figure[] {
  const wrong = entries.filter((entry) => outcomeOf(entry) !== 'correct')
  const metrics = [...LOST_STEPS, null].map((step) =>
    shareMetric<AnswerEntry>(step ?? 'unknown', ({ lost }) => lost === step),
  )
  const slices = sliceBy(wrong, 'category', (entry) => entry.category)
  return sumFigures({ task: 'attribution', unit: 'share', judge }, metrics, slices, seed)
}
