import type { PlacedFact } from '../facts/placed-fact.ts'
import { byLastLearned } from '../facts/standing-facts.ts'
import type { Accepts, RankedList } from './fuse-lists.ts'
import type { HoldingFacts } from './holding-facts.ts'

/** What holds under some keys, the last learned first. */
export function factsUnderKeys(weight: number, holding: HoldingFacts, keys: Iterable<string>): RankedList {
  const wanted = new Set(keys)
  const lists = [...wanted].flatMap((key) => holding.ofKey(key) ?? [])
  const rankOf = (asked: PlacedFact): number => {
    const { key, validUntil } = asked.fact
    if (key === null || validUntil !== null || !wanted.has(key)) return -1
    return lists.reduce((sum, list) => sum + list.firstFrom((one) => byLastLearned(one, asked) >= 0), 0)
  }
  return {
    weight,
    head: (count, accepts) => {
      const firsts = lists.flatMap(({ items }) => firstAccepted(items, count, accepts))
      return firsts.sort(byLastLearned).slice(0, count)
    },
    ranksOf: (facts) => facts.map(rankOf),
  }
}

function firstAccepted(items: readonly PlacedFact[], count: number, accepts: Accepts): PlacedFact[] {
  const found: PlacedFact[] = []
  for (const fact of items) {
    if (found.length === count) break
    if (accepts(fact.place)) found.push(fact)
  }
  return found
}
