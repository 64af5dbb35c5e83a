import type { Extractor } from '../extractor.ts'
import { askedIn } from './hear-requests.ts'

/**
 * Hears requests to forget, by rules, and draws nothing else: for presets that keep no facts but must not keep what
 * somebody asked to have dropped.
 */
export function requestRules(): Extractor {
  return {
    id: 'request-rules/1',
    extract: (segment, options) => ({ candidates: [], requests: askedIn(segment, options?.rules) }),
  }
}
