import type { Figure, TaskName, Unit } from '../../log/figure.ts'
import type { EntryOf, LogEntry } from '../../log/log-entry.ts'
import { meanMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import { entriesOf, sliceBy, sumFigures, wholeOf, type FigureContext } from './make-figures.ts'

/** Log lines with one item each: a question, an update, a turn, a label. */
type ItemKind = 'retrieval' | 'update' | 'answer' | 'coverage' | 'probe' | 'reply' | 'operation' | 'label'

interface Counted<T> {
  readonly metrics: readonly SumMetric<T>[]
  /** Whether they rest on verdicts; the others are computed. */
  readonly isJudged: boolean
  readonly unit?: Unit
  /** Whether they are properties of all items together. */
  readonly isOfAll?: boolean
}

interface TaskTable<K extends ItemKind> {
  readonly task: TaskName
  readonly entry: K
  readonly keyOf: (entry: EntryOf<K>) => string
  readonly slices?: readonly [kind: string, keyOf: (entry: EntryOf<K>) => string | null]
  readonly counted: (entries: readonly EntryOf<K>[]) => readonly Counted<EntryOf<K>>[]
  readonly more?: (entries: readonly EntryOf<K>[], seed: number, judge: string | null) => Figure[]
}

export interface ItemTable {
  readonly task: TaskName
  readonly metrics: readonly string[]
  readonly items: ReadonlyMap<string, Item>
}

export interface Item {
  readonly person: string
  readonly values: ReadonlyMap<string, readonly [part: number, whole: number]>
}

export interface CountedTask {
  readonly figuresOf: (log: readonly LogEntry[], context: FigureContext) => Figure[]
  readonly itemsOf: (log: readonly LogEntry[]) => ItemTable
}

export function countTask<K extends ItemKind>(table: TaskTable<K>): CountedTask {
  const { task, entry, keyOf, slices, counted, more = () => [] } = table
  return {
    figuresOf: (log, { judge, seed }) => {
      const entries = entriesOf(log, entry)
      const parts = slices === undefined ? wholeOf(entries) : sliceBy(entries, ...slices)
      const figures = counted(entries).flatMap(({ metrics, isJudged, unit = 'share', isOfAll = false }) =>
        sumFigures(
          { task, unit, judge: isJudged ? judge : null },
          metrics,
          isOfAll ? wholeOf(entries) : parts,
          seed,
        ),
      )
      return [...figures, ...more(entries, seed, judge)]
    },
    itemsOf: (log) => {
      const entries = entriesOf(log, entry)
      const metrics = counted(entries).flatMap((one) => (one.isOfAll === true ? [] : one.metrics))
      return tabulate(task, entries, keyOf, metrics)
    },
  }
}

/** Skips metrics of many items, such as an F1 or a percentile. */
export function tabulate<T extends { readonly conversation: string; readonly person: string }>(
  task: TaskName,
  entries: readonly T[],
  keyOf: (entry: T) => string,
  metrics: readonly SumMetric<T>[],
): ItemTable {
  const items = entries.map((entry): [string, Item] => {
    const values = metrics.flatMap(({ name, add }): [string, [number, number]][] => {
      const [part, whole, ...more] = add(entry) ?? []
      const isOfOne = part !== undefined && whole !== undefined && whole > 0 && more.length === 0
      return isOfOne ? [[name, [part, whole]]] : []
    })
    return [
      JSON.stringify([entry.conversation, keyOf(entry)]),
      { person: entry.person, values: new Map(values) },
    ]
  })
  return { task, metrics: metrics.map(({ name }) => name), items: new Map(items) }
}

export function namedMeans<T>(
  entries: readonly T[],
  valuesOf: (entry: T) => Readonly<Record<string, number>> | null,
  meanOf: (entry: T, name: string) => number | null,
): SumMetric<T>[] {
  const names = new Set(entries.flatMap((entry) => Object.keys(valuesOf(entry) ?? {})))
  return [...names].map((name) => meanMetric(name, (entry) => meanOf(entry, name)))
}
