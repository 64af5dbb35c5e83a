// Holds the baseline policies, and the table of all policies by name.
import { InvalidInputError, didYouMean } from '@keepsake/text'
import { fadingFacts } from './fading-facts.ts'
import type { ForgettingPolicy } from './forgetting-policy.ts'
import { keepsakeForgetting } from './keepsake.ts'
import { hash } from 'node:crypto'

/** All policies by name: the engine's own, and those of the application. */
export class PolicyTable {
  readonly #policies: ReadonlyMap<string, ForgettingPolicy>

  constructor(given: readonly ForgettingPolicy[] = []) {
    this.#policies = new Map(
      [keepsakeForgetting(), firstInFirstOut(), fadingFacts(), ...given].map((policy) => [
        policy.name,
        policy,
      ]),
    )
  }

  get names(): readonly string[] {
    return [...this.#policies.keys()]
  }

  /** @throws InvalidInputError for a policy that does not exist. */
  find(name: string): ForgettingPolicy {
    const policy = this.#policies.get(name)
    if (policy !== undefined) return policy
    throw new InvalidInputError(`There is no forgetting policy "${name}". ${didYouMean(name, this.names)}`)
  }
}

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
