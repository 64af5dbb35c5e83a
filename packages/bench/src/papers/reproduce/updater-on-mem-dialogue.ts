import { operations } from '../../operations/operations.ts'
import { findFigure } from '../../results/plain-figures.ts'
import type { HereFigure, PaperAsked, Reproduction } from '../registry/reproduction.ts'
import { byRun, measuredOf, type RunCell } from './by-run.ts'
import { hereFigure } from './here-figure.ts'
import { runForLog } from './run-for-log.ts'

/** The list that the updater is shown before each turn: the right one, as in the paper, or its own. */
const GOLD = 'mmm-gold-list'
/** The row of a model that was not tuned for it. */
const PLAIN = 'QWen-2.5 7B'

const CELLS: readonly RunCell[] = [
  { column: 'Operation Type', unit: 'percent', task: 'operations', metric: 'type' },
  { column: 'Index', unit: 'percent', task: 'operations', metric: 'index_where_any' },
  { column: 'Content', unit: 'percent', task: 'operations', metric: 'content_where_any' },
]
/** Index and content both ways, as the paper does not say which it counted; and the index where what is meant was shown. */
const OTHERWISE: readonly RunCell[] = [
  { column: 'Index, over all turns', unit: 'percent', task: 'operations', metric: 'index' },
  { column: 'Index, where shown', unit: 'percent', task: 'operations', metric: 'index_where_shown' },
  { column: 'Content, over all turns', unit: 'percent', task: 'operations', metric: 'content' },
]

const bySystem = byRun({
  dataset: 'mem-dialogue',
  tasks: ['operations'],
  systems: ['keepsake'],
  cells: [...CELLS, ...OTHERWISE],
})

/** Whether MMM's updater is measured by itself, turn by turn: where a model is named and no system. */
export function isOfUpdater({ model, system }: PaperAsked): boolean {
  return model !== undefined && system === undefined
}

/** MMM's Table 1: with a model its updater alone, on the right list and on its own; without one a preset by rules. */
export const updaterOnMemDialogue: Reproduction['measure'] = async (asked, context) => {
  const { path, model = '', judge, limit } = asked
  if (!isOfUpdater(asked)) return bySystem(asked, context)
  const runs = await runForLog(operations, { path, model, judge, limit }, context)
  const summaries = runs.flatMap((one) => one.summaries)
  const figures = summaries.flatMap(({ system: row, figures: own }) =>
    [...CELLS, ...OTHERWISE].flatMap(({ column, unit, task, metric }): HereFigure[] => {
      const figure = findFigure(own, task, metric)
      const place = { row, column, unit, beside: row === GOLD ? PLAIN : null }
      return figure === undefined ? [] : [hereFigure(place, figure)]
    }),
  )
  return { ...measuredOf(summaries), figures }
}
