import type { Memory, MemoryForm, MemoryType } from '../memories/memory.ts'
import type { SearchHit, SearchResult } from '../retrieval/search-types.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { asksPast } from '../retrieval/asks-past.ts'
import { COSINE_ONLY } from '../retrieval/retrieval-recipe.ts'
import { cosine } from '../models/cosine.ts'
import type { Engine } from '../work/engine.ts'
import { momentOf } from '../work/scope-view.ts'
import type { KnownTurn, OwnerCache } from '../work/owner-cache.ts'
import { latestTalk } from './latest-talk.ts'
import { pendingMemory } from './pending-memory.ts'
import { rankByModel } from './rank-by-model.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { zoneOffset } from '../text/time/zone-offset.ts'

/** A question as read at the boundary. */
export interface AskedQuestion {
  readonly text: string
  readonly limit: number
  readonly now: number
  readonly asOf: number | null
  readonly types: readonly MemoryType[] | null
  readonly forms: readonly MemoryForm[] | null
  readonly timeZone: string | null
  readonly speaker: string | null
}

/** A memory found, with the turns that were found for it. */
export interface FoundMemory {
  readonly memory: Memory
  readonly score: number
  readonly parts: Readonly<Record<string, number>>
  /** Scores of its turns that were found by themselves. */
  readonly turns: ReadonlyMap<string, number>
  readonly pending: boolean
}

export interface MemoryRanking {
  /** Best first; more than were asked for, so that those that are only counted are among them. */
  readonly memories: readonly FoundMemory[]
  readonly sessions: readonly { readonly session: string; readonly score: number }[]
  readonly confidence: number
}

/** Hits a memory can have: its turns. Searching for this many times the limit finds enough memories. */
const HITS_A_MEMORY = 3
const SPARE_HITS = 20
/** Candidates judged by exact cosine where a preset ranks by it. */
const COSINE_CANDIDATES = 200

function searchableMemory(
  engine: Engine,
  cache: OwnerCache,
  id: string,
): { memory: Memory; pending: boolean } | null {
  const turn = cache.turn(id)
  if (turn === undefined) {
    const memory = cache.known(id)?.memory
    return memory === undefined ? null : { memory, pending: false }
  }
  const memory = cache.utteranceOf(id)
  if (memory !== undefined) return { memory, pending: false }
  return cache.isPending(turn) ? { memory: pendingMemory(engine, turn), pending: true } : null
}

function matches(asked: AskedQuestion, memory: Memory): boolean {
  return (asked.types?.includes(memory.type) ?? true) && (asked.forms?.includes(memory.form) ?? true)
}

/** Turns that were found become the memories that keep them; a memory's score is its best turn's. */
function groupHits(engine: Engine, cache: OwnerCache, hits: readonly SearchHit[]): FoundMemory[] {
  const found = new Map<string, FoundMemory & { readonly turns: Map<string, number> }>()
  for (const hit of hits) {
    const entry = searchableMemory(engine, cache, hit.id)
    if (entry === null) continue
    const known = found.get(entry.memory.id)
    const turn: KnownTurn | undefined = cache.turn(hit.id)
    if (known !== undefined) {
      if (turn !== undefined) known.turns.set(turn.id, hit.score)
      continue
    }
    const turns = new Map(turn === undefined ? [] : [[turn.id, hit.score]])
    found.set(entry.memory.id, { ...entry, score: hit.score, parts: hit.parts, turns })
  }
  return [...found.values()]
}

/** What is over answers only questions about the past: it stands behind what is still so. */
const ENDED_SHARE = 0.25

function placeEndedLower(found: readonly FoundMemory[], at: number): FoundMemory[] {
  const ranked = found.map((one): FoundMemory => {
    const { validUntil } = one.memory
    if (validUntil === null || validUntil > at) return one
    const ended = -ENDED_SHARE * Math.abs(one.score)
    return { ...one, score: one.score + ended, parts: { ...one.parts, ended } }
  })
  return ranked.sort((one, other) => other.score - one.score)
}

