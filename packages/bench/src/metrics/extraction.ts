import type { Degree } from '../judges/judge.ts'
import type { AccuracyEntry, IntegrityEntry, UpdateEntry } from '../log/log-entry.ts'
import { ratioMetric, shareMetric, type SumMetric } from './sum-metric.ts'
import { harmonicMean } from './text/overlap.ts'

/**
 * Which gold memories should have been extracted, N_should (HaluMem, section 5.1). `paper`: all new ones but interference (updates are its
 * section 5.2). `published`: also updates for which nothing was retrieved, which the published script counts here. `all`: all updates too,
 * since the session stated them.
 */
type Denominator = 'paper' | 'published' | 'all'

export type ExtractionEntry = IntegrityEntry | AccuracyEntry

/** Whether a gold memory is in N_should. */
function shouldBeHeld(entry: IntegrityEntry, denominator: Denominator): boolean {
  if (entry.source === 'interference') return false
  if (denominator === 'all') return true
  return !entry.isUpdate || (denominator === 'published' && entry.isUnretrievedUpdate)
}

/**
 * Extraction as in HaluMem's Table 3 (section 5.1, equations 1 to 4), pooled over sessions. A degree of 2 is 1, of 1 a half. Recall counts
 * only fully contained memories; weighted recall gives halves and weighs by importance. Precision is accuracy over memories about the gold
 * set. FMR is the share of interference that is absent; an empty system has 1, so FMR is never shown without recall. A null had nothing to
 * count.
 */
export const EXTRACTION_METRICS: readonly SumMetric<ExtractionEntry>[] = [
  ...integrityMetrics('paper', ''),
  ratioMetric('accuracy', (entry) => (entry.entry === 'accuracy' ? [entry.score / 2, 1] : null)),
  ratioMetric('target_precision', targetPart),
  shareMetric('fmr', (entry) =>
    entry.entry === 'integrity' && entry.source === 'interference' ? entry.score === 0 : null,
  ),
  ...integrityMetrics('published', 'published.'),
  shareMetric('published.fmr', (entry) =>
    entry.entry === 'integrity' && entry.source === 'interference' ? scoreOf(entry, 'published') === 0 : null,
  ),
  ...integrityMetrics('all', 'all.'),
]

/** Metrics that can be split by memory type: extracted memories have no type. */
export const TYPED_EXTRACTION_METRICS: readonly SumMetric<ExtractionEntry>[] = EXTRACTION_METRICS.filter(
  ({ name }) => name.endsWith('recall'),
)

function integrityMetrics(denominator: Denominator, prefix: string): SumMetric<ExtractionEntry>[] {
  const recallPart = (entry: ExtractionEntry): readonly [number, number] | null =>
    entry.entry === 'integrity' && shouldBeHeld(entry, denominator)
      ? [Number(scoreOf(entry, denominator) === 2), 1]
      : null
  return [
    ratioMetric(`${prefix}recall`, recallPart),
    ratioMetric(`${prefix}weighted_recall`, (entry) =>
      entry.entry === 'integrity' && shouldBeHeld(entry, denominator)
        ? [(scoreOf(entry, denominator) / 2) * entry.importance, entry.importance]
        : null,
    ),
    f1Metric(`${prefix}f1`, recallPart),
  ]
}

/** The published script looks at the session's own memories; what was known before, and rightly not repeated, counts as lost there. */
function scoreOf({ score, scoreOfSession = score }: IntegrityEntry, denominator: Denominator): Degree {
  return denominator === 'published' ? scoreOfSession : score
}

/** Equation 4. 0 when nothing extracted is about the gold set, without precision. */
function f1Metric(
  name: string,
  recallPart: (entry: ExtractionEntry) => readonly [number, number] | null,
): SumMetric<ExtractionEntry> {
  return {
    name,
    add: (entry) => {
      const recall = recallPart(entry)
      if (recall !== null) return [...recall, 0, 0]
      const target = targetPart(entry)
      return target === null ? null : [0, 0, ...target]
    },
    of: ([held = 0, should = 0, right = 0, targets = 0]) =>
      harmonicMean(held / should, targets === 0 ? 0 : right / targets),
  }
}

function targetPart(entry: ExtractionEntry): readonly [number, number] | null {
  return entry.entry === 'accuracy' && entry.isTarget ? [entry.score / 2, 1] : null
}

/**
 * HaluMem's Table 4: the share of right gold memories of extraction and updating together, by type, without interference. New memories are
 * right when fully contained, updates when made.
 */
export const TYPE_METRIC: SumMetric<IntegrityEntry | UpdateEntry> = shareMetric('typewise', (entry) => {
  if (entry.entry === 'update') return entry.outcome === 'correct'
  return shouldBeHeld(entry, 'paper') ? entry.score === 2 : null
})

/**
 * As the published script counts: interference too, and as right when it is *contained* (a score of 2, whatever the source), and an update
 * for which nothing was retrieved by whether the session left it.
 */
export const PUBLISHED_TYPE_METRIC: SumMetric<IntegrityEntry | UpdateEntry> = shareMetric(
  'published.typewise',
  (entry) => {
    if (entry.entry === 'update') return entry.retrieved.length === 0 ? null : entry.outcome === 'correct'
    return entry.isUpdate && !entry.isUnretrievedUpdate ? null : scoreOf(entry, 'published') === 2
  },
)
