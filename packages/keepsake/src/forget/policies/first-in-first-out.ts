import type { ForgettingPolicy } from './forgetting-policy.ts'

/** The oldest goes first, whatever it says and however often it was used. Strength is the round of making. */
export function firstInFirstOut(): ForgettingPolicy {
  return {
    name: 'first-in-first-out',
    formula: 'the round in which it was made',
    strengths: (memories) =>
      memories.map(({ round }) => ({ value: Number.isFinite(round) ? round : 0, parts: { round } })),
  }
}
