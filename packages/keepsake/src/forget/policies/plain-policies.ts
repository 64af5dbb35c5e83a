import { hash } from 'node:crypto'
import type { ForgettingPolicy } from './forgetting-policy.ts'

/**
 * Chance, to compare others with. A memory's draw depends on the seed and its id alone: the same for every call,
 * so that what is kept at any moment is an even sample of all that was ever made.
 *
 * @param seed another seed, another sample
 */
export function randomForgetting(seed: number): ForgettingPolicy {
  return {
    name: 'random',
    formula: `a number in [0, 1) drawn from seed ${seed} and the memory's id`,
    strengths: (memories) => memories.map(({ id }) => ({ value: draw(seed, id), parts: {} })),
  }
}

function draw(seed: number, id: string): number {
  return Number.parseInt(hash('sha1', `${seed}:${id}`).slice(0, 12), 16) / 2 ** 48
}

/** Every memory holds alike: under a capacity, the newest stay. For stores that are meant to keep everything. */
export function noForgetting(): ForgettingPolicy {
  return {
    name: 'none',
    formula: '1',
    strengths: (memories) => memories.map(() => ({ value: 1, parts: {} })),
  }
}

/** The oldest goes first, whatever it says and however often it was used. Strength is the round of making. */
export function firstInFirstOut(): ForgettingPolicy {
  return {
    name: 'first-in-first-out',
    formula: 'the round in which it was made',
    strengths: (memories) =>
      memories.map(({ round }) => ({ value: Number.isFinite(round) ? round : 0, parts: { round } })),
  }
}
