import type { Extractor } from './extractor.ts'
import { personaRules } from './persona-rules.ts'

/**
 * Hears requests to forget, by rules, and draws nothing else: for presets that keep no facts but must not keep what
 * somebody asked to have dropped.
 */
export function requestRules(): Extractor {
  const rules = personaRules()
  return {
    id: 'request-rules/1',
    extract: async (segment) => {
      const { requests } = await rules.extract(segment)
      return { candidates: [], requests: requests.filter((request) => request.kind === 'forget') }
    },
  }
}