/** LUFY's and MemoryBank's ranking: exact cosine over a threshold, and a share of what the policy says the memory is worth. */
async function rankByCosine(
  engine: Engine,
  resolved: ResolvedScope,
  cache: OwnerCache,
  found: readonly FoundMemory[],
  query: Float32Array,
  question: string,
): Promise<FoundMemory[]> {
  const { ranking, policy } = engine.preset
  if (ranking.kind !== 'cosine') return [...found]
  const threshold =
    typeof ranking.threshold === 'number' ? ranking.threshold : ranking.threshold[promptLanguage([question])]
  const documents = found.flatMap((one) => (one.turns.size > 0 ? [...one.turns.keys()] : [one.memory.id]))
  const vectors = await engine.store.vectors(resolved.owner, documents, engine.embedding.id)
  const [row] = resolved.rows
  const strengths =
    row === undefined
      ? []
      : policy.strengths(
          found.map((one) => one.memory),
          { ...(await momentOf({ engine, row, cache })), underWay: true },
        )
  const ranked = found.flatMap((one, index): FoundMemory[] => {
    const own = one.turns.size > 0 ? [...one.turns.keys()] : [one.memory.id]
    const cosines = own.map((id) => cosine(query, vectors.get(id)))
    const best = Math.max(...cosines)
    if (best < threshold) return []
    const importance = ranking.importance * Math.min(1, Math.max(0, strengths[index]?.value ?? 0))
    const turns = new Map([...one.turns.keys()].map((id, at) => [id, cosines[at] ?? 0]))
    return [{ ...one, score: best + importance, parts: { cosine: best, importance }, turns }]
  })
  return ranked.sort((one, other) => other.score - one.score)
}

/** Finds and ranks the memories that bear on a question. */
export async function rankMemories(
  engine: Engine,
  resolved: ResolvedScope,
  asked: AskedQuestion,
  abortSignal: AbortSignal | undefined,
): Promise<MemoryRanking> {
  const { ranking, use } = engine.preset
  if (ranking.kind === 'whole') return latestTalk(engine, resolved, asked)
  const read = (await engine.caches.get(resolved.owner)).index.readQuestion(asked.text, {
    now: asked.now,
    offsetMinutes: zoneOffset(asked.timeZone, asked.now),
    ...(asked.speaker === null ? {} : { asker: asked.speaker }),
  })
  const [embedded] = await engine.embedding.embed(
    [read.about],
    abortSignal === undefined ? {} : { abortSignal },
  )
  const vector = embedded ?? null
  // Asked for again after waiting: in between it may have been dropped, or have grown.
  const cache = await engine.caches.get(resolved.owner)
  const wanted = Math.max(asked.limit, use.first + use.second)
  const narrows = asked.types !== null || asked.forms !== null
  const result: SearchResult = cache.index.search(
    { read, vector },
    ranking.kind === 'cosine' ? COSINE_ONLY : ranking.recipe,
    {
      limit: ranking.kind === 'cosine' ? COSINE_CANDIDATES : wanted * HITS_A_MEMORY + SPARE_HITS,
      now: asked.now,
      scopes: new Set(resolved.scopes),
      asOf: asked.asOf ?? undefined,
      accepts: narrows
        ? (id) =>
            matches(asked, searchableMemory(engine, cache, id)?.memory ?? pendingMemory(engine, undefined))
        : undefined,
    },
  )
  const found = groupHits(engine, cache, result.hits)
  const current =
    read.ranges.length > 0 || asksPast(asked.text) ? found : placeEndedLower(found, asked.asOf ?? asked.now)
  const scored =
    vector === null ? current : await rankByCosine(engine, resolved, cache, current, vector, asked.text)
  const memories = await rankByModel(engine, resolved, asked, scored, abortSignal)
  const sessions = result.sessions.map(({ session, score }) => ({ session, score }))
  return { memories: memories.slice(0, wanted), sessions, confidence: result.confidence }
}
