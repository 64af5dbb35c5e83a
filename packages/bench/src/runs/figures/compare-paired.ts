import { ANSWERING_METRICS } from '../../metrics/log-metrics.ts'
import { UPDATING_METRICS } from '../../metrics/log-metrics.ts'
import { CHOICE_ACCURACY } from '../../metrics/log-metrics.ts'
import { OPERATION_CONTENT, OPERATION_INDEX, OPERATION_TYPE } from '../../metrics/log-metrics.ts'
import { pairedDifference, type Difference, type Pair } from '../../metrics/paired-difference.ts'
import type { SumMetric } from '../../metrics/sum-metric.ts'
import type { Figure } from '../figure.ts'
import type { LogEntry } from '../log-entry.ts'
import { overlapMetrics } from './answering-figures.ts'
import { extractionMetrics } from './extraction-figures.ts'
import { labelMetrics, MEM_SCORE } from './label-figures.ts'
import { entriesOf } from './make-figures.ts'
import { retrievalMetrics } from './retrieval-figures.ts'

const SEED = 20_240_501

/** How far one run leads another on what both were measured on. */
export interface PairedFigure extends Difference {
  readonly task: Figure['task']
  readonly metric: string
  readonly slice: 'all'
}

/**
 * Two runs on the same data, item by item: questions, gold memories, updates, probes, turns and labels that are in both
 * logs, matched by conversation and id. Only metrics that say something of a single item are compared: recall is, an F1,
 * a percentile or what a system itself extracted is not. Verdicts of two judges must not be compared: that is the
 * caller's to see to. Intervals and p by person; p is not corrected for the number of figures.
 */
export function comparePaired(
  a: readonly LogEntry[],
  b: readonly LogEntry[],
  options: { readonly seed?: number } = {},
): PairedFigure[] {
  const { seed = SEED } = options
  const others = new Map(tablesOf(b).map((table) => [table.task, table]))
  return tablesOf(a).flatMap((table) => {
    const other = others.get(table.task)
    return other === undefined ? [] : compareTables(table, other, seed)
  })
}

interface Item {
  readonly person: string
  readonly values: ReadonlyMap<string, readonly [part: number, whole: number]>
}

/** What a log says of each item of a task, by the item's key. */
interface ItemTable {
  readonly task: Figure['task']
  readonly metrics: readonly string[]
  readonly items: ReadonlyMap<string, Item>
}

function compareTables(a: ItemTable, b: ItemTable, seed: number): PairedFigure[] {
  return a.metrics.flatMap((metric): PairedFigure[] => {
    const pairs = [...a.items].flatMap(([key, item]): Pair[] => {
      const ours = item.values.get(metric)
      const theirs = b.items.get(key)?.values.get(metric)
      if (ours === undefined || theirs === undefined) return []
      const [[part, whole], [otherPart, otherWhole]] = [ours, theirs]
      return [{ cluster: item.person, a: part / whole, b: otherPart / otherWhole, weight: whole }]
    })
    if (pairs.length === 0) return []
    return [{ task: a.task, metric, slice: 'all', ...pairedDifference(pairs, { seed }) }]
  })
}

function tablesOf(log: readonly LogEntry[]): ItemTable[] {
  const retrieval = entriesOf(log, 'retrieval')
  const answers = entriesOf(log, 'answer')
  const labels = entriesOf(log, 'label')
  const integrity = entriesOf(log, 'integrity')
  const updates = entriesOf(log, 'update')
  const wasScored = labels.some(({ memScore }) => memScore !== null)
  const labelled = [...labelMetrics(labels), ...(wasScored ? [MEM_SCORE] : [])]
  const answered = [...ANSWERING_METRICS, ...overlapMetrics(answers)]
  const operated = [OPERATION_TYPE, ...OPERATION_INDEX, ...OPERATION_CONTENT]
  const extracted = extractionMetrics({ integrity, accuracy: [], updates })
  return [
    tableOf('retrieval', retrieval, ({ question }) => [question], retrievalMetrics(retrieval)),
    tableOf('extraction', integrity, ({ session, gold }) => [session, gold], extracted),
    tableOf('updating', updates, ({ session, gold }) => [session, gold], UPDATING_METRICS),
    tableOf('answering', answers, ({ question }) => [question], answered),
    tableOf('probes', entriesOf(log, 'probe'), ({ question }) => [question], [CHOICE_ACCURACY]),
    tableOf('operations', entriesOf(log, 'operation'), ({ gold }) => [gold.turn], operated),
    tableOf('labels', labels, ({ label }) => [label], labelled),
  ]
}

function tableOf<T extends { readonly conversation: string; readonly person: string }>(
  task: Figure['task'],
  entries: readonly T[],
  keyOf: (entry: T) => readonly string[],
  metrics: readonly SumMetric<T>[],
): ItemTable {
  const items = new Map<string, Item>()
  for (const entry of entries) {
    const values = new Map<string, readonly [number, number]>()
    for (const { name, add } of metrics) {
      const [part, whole, ...more] = add(entry) ?? []
      if (part !== undefined && whole !== undefined && whole > 0 && more.length === 0)
        values.set(name, [part, whole])
    }
    items.set(JSON.stringify([entry.conversation, ...keyOf(entry)]), { person: entry.person, values })
  }
  return { task, metrics: metrics.map(({ name }) => name), items }
}
