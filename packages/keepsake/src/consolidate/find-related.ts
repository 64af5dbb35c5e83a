import type { Segment } from '../extraction/extractor.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import type { Memory } from '../memories/memory.ts'
import type { KeyTable, MergeClass } from '../persona/key-table.ts'
import { HYBRID } from '../retrieval/retrieval-recipe.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import type { OwnerCache } from '../work/owner-cache.ts'

/** Facts found for each turn; together they are ranked by how high any turn ranks them. */
const HITS_A_TURN = 5
/** Turns searched with: a segment has at most some thirty, and the latest matter most. */
const MOST_TURNS = 40
/** What a person has one of at a time: most likely to be changed by words that share none with it. */
const CHANGING: ReadonlySet<MergeClass> = new Set(['replace', 'trajectory'])

function isShown(memory: Memory): boolean {
  return memory.form === 'fact' && memory.status === 'live'
}

/** Rank by rank over the turns: the best hit of each before the second of any. */
async function foundBy(engine: Engine, cache: OwnerCache, segment: Segment): Promise<Memory[]> {
  const turns = segment.turns.slice(-MOST_TURNS)
  // What is asked to be forgotten by itself as well: the rest of its turn would find other things.
  const named = askedIn({ ...segment, turns }).flatMap(({ about, evidence }) => {
    const at = turns.find((turn) => turn.id === evidence.turn)?.at ?? 0
    return about === null ? [] : [{ text: about, at }]
  })
  const questions = [...named, ...turns].map(({ text, at }) => cache.index.readQuestion(text, { now: at }))
  const vectors = await engine.embedding.embed(questions.map((read) => read.about))
  const rankings = questions.map((read, place) =>
    cache.index.search({ read, vector: vectors[place] ?? null }, HYBRID, {
      limit: HITS_A_TURN,
      now: segment.turns.at(-1)?.at ?? 0,
      kind: 'memory',
      scopes: new Set([segment.scope]),
      accepts: (id) => {
        const memory = cache.known(id)?.memory
        return memory !== undefined && isShown(memory)
      },
    }),
  )
  const inOrder = Array.from({ length: HITS_A_TURN }, (_, rank) =>
    rankings.flatMap(({ hits }) => cache.known(hits[rank]?.id ?? '')?.memory ?? []),
  )
  return inOrder.flat()
}

/** What may be changed without being named: values of which there is one at a time, newest first. */
function changing(cache: OwnerCache, segment: Segment, table: KeyTable): Memory[] {
  return [...cache.memories({ scopes: new Set([segment.scope]) })]
    .filter(
      (memory) =>
        isShown(memory) &&
        memory.validUntil === null &&
        CHANGING.has(table.get(memory.key ?? '')?.merge ?? 'append'),
    )
    .sort((one, other) => other.learnedAt - one.learnedAt)
}

/**
 * Live facts that a segment may change, at most as many as are wanted: those its turns find, in the order they were
 * learned, so that their numbers say nothing. So an update costs the same however much is known.
 */
export async function findRelated(
  engine: Engine,
  row: ScopeRow,
  segment: Segment,
  wanted: number,
): Promise<readonly Memory[]> {
  if (wanted === 0) return []
  const cache = await engine.caches.get(row.owner)
  const found = await foundBy(engine, cache, segment)
  const everything = [...found, ...changing(cache, segment, engine.preset.keyTable)]
  const chosen = new Map(everything.map((memory) => [memory.id, memory]))
  return [...chosen.values()].slice(0, wanted).sort((one, other) => one.learnedAt - other.learnedAt)
}
