import { keepsake } from '../presets/keepsake.ts'
import type { Preset } from '../presets/preset.ts'
import type { ForgettingMoment, ForgettingPolicy, Retention } from './policies/forgetting-policy.ts'

/** Whatever says more stays longer; a suppressed memory counts for half. For tests: it notes each moment it is asked at. */
export function wordiest(): ForgettingPolicy & { readonly moments: readonly ForgettingMoment[] } {
  const moments: ForgettingMoment[] = []
  return {
    name: 'wordiest',
    formula: 'characters',
    moments,
    strengths: (memories, moment) => {
      moments.push(moment)
      return memories.map(({ text, use }) => {
        const value = use.secondAt === moment.round ? text.length / 2 : text.length
        return { value, parts: {} }
      })
    },
  }
}

/** Facts are judged by how much they say, and nothing else is. */
export function judgingFacts(retention: Retention, policy = wordiest()): Preset {
  return { ...keepsake(), policy, retention, exempt: ['summary'] }
}
