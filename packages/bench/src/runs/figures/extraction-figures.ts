import type { Figure } from '../../log/figure.ts'
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

/** HaluMem's extraction table, recall by memory type, and its Table 4 (`typewise`); item by item, gold memories. */
export const extraction: CountedTask = {
  figuresOf: (log, { judge, seed }) => {
    const integrity = entriesOf(log, 'integrity')
    const all: readonly ExtractionEntry[] = [...integrity, ...entriesOf(log, 'accuracy')]
    if (all.length === 0) return []
    const kind = { task: 'extraction', unit: 'share', judge } as const
    const [, ...byType] = sliceBy<ExtractionEntry>(integrity, 'type', typeOf)
    const known = metricsOf(log)
    const typed = TYPED_EXTRACTION_METRICS.filter((metric) => known.includes(metric))
    const gold = sliceBy([...integrity, ...entriesOf(log, 'update')], 'type', typeOf)
    const of = <T extends { readonly person: string }>(
      metrics: readonly SumMetric<T>[],
      slices: Parameters<typeof sumFigures<T>>[2],
    ): Figure[] => sumFigures(kind, metrics, slices, seed)
    const published = known.some(({ name }) => name.startsWith('published.')) ? [PUBLISHED_TYPE_METRIC] : []
    return [...of(known, wholeOf(all)), ...of(typed, byType), ...of([TYPE_METRIC, ...published], gold)]
  },
  itemsOf: (log) =>
    tabulate(
      'extraction',
      entriesOf(log, 'integrity'),
      ({ session, gold }) => JSON.stringify([session, gold]),
      metricsOf(log),
    ),
}

/** The published script's figures depend on the updates without retrieval. */
function metricsOf(log: readonly LogEntry[]): SumMetric<ExtractionEntry>[] {
  const isKnown =
    entriesOf(log, 'update').length > 0 || !entriesOf(log, 'integrity').some(({ isUpdate }) => isUpdate)
  return EXTRACTION_METRICS.filter(({ name }) => isKnown || !name.startsWith('published.'))
}

function typeOf(entry: ExtractionEntry | UpdateEntry): string | null {
  return entry.entry === 'accuracy' ? null : entry.type
}
