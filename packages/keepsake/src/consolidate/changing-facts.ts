import type { Memory } from '../memories/memory.ts'
import type { MergeClass } from '@keepsake/text'
import { factsUnderKeys } from './facts-under-keys.ts'
import { holdingFacts, type HoldingFacts } from './holding-facts.ts'
import type { Known } from './known-of-scope.ts'

/** What a person has one of at a time: most likely to be changed by words that share none with it. */
const CHANGING: ReadonlySet<MergeClass> = new Set(['replace', 'trajectory'])

/** Keys of what may be changed without being named. */
export function changingKeys({ engine }: Known, holding: HoldingFacts): string[] {
  const { keyTable } = engine.preset
  return [...holding.keys].filter((key) => CHANGING.has(keyTable.get(key)?.merge ?? 'append'))
}

/** What may be changed without being named: values of which there is one at a time, newest first. */
export function changing(known: Known, scope: number): Memory[] {
  const holding = holdingFacts(known.state.facts(scope))
  const found = factsUnderKeys(1, holding, changingKeys(known, holding)).head(
    Number.POSITIVE_INFINITY,
    () => true,
  )
  return found.map(({ fact }) => fact)
}
