import { InvalidInputError, didYouMean } from '@keepsake/text'
import { fadingFacts } from './fading-facts.ts'
import { firstInFirstOut } from './plain-policies.ts'
import type { ForgettingPolicy } from './forgetting-policy.ts'
import { keepsakeForgetting } from './keepsake.ts'

/** Makes the engine's own policies. `facts` judges facts, the others what the preset does not exempt. */
function ownPolicies(): ForgettingPolicy[] {
  return [keepsakeForgetting(), firstInFirstOut(), fadingFacts()]
}

/** Policies by which a memory can be judged, whichever its preset has: the engine's own and those that were given. */
export class PolicyTable {
  readonly #policies: ReadonlyMap<string, ForgettingPolicy>

  constructor(given: readonly ForgettingPolicy[] = []) {
    this.#policies = new Map([...ownPolicies(), ...given].map((policy) => [policy.name, policy]))
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
