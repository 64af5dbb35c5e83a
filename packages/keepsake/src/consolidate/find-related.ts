import type { RelatedBudget, Segment } from '../extraction/extractor.ts'
import type { Memory } from '../memories/memory.ts'
import { HYBRID } from '@keepsake/search'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { changing } from './changing-facts.ts'
import { foundBy } from './found-by.ts'
import { BY_WORDS_AND_MEANING } from './known-of-scope.ts'
import { rankTouched } from './rank-touched.ts'

/** Facts found for each turn. */
const HITS_A_TURN = 5
/** Rank by rank: the best hit of each turn before the second of any. */
function rankByRank(found: readonly (readonly Memory[])[]): Memory[] {
  return Array.from({ length: HITS_A_TURN }, (_, rank) => found.flatMap((hits) => hits[rank] ?? [])).flat()
}

/**
 * Live facts that a segment may change, as far as they are wanted. A number of them in the order they were learned, so
 * that their numbers say nothing; those that fill a budget, the newest first. So an update costs the same however much is
 * known.
 */
export async function findRelated(
  engine: Engine,
  row: ScopeRow,
  segment: Segment,
  wanted: number | RelatedBudget,
): Promise<readonly Memory[]> {
  if (wanted === 0) return []
  const known = { engine, state: await engine.users.load(row.owner) }
  if (typeof wanted !== 'number') {
    const found = await foundBy(known, segment, BY_WORDS_AND_MEANING, wanted.most)
    return rankTouched(known, segment, found, wanted)
  }
  const found = await foundBy(known, segment, HYBRID, HITS_A_TURN)
  const everything = [...rankByRank(found), ...changing(known, segment.scope)]
  const chosen = new Map(everything.map((memory) => [memory.id, memory]))
  return [...chosen.values()].slice(0, wanted).sort((one, other) => one.learnedAt - other.learnedAt)
}
