import { NO_COST, sumCosts, type Meter } from '../cost/meter.ts'
import type { SystemUsage } from './memory-system.ts'

/** Adds up what a meter counted, however often it is asked. */
export function countUsage(meter: Meter, embeddingRequests: () => number): () => SystemUsage {
  let cost = NO_COST
  return () => {
    cost = sumCosts([cost, ...Object.values(meter.take())])
    const { calls, inputTokens, outputTokens } = cost
    return { calls, inputTokens, outputTokens, embeddingRequests: embeddingRequests() }
  }
}
