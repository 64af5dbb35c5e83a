import type { TaskName } from '../../log/figure.ts'
import type { LogEntry } from '../../log/log-entry.ts'
import { pairedDifference, type Difference, type Pair } from '../../metrics/paired-difference.ts'
import { everyday } from './everyday-figures.ts'
import { extraction } from './extraction-figures.ts'
import type { ItemTable } from './count-task.ts'
import { COUNTED_TASKS } from './task-tables.ts'

const SEED = 20_240_501

/** One run's lead over another on their common items. */
export interface PairedFigure extends Difference {
  readonly task: TaskName
  readonly metric: string
}

/**
 * Compares two runs on the same data, item by item: questions, gold memories, updates, probes, turns and labels in both logs, matched by
 * conversation and id. Only metrics of single items are compared: recall is, an F1 or a percentile is not. The caller must not compare
 * verdicts of two judges. Intervals and p are by person; p is not corrected for the number of figures.
 */
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

function compareItems({ task, metrics, items }: ItemTable, other: ItemTable, seed: number): PairedFigure[] {
  return metrics.flatMap((metric): PairedFigure[] => {
    const pairs = [...items].flatMap(([key, { person, values }]): Pair[] => {
      const ours = values.get(metric)
      const theirs = other.items.get(key)?.values.get(metric)
      if (ours === undefined || theirs === undefined) return []
      const [[part, whole], [otherPart, otherWhole]] = [ours, theirs]
      return [{ cluster: person, a: part / whole, b: otherPart / otherWhole, weight: whole }]
    })
    return pairs.length === 0 ? [] : [{ task, metric, ...pairedDifference(pairs, { seed }) }]
  })
}
