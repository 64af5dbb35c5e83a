import type { LogEntry, UpdateEntry } from '../../log/log-entry.ts'
import {
  EXTRACTION_METRICS,
  TYPED_EXTRACTION_METRICS,
  PUBLISHED_TYPE_METRIC,
  TYPE_METRIC,
  type ExtractionEntry,
} from '../../metrics/extraction.ts'
import type { SumMetric } from '../../metrics/sum-metric.ts'
import { entriesOf, sliceBy, sumFigures, wholeOf } from './make-figures.ts'
import { tabulate, type CountedTask } from './count-task.ts'

/** Computes figures of extraction as HaluMem does (Tables 3 and 4). An integrity entry is about one gold memory, an accuracy entry about one extracted memory. */
export const extraction: CountedTask = {
  figuresOf: (log, { judge, seed }) => {
    const integrity = entriesOf(log, 'integrity')
    const allEntries: readonly ExtractionEntry[] = [...integrity, ...entriesOf(log, 'accuracy')]
    if (allEntries.length === 0) return []
    const kind = { task: 'extraction', unit: 'share', judge } as const
    const metrics = extractionMetrics(log)
    const typedMetrics = TYPED_EXTRACTION_METRICS.filter((metric) => metrics.includes(metric))
    const goldByType = sliceBy<ExtractionEntry>(integrity, 'type', typeOf).slice(1)
    const goldAndUpdates = sliceBy([...integrity, ...entriesOf(log, 'update')], 'type', typeOf)
    const typewise = canCountAsPublished(log) ? [TYPE_METRIC, PUBLISHED_TYPE_METRIC] : [TYPE_METRIC]
    return [
      ...sumFigures(kind, metrics, wholeOf(allEntries), seed),
      ...sumFigures(kind, typedMetrics, goldByType, seed),
      ...sumFigures(kind, typewise, goldAndUpdates, seed),
    ]
  },
  itemsOf: (log) =>
    tabulate(
      'extraction',
      entriesOf(log, 'integrity'),
      ({ session, gold }) => JSON.stringify([session, gold]),
      extractionMetrics(log),
    ),
}

function extractionMetrics(log: readonly LogEntry[]): SumMetric<ExtractionEntry>[] {
  const canCountPublished = canCountAsPublished(log)
  return EXTRACTION_METRICS.filter(({ name }) => canCountPublished || !name.startsWith('published.'))
}

/** Reports whether `published.…` figures can be computed: only a run with updating knows updates for which nothing was retrieved. */
function canCountAsPublished(log: readonly LogEntry[]): boolean {
  const hasMeasuredUpdates = entriesOf(log, 'update').length > 0
  const hasUpdates = entriesOf(log, 'integrity').some(({ isUpdate }) => isUpdate)
  return hasMeasuredUpdates || !hasUpdates
}

function typeOf(entry: ExtractionEntry | UpdateEntry): string | null {
  return entry.entry === 'accuracy' ? null : entry.type
}
