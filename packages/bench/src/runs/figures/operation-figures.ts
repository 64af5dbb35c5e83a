import { OPERATION_CONTENT, OPERATION_INDEX, OPERATION_TYPE } from '../../metrics/log-metrics.ts'
import type { Figure } from '../figure.ts'
import type { OperationEntry } from '../log-entry.ts'
import { sliceBy, sumFigures, type FigureContext } from './make-figures.ts'

/** MMM's three accuracies, by the operation asked for too. Only the content's is judged. */
export function operationFigures(
  entries: readonly OperationEntry[],
  { judge, seed }: FigureContext,
): Figure[] {
  const slices = sliceBy(entries, 'kind', (entry) => entry.gold.kind)
  const computed = { task: 'operations', unit: 'share', judge: null } as const
  return [
    ...sumFigures(computed, [OPERATION_TYPE, ...OPERATION_INDEX], slices, seed),
    ...sumFigures({ ...computed, judge }, OPERATION_CONTENT, slices, seed),
  ]
}
