import type { OperationEntry } from '../log/log-entry.ts'
import { shareMetric, type SumMetric } from './sum-metric.ts'

type Made = OperationEntry['actual'][number]

/** Operation type accuracy (MMM, equation 11): over all turns. Computed. */
export const OPERATION_TYPE: SumMetric<OperationEntry> = shareMetric('type', (entry) => entry.typeCorrect)

/**
 * Memory index accuracy (MMM, equation 12). `index` is over all turns, as the equation says: where there is no index to
 * get right (`add`, `none`), it is right when none was touched. `index_where_any` is over modifications and deletions
 * alone. The paper does not say which it counted; the first is easier, as most turns touch no index. Computed.
 */
export const OPERATION_INDEX: readonly SumMetric<OperationEntry>[] = [
  shareMetric('index', (entry) => entry.indexCorrect ?? !entry.actual.some(hasIndex)),
  shareMetric('index_where_any', (entry) => entry.indexCorrect),
]

/**
 * Content consistency (MMM, equation 13), likewise: `content` over all turns, where without a content (`delete`, `none`)
 * it is right when none was written; `content_where_any` over additions and modifications alone. Judged.
 */
export const OPERATION_CONTENT: readonly SumMetric<OperationEntry>[] = [
  shareMetric('content', (entry) => entry.contentCorrect ?? !entry.actual.some(hasContent)),
  shareMetric('content_where_any', (entry) => entry.contentCorrect),
]

function hasIndex({ kind }: Made): boolean {
  return kind !== 'add'
}

function hasContent({ kind }: Made): boolean {
  return kind !== 'delete'
}
