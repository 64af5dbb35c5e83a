import {
  EXTRACTION_METRICS,
  TYPED_EXTRACTION_METRICS,
  TYPE_METRIC,
  type ExtractionEntry,
} from '../../metrics/extraction.ts'
import type { SumMetric } from '../../metrics/sum-metric.ts'
import type { Figure } from '../figure.ts'
import type { AccuracyEntry, IntegrityEntry, UpdateEntry } from '../log-entry.ts'
import { sliceBy, sumFigures, wholeOf, type FigureContext } from './make-figures.ts'

export interface ExtractionLog {
  readonly integrity: readonly IntegrityEntry[]
  readonly accuracy: readonly AccuracyEntry[]
  readonly updates: readonly UpdateEntry[]
}

/** HaluMem's extraction table, recall by memory type, and its Table 4 (`typewise`). */
export function extractionFigures(log: ExtractionLog, { judge, seed }: FigureContext): Figure[] {
  const { integrity, accuracy, updates } = log
  if (integrity.length + accuracy.length === 0) return []
  const kind = { task: 'extraction', unit: 'share', judge } as const
  const all: readonly ExtractionEntry[] = [...integrity, ...accuracy]
  const [, ...byType] = sliceBy<ExtractionEntry>(integrity, 'type', typeOf)
  const known = extractionMetrics(log)
  const typed = TYPED_EXTRACTION_METRICS.filter((metric) => known.includes(metric))
  return [
    ...sumFigures(kind, known, wholeOf(all), seed),
    ...sumFigures(kind, typed, byType, seed),
    ...sumFigures(kind, [TYPE_METRIC], sliceBy([...integrity, ...updates], 'type', typeOf), seed),
  ]
}

/** The published script's figures need to know for which updates nothing was retrieved. */
export function extractionMetrics({ integrity, updates }: ExtractionLog): SumMetric<ExtractionEntry>[] {
  const isKnown = updates.length > 0 || !integrity.some(({ isUpdate }) => isUpdate)
  return EXTRACTION_METRICS.filter(({ name }) => isKnown || !name.startsWith('published.'))
}

function typeOf(entry: ExtractionEntry | UpdateEntry): string | null {
  return entry.entry === 'accuracy' ? null : entry.type
}
