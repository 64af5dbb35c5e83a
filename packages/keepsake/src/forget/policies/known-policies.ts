// Holds the table of policies by name, built when an engine is wired.
import { InvalidInputError, didYouMean } from '@keepsake/text'
import { fadingFacts } from './fading-facts.ts'
import { firstInFirstOut } from './plain-policies.ts'
import type { ForgettingPolicy } from './forgetting-policy.ts'
import { keepsakeForgetting } from './keepsake.ts'

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
