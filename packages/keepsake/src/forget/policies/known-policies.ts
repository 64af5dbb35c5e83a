import { InvalidInputError, didYouMean } from '@keepsake/text'
import { competitionInhibition } from './competition-inhibition.ts'
import { ebbinghaus } from './ebbinghaus.ts'
import { fadingFacts } from './fading-facts.ts'
import { firstInFirstOut } from './first-in-first-out.ts'
import type { ForgettingPolicy } from './forgetting-policy.ts'
import { keepsakeForgetting } from './keepsake.ts'
import { lufy } from './lufy.ts'

/** The policies that a memory can be judged by, whichever its preset has; `facts` judges facts, the others what the preset does not exempt. */
export type PolicyName = (typeof POLICY_NAMES)[number]
export const POLICY_NAMES = [
  'keepsake',
  'lufy',
  'ebbinghaus',
  'competition-inhibition',
  'first-in-first-out',
  'facts',
] as const

const MAKE: Readonly<Record<PolicyName, () => ForgettingPolicy>> = {
  keepsake: keepsakeForgetting,
  lufy,
  ebbinghaus,
  'competition-inhibition': competitionInhibition,
  'first-in-first-out': firstInFirstOut,
  facts: fadingFacts,
}

/** @throws InvalidInputError for a policy that there is not. */
export function findPolicy(name: string): ForgettingPolicy {
  if (Object.hasOwn(MAKE, name)) return MAKE[name as PolicyName]()
  throw new InvalidInputError(`There is no forgetting policy "${name}". ${didYouMean(name, POLICY_NAMES)}`)
}
