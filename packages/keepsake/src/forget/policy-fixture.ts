// Makes forgetting policies and presets for tests.
import { keepsake } from '../presets/keepsake.ts'
import type { Preset } from '../presets/preset.ts'
import type { ForgettingMoment, ForgettingPolicy, Retention } from './policies/forgetting-policy.ts'

/** Makes a policy whose strength is the length of the text, halved for a weakened memory. It records the moments of its calls. */
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

/** A preset that judges only facts, by the length of their texts. */
export function judgingFacts(retention: Retention, policy = wordiest()): Preset {
  return { ...keepsake(), policy, retention, exempt: ['summary'] }
}
