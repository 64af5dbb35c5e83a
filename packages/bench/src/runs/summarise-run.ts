import type { Figure } from './figure.ts'
import { answeringFigures } from './figures/answering-figures.ts'
import { attributionFigures } from './figures/attribution-figures.ts'
import { costFigures } from './figures/cost-figures.ts'
import { extractionFigures } from './figures/extraction-figures.ts'
import { labelFigures } from './figures/label-figures.ts'
import { entriesOf } from './figures/make-figures.ts'
import { operationFigures } from './figures/operation-figures.ts'
import { probeFigures } from './figures/probe-figures.ts'
import { retrievalFigures } from './figures/retrieval-figures.ts'
import { updatingFigures } from './figures/updating-figures.ts'
import type { LogEntry } from './log-entry.ts'

/** The seed of the intervals of `bench retrieval`, so that both give the same. */
const SEED = 20_240_501

export interface SummariseRunOptions {
  /** Whose verdicts the log holds: the column of every judged figure. `null`: nobody judged. */
  readonly judge: string | null
  /** Who answered from what was retrieved; `null`: the systems themselves, and their tokens are not known. */
  readonly reader: string | null
  /** Of the resampling. */
  readonly seed?: number
}

/**
 * Every figure of a run from its log: value, 95 % interval by resampling people (1,000 times; none for one person),
 * what it is over, and whose verdicts it rests on. Rates are over all entries pooled. What failed stays in: it scores
 * zero, is an omission, is lost. A task that the log holds nothing of has no figures. The same log gives the same
 * figures, whatever the order of its conversations but for the intervals' last digits.
 *
 * @example
 * const figures = summariseRun(entries, { judge: 'deterministic', reader: 'extractive' })
 * figures.find(({ task, metric, slice }) => task === 'extraction' && metric === 'recall' && slice === 'all')
 */
export function summariseRun(entries: readonly LogEntry[], options: SummariseRunOptions): Figure[] {
  const { judge, reader, seed = SEED } = options
  const context = { judge, reader, seed }
  const answers = entriesOf(entries, 'answer')
  const updates = entriesOf(entries, 'update')
  const integrity = entriesOf(entries, 'integrity')
  const accuracy = entriesOf(entries, 'accuracy')
  return [
    ...retrievalFigures(entriesOf(entries, 'retrieval'), context),
    ...extractionFigures({ integrity, accuracy, updates }, context),
    ...updatingFigures(updates, context),
    ...answeringFigures(answers, context),
    ...probeFigures(entriesOf(entries, 'probe'), context),
    ...operationFigures(entriesOf(entries, 'operation'), context),
    ...labelFigures(entriesOf(entries, 'label'), context),
    ...attributionFigures(answers, context),
    ...costFigures(entries, context),
  ]
}
