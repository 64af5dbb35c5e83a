import { meanMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import type { Figure } from '../figure.ts'
import type { LabelEntry } from '../log-entry.ts'
import { sumFigures, wholeOf, type FigureContext } from './make-figures.ts'

/** MOOM's Table 1: the best memory of each label, averaged over labels; MemScore where the judge was asked. */
export function labelFigures(entries: readonly LabelEntry[], { judge, seed }: FigureContext): Figure[] {
  const slices = wholeOf(entries)
  const wasAsked = entries.some(({ memScore }) => memScore !== null)
  return [
    ...sumFigures({ task: 'labels', unit: 'share', judge: null }, labelMetrics(entries), slices, seed),
    ...(wasAsked ? sumFigures({ task: 'labels', unit: 'score', judge }, [MEM_SCORE], slices, seed) : []),
  ]
}

/** A label without a memory, or without a verdict, has 0: it stays in the mean (MOOM, section 5.1). */
export const MEM_SCORE: SumMetric<LabelEntry> = meanMetric('mem_score', ({ memScore }) => memScore ?? 0)

export function labelMetrics(entries: readonly LabelEntry[]): SumMetric<LabelEntry>[] {
  const names = new Set(entries.flatMap(({ overlap }) => Object.keys(overlap)))
  return [...names].map((name) => meanMetric(name, ({ overlap }) => overlap[name] ?? 0))
}
