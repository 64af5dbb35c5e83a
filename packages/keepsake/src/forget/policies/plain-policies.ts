// Holds the baseline policies: random, none, and first in first out.
import { hash } from 'node:crypto'
import type { ForgettingPolicy } from './forgetting-policy.ts'

/** Random forgetting, as a baseline. A memory's number depends only on the seed and its id, so what stays is an even sample. */
export function randomForgetting(seed: number): ForgettingPolicy {
  return {
    name: 'random',
    formula: `a number in [0, 1) drawn from seed ${seed} and the memory's id`,
    strengths: (memories) => memories.map(({ id }) => ({ value: numberOf(seed, id), parts: {} })),
  }
}

function numberOf(seed: number, id: string): number {
  return Number.parseInt(hash('sha1', `${seed}:${id}`).slice(0, 12), 16) / 2 ** 48
}

/** Gives all memories the same strength: under a capacity, the newest stay. */
export function noForgetting(): ForgettingPolicy {
  return {
    name: 'none',
    formula: '1',
    strengths: (memories) => memories.map(() => ({ value: 1, parts: {} })),
  }
}

/** Forgets the oldest first. Strength is the round of creation. */
export function firstInFirstOut(): ForgettingPolicy {
  return {
    name: 'first-in-first-out',
    formula: 'the round in which it was made',
    strengths: (memories) =>
      memories.map(({ round }) => ({ value: Number.isFinite(round) ? round : 0, parts: { round } })),
  }
}
