import type { Figure, TaskName, Unit } from '../../log/figure.ts'
import type { EntryOf, LogEntry } from '../../log/log-entry.ts'
import { meanMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import { entriesOf, sliceBy, sumFigures, wholeOf, type FigureContext } from './make-figures.ts'

/** Kinds of log entries that measure one item each: a question, an update, a turn or a label. */
type ItemKind = 'retrieval' | 'update' | 'answer' | 'coverage' | 'probe' | 'reply' | 'operation' | 'label'

/** Metrics of a task with common properties. */
interface MetricGroup<T> {
  readonly metrics: readonly SumMetric<T>[]
  /** Whether the metrics rest on a judge's verdicts. Other metrics are computed. */
  readonly isJudged: boolean
  /** Default: `share`. */
  readonly unit?: Unit
  /** Whether the metrics exist only for all items together, and not for a slice or a single item. */
  readonly isTotalOnly?: boolean
}

/** Says how the figures of a task are computed from its log entries. */
interface TaskDefinition<K extends ItemKind> {
  readonly task: TaskName
  readonly entry: K
  /** An item's id within its conversation. */
  readonly keyOf: (entry: EntryOf<K>) => string
  readonly slices?: readonly [kind: string, keyOf: (entry: EntryOf<K>) => string | null]
  readonly metricGroups: (entries: readonly EntryOf<K>[]) => readonly MetricGroup<EntryOf<K>>[]
  /** Makes figures that are no sums over items. */
  readonly moreFigures?: (entries: readonly EntryOf<K>[], seed: number, judge: string | null) => Figure[]
}

/** The values of a task's items, by which two runs are compared. */
export interface ItemTable {
  readonly task: TaskName
  readonly metrics: readonly string[]
  readonly items: ReadonlyMap<string, Item>
}

export interface Item {
  readonly person: string
  /** The values by metric. A value is `part / whole`. */
  readonly values: ReadonlyMap<string, { readonly part: number; readonly whole: number }>
}

/** Functions that compute figures and values by item from a log. */
export interface CountedTask {
  readonly figuresOf: (log: readonly LogEntry[], context: FigureContext) => Figure[]
  readonly itemsOf: (log: readonly LogEntry[]) => ItemTable
}

/** Makes the functions that compute a task's figures, and its values by item, from the log of a run. */
export function countTask<K extends ItemKind>(definition: TaskDefinition<K>): CountedTask {
  const { task, entry, keyOf, slices, metricGroups, moreFigures = () => [] } = definition
  return {
    figuresOf: (log, { judge, seed }) => {
      const entries = entriesOf(log, entry)
      const total = wholeOf(entries)
      const totalAndSlices = slices === undefined ? total : sliceBy(entries, ...slices)
      const figures = metricGroups(entries).flatMap(
        ({ metrics, isJudged, unit = 'share', isTotalOnly = false }) => {
          const kind = { task, unit, judge: isJudged ? judge : null }
          return sumFigures(kind, metrics, isTotalOnly ? total : totalAndSlices, seed)
        },
      )
      return [...figures, ...moreFigures(entries, seed, judge)]
    },
    itemsOf: (log) => {
      const entries = entriesOf(log, entry)
      const groups = metricGroups(entries).filter(({ isTotalOnly = false }) => !isTotalOnly)
      const metrics = groups.flatMap((group) => group.metrics)
      return tabulate(task, entries, keyOf, metrics)
    },
  }
}

/** Lists the values of each item. Metrics that a single item cannot have, such as F1, get no value. */
export function tabulate<T extends { readonly conversation: string; readonly person: string }>(
  task: TaskName,
  entries: readonly T[],
  keyOf: (entry: T) => string,
  metrics: readonly SumMetric<T>[],
): ItemTable {
  const items = new Map<string, Item>()
  for (const entry of entries) {
    const values = new Map<string, { readonly part: number; readonly whole: number }>()
    for (const { name, add } of metrics) {
      // A ratio has two summands. Metrics with more, such as F1, have no value for one item.
      const summands = add(entry) ?? []
      const [part, whole] = summands
      if (part === undefined || whole === undefined || summands.length > 2) continue
      if (whole > 0) values.set(name, { part, whole })
    }
    items.set(JSON.stringify([entry.conversation, keyOf(entry)]), { person: entry.person, values })
  }
  return { task, metrics: metrics.map(({ name }) => name), items }
}

/** Makes a metric for each name in the values of the entries: the mean over the entries. */
export function namedMeans<T>(
  entries: readonly T[],
  valuesOf: (entry: T) => Readonly<Record<string, number>> | null,
  meanOf: (entry: T, name: string) => number | null,
): SumMetric<T>[] {
  const names = new Set(entries.flatMap((entry) => Object.keys(valuesOf(entry) ?? {})))
  return [...names].map((name) => meanMetric(name, (entry) => meanOf(entry, name)))
}
