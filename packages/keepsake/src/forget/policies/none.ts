import type { ForgettingPolicy } from './forgetting-policy.ts'

/** Every memory holds alike: under a capacity, the newest stay. For stores that are meant to keep everything. */
export function noForgetting(): ForgettingPolicy {
  return {
    name: 'none',
    formula: '1',
    strengths: (memories) => memories.map(() => ({ value: 1, parts: {} })),
  }
}
