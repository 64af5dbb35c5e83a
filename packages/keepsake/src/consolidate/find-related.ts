import type { Extractor, Segment } from '../extraction/extractor.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import type { Memory } from '../memories/memory.ts'
import { HYBRID, type RetrievalRecipe } from '../retrieval/retrieval-recipe.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { accepting, BY_WORDS_AND_MEANING, changing, type Known } from './known-of-scope.ts'
import { rankTouched } from './rank-touched.ts'

/** Facts found for each turn. */
const HITS_A_TURN = 5
/** Turns searched with: a segment has at most some thirty, and the latest matter most. */
const MOST_TURNS = 40

/** What each turn finds, best first. */
async function foundBy(
  { engine, cache }: Known,
  segment: Segment,
  recipe: RetrievalRecipe,
  hits: number,
): Promise<Memory[][]> {
  const turns = segment.turns.slice(-MOST_TURNS)
  // What is asked to be forgotten by itself as well: the rest of its turn would find other things.
  const named = askedIn({ ...segment, turns }).flatMap(({ about, evidence }) => {
    const at = turns.find((turn) => turn.id === evidence.turn)?.at ?? 0
    return about === null ? [] : [{ text: about, at }]
  })
  const questions = [...named, ...turns].map(({ text, at }) => cache.index.readQuestion(text, { now: at }))
  const vectors = await engine.embedding.embed(questions.map((read) => read.about))
  return questions.map((read, place) =>
    cache.index
      .search({ read, vector: vectors[place] ?? null }, recipe, {
        ...accepting(cache, segment.scope),
        limit: hits,
        now: segment.turns.at(-1)?.at ?? 0,
      })
      .hits.flatMap((hit) => cache.known(hit.id)?.memory ?? []),
  )
}

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
  wanted: NonNullable<Extractor['related']>,
): Promise<readonly Memory[]> {
  if (wanted === 0) return []
  const known = { engine, cache: await engine.caches.get(row.owner) }
  if (typeof wanted !== 'number') {
    const found = await foundBy(known, segment, BY_WORDS_AND_MEANING, wanted.most)
    return rankTouched(known, segment, found, wanted)
  }
  const found = await foundBy(known, segment, HYBRID, HITS_A_TURN)
  const everything = [...rankByRank(found), ...changing(known, segment.scope)]
  const chosen = new Map(everything.map((memory) => [memory.id, memory]))
  return [...chosen.values()].slice(0, wanted).sort((one, other) => one.learnedAt - other.learnedAt)
}
