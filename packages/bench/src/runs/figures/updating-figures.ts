import { UPDATING_METRICS } from '../../metrics/log-metrics.ts'
import type { Figure } from '../figure.ts'
import type { UpdateEntry } from '../log-entry.ts'
import { sliceBy, sumFigures, type FigureContext } from './make-figures.ts'

/** HaluMem's updating table with both denominators, and by memory type. */
export function updatingFigures(entries: readonly UpdateEntry[], { judge, seed }: FigureContext): Figure[] {
  const slices = sliceBy(entries, 'type', (entry) => entry.type)
  return sumFigures({ task: 'updating', unit: 'share', judge }, UPDATING_METRICS, slices, seed)
}
