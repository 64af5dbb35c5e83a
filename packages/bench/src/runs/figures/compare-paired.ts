import type { TaskName } from '../../log/figure.ts'
import type { LogEntry } from '../../log/log-entry.ts'
import { pairedDifference, type Difference, type Pair } from '../../metrics/paired-difference.ts'
import { everyday } from './everyday-figures.ts'
import { extraction } from './extraction-figures.ts'
import type { ItemTable } from './count-task.ts'
import { COUNTED_TASKS } from './task-tables.ts'

/** The seed of resampling. Any fixed number gives the same intervals again. */
const SEED = 20_240_501

/** The lead of one run over another in one metric, over the items that both measured. */
export interface PairedFigure extends Difference {
  readonly task: TaskName
  readonly metric: string
}

/** Compares single items of two runs by conversation and id, with intervals and p-values by person. The judges must be the same. */
export function comparePaired(
  a: readonly LogEntry[],
  b: readonly LogEntry[],
  options: { readonly seed?: number } = {},
): PairedFigure[] {
  const { seed = SEED } = options
  return [extraction, everyday, ...COUNTED_TASKS].flatMap(({ itemsOf }) =>
    compareItems(itemsOf(a), itemsOf(b), seed),
  )
}

function compareItems(tableA: ItemTable, tableB: ItemTable, seed: number): PairedFigure[] {
  const { task, metrics } = tableA
  const figures: PairedFigure[] = []
  for (const metric of metrics) {
    const pairs: Pair[] = []
    for (const [key, { person, values }] of tableA.items) {
      const a = values.get(metric)
      const b = tableB.items.get(key)?.values.get(metric)
      if (a === undefined || b === undefined) continue
      pairs.push({ cluster: person, a: a.part / a.whole, b: b.part / b.whole, weight: a.whole })
    }
    if (pairs.length > 0) figures.push({ task, metric, ...pairedDifference(pairs, { seed }) })
  }
  return figures
}
