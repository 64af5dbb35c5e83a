import { CHOICE_ACCURACY } from '../../metrics/log-metrics.ts'
import type { Figure } from '../figure.ts'
import type { ProbeEntry } from '../log-entry.ts'
import { sliceBy, sumFigures, type FigureContext } from './make-figures.ts'

/** Multiple-choice probes, by category too. The option is the reader's; no judge is needed. */
export function probeFigures(entries: readonly ProbeEntry[], { seed }: FigureContext): Figure[] {
  const slices = sliceBy(entries, 'category', (entry) => entry.category)
  return sumFigures({ task: 'probes', unit: 'share', judge: null }, [CHOICE_ACCURACY], slices, seed)
}
