import type { Degree } from '../judges/judge.ts'
import type { AccuracyEntry, IntegrityEntry, UpdateEntry } from '../log/log-entry.ts'
import { ratioMetric, shareMetric, type SumMetric } from './sum-metric.ts'
import { harmonicMean } from './text/overlap.ts'

/**
 * Says which gold memories (those of the data set) count as expected: N_should in HaluMem, section 5.1. Interference (statements by the
 * agent that must not become memories) never counts.
 *
 * - `paper`: the new memories. Updates are measured apart, as in section 5.2.
 * - `published`: the new memories, and updates for which nothing was retrieved, as in the published script.
 * - `all`: the new memories and all updates, because the session stated them.
 */
type Denominator = 'paper' | 'published' | 'all'

export type ExtractionEntry = IntegrityEntry | AccuracyEntry

function isExpected(entry: IntegrityEntry, denominator: Denominator): boolean {
  if (entry.source === 'interference') return false
  if (denominator === 'all') return true
  return !entry.isUpdate || (denominator === 'published' && entry.isUnretrievedUpdate)
}

/**
 * Extraction as in HaluMem's Table 3 (section 5.1, equations 1 to 4), pooled over sessions. Judges give a degree: 2 is fully right and
 * counts 1, and 1 counts a half.
 *
 * - Recall counts only memories with degree 2. Weighted recall also counts halves, and weighs by importance.
 * - Target precision is the accuracy of the extracted memories that are about a gold memory.
 * - FMR (false memory resistance) is the share of interference that was not stored. An empty system has an FMR of 1, so FMR is never shown
 *   without recall.
 */
export const EXTRACTION_METRICS: readonly SumMetric<ExtractionEntry>[] = [
  ...integrityMetrics('paper', ''),
  ratioMetric('accuracy', (entry) => (entry.entry === 'accuracy' ? [entry.score / 2, 1] : null)),
  ratioMetric('target_precision', targetTerms),
  shareMetric('fmr', (entry) =>
    entry.entry === 'integrity' && entry.source === 'interference' ? entry.score === 0 : null,
  ),
  ...integrityMetrics('published', 'published.'),
  shareMetric('published.fmr', (entry) =>
    entry.entry === 'integrity' && entry.source === 'interference' ? scoreOf(entry, 'published') === 0 : null,
  ),
  ...integrityMetrics('all', 'all.'),
]

/** Metrics that can be split by memory type. The others need extracted memories, which have no type. */
export const TYPED_EXTRACTION_METRICS: readonly SumMetric<ExtractionEntry>[] = EXTRACTION_METRICS.filter(
  ({ name }) => name.endsWith('recall'),
)

function integrityMetrics(denominator: Denominator, prefix: string): SumMetric<ExtractionEntry>[] {
  const recallTerms = (entry: ExtractionEntry): readonly [number, number] | null =>
    entry.entry === 'integrity' && isExpected(entry, denominator)
      ? [Number(scoreOf(entry, denominator) === 2), 1]
      : null
  return [
    ratioMetric(`${prefix}recall`, recallTerms),
    ratioMetric(`${prefix}weighted_recall`, (entry) =>
      entry.entry === 'integrity' && isExpected(entry, denominator)
        ? [(scoreOf(entry, denominator) / 2) * entry.importance, entry.importance]
        : null,
    ),
    f1Metric(`${prefix}f1`, recallTerms),
  ]
}

/** Returns the degree of a gold memory. The published script looks only at memories of the session, so an earlier memory counts as missing. */
function scoreOf({ score, scoreOfSession = score }: IntegrityEntry, denominator: Denominator): Degree {
  return denominator === 'published' ? scoreOfSession : score
}

/** Makes the metric of equation 4. It is 0 if no extracted memory is about a gold memory, so that there is no precision. */
function f1Metric(
  name: string,
  recallTerms: (entry: ExtractionEntry) => readonly [number, number] | null,
): SumMetric<ExtractionEntry> {
  return {
    name,
    add: (entry) => {
      const recall = recallTerms(entry)
      if (recall !== null) return [...recall, 0, 0]
      const target = targetTerms(entry)
      return target === null ? null : [0, 0, ...target]
    },
    combine: ([found = 0, expected = 0, right = 0, targets = 0]) =>
      harmonicMean(found / expected, targets === 0 ? 0 : right / targets),
  }
}

function targetTerms(entry: ExtractionEntry): readonly [number, number] | null {
  return entry.entry === 'accuracy' && entry.isTarget ? [entry.score / 2, 1] : null
}

/** HaluMem's Table 4: the share of right gold memories of each type over extraction and updating, without interference. */
export const TYPE_METRIC: SumMetric<IntegrityEntry | UpdateEntry> = shareMetric('typewise', (entry) => {
  if (entry.entry === 'update') return entry.outcome === 'correct'
  return isExpected(entry, 'paper') ? entry.score === 2 : null
})

/** Table 4 as the published script counts it: interference counts, and updates for which nothing was retrieved are judged by content. */
export const PUBLISHED_TYPE_METRIC: SumMetric<IntegrityEntry | UpdateEntry> = shareMetric(
  'published.typewise',
  (entry) => {
    if (entry.entry === 'update') return entry.retrieved.length === 0 ? null : entry.outcome === 'correct'
    return entry.isUpdate && !entry.isUnretrievedUpdate ? null : scoreOf(entry, 'published') === 2
  },
)
