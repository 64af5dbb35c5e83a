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
