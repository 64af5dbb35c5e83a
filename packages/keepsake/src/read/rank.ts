// Searches the index for a question, and ranks the memories of the hits.
import {
  asksPast,
  findTerms,
  ModelError,
  readLeadingProperty,
  zoneOffset,
  type ReadQuestion,
} from '@keepsake/text'
import { BM25_ONLY, COSINE_ONLY, type Evidence, type SearchHit, type SearchResult } from '@keepsake/search'
import { relationGraph } from '../entities/relation-graph.ts'
import { findOtherNames, maySayWhich, testNamesake } from '../entities/same-name.ts'
import { isRecallable } from '../memories/kept-request.ts'
import { matchesMetadata } from '../metadata/metadata-filter.ts'
import {
  readConfidenceTraits,
  type AskedQuestion,
  type ConfidenceTraits,
} from '../retrieval/confidence-traits.ts'
import { confidenceWith, measureConfidence } from '../retrieval/measure-confidence.ts'
import { readQuestionFor, searchIndex, textsBeforeTurn, textsWithWord } from '../retrieval/search-question.ts'
import type { Ranking } from '../presets/preset.ts'
import type { StatedSentence } from '../user-state/analysed-text.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { searchableMemory, type MemoryRanking, type FoundMemory } from './found-memory.ts'
import { yieldBetweenParts, findNames, type RecallRequest } from './query.ts'
import {
  listRest,
  listOpenSessions,
  rankByCosine,
  rankByModel,
  MAX_CHECKED_FOR_PROPERTY,
  rankByProperty,
  markEnded,
  demoteEnded,
} from './rerank.ts'
import type { Memory } from '../memories/memory.ts'
import { reportFailure } from '../work/jobs.ts'
import { isInSpans } from '../memories/time-span.ts'

/** Hits to search for each memory. A memory is found by each of its turns, and mostly has two. */
const HITS_PER_MEMORY = 2
/** Further hits, since some hits belong to no memory that counts. */
const SPARE_HITS = 20
/** From this relevance of a reranking model on, a result is near the question. */
const NEAR_RELEVANCE = 0.2
/** Number of candidates for presets that rank by exact cosine. */
const COSINE_CANDIDATES = 200

/**
 * Finds and ranks the memories that bear on a question.
 *
 * @param loaded the user's state, if the caller has just loaded it
 */
export async function rankMemories(request: RecallRequest, loaded?: UserState): Promise<MemoryRanking> {
  const { ranking } = request.engine.preset
  if (ranking.kind === 'whole') return listOpenSessions(request)
  const search = await prepareSearch(request, loaded)
  const { hits, sessions, evidence } = runSearch(request, ranking, search)
  const memories = await orderMemories(request, search, hits)
  const ranked = {
    memories: memories.slice(0, search.limit),
    sessions: sessions.map(({ session, score }) => ({ session, score })),
    ...judgeRanking(request, search, evidence, memories),
  }
  return search.vector === undefined ? { ...ranked, wordsOnly: true } : ranked
}

/** A question that is ready to be searched, with the user's current state. */
interface PreparedSearch {
  readonly state: UserState
  readonly read: ReadQuestion
  /** `null` if the model gives no vector; `undefined` if it failed or its vectors do not match the stored ones. */
  readonly vector: Float32Array | null | undefined
  /** Whether a text is about another person of the same name; `null` if no name in the question is shared. */
  readonly isOfNamesake: ((text: string) => boolean) | null
  /** Maximum number of memories. */
  readonly limit: number
  /** Time at which memories count as current or ended. */
  readonly at: number
}

/** Reads and embeds a question. */
async function prepareSearch(request: RecallRequest, loaded?: UserState): Promise<PreparedSearch> {
  const { engine, resolved, query } = request
  const before = loaded ?? (await engine.users.load(resolved.owner))
  const read = readQuestionFor(before.index, query.text, {
    now: query.now,
    offsetMinutes: zoneOffset(query.timeZone, query.now),
    names: findNames(request, before),
    ...(query.speaker === null ? {} : { asker: query.speaker }),
  })
  const at = query.asOf ?? query.now
  const graph = maySayWhich(query.text) ? await relationGraph(before, resolved.scopes, at) : null
  const isOfNamesake = graph === null ? null : testNamesake(graph, query.text)
  await yieldBetweenParts(query.text)
  const embedded = await embedQuestion(request, read.about)
  const hasYielded = await yieldBetweenParts(query.text)
  // While this function waited, the state may have been evicted or changed.
  const usesRemoteModel = engine.embedding.embedNow === undefined
  const hasWaited = hasYielded || usesRemoteModel || graph !== null
  const state = hasWaited ? await engine.users.load(resolved.owner) : before
  const isUsable = embedded === null || (embedded !== undefined && state.index.takes(embedded))
  const { first, second } = engine.preset.use
  const limit = Math.max(query.limit, first + second)
  return { state, read, vector: isUsable ? embedded : undefined, isOfNamesake, limit, at }
}

function runSearch(
  request: RecallRequest,
  ranking: Exclude<Ranking, { readonly kind: 'whole' }>,
  { state, read, vector, isOfNamesake, limit }: PreparedSearch,
): SearchResult {
  const { resolved, query } = request
  const filter = narrowRecall(request, state)
  // “What does my aunt Eva do?” accepts no text about a friend called Eva.
  const accepts = (id: string): boolean =>
    filter?.(id) !== false &&
    isOfNamesake?.((state.turns.get(id) ?? state.memories.get(id))?.text ?? '') !== true
  const isByCosine = ranking.kind === 'cosine'
  const cosineRecipe = vector === undefined ? BM25_ONLY : COSINE_ONLY
  const recipe = isByCosine ? cosineRecipe : ranking.recipe
  return searchIndex(state.index, { read, vector: vector ?? null }, recipe, {
    limit: isByCosine ? COSINE_CANDIDATES : limit * HITS_PER_MEMORY + SPARE_HITS,
    now: query.now,
    scopes: new Set(resolved.scopes),
    asOf: query.asOf ?? undefined,
    accepts: isOfNamesake === null ? filter : accepts,
  })
}

/** Maps hits to memories, and orders these by validity, by the property asked for, and by models. */
async function orderMemories(
  request: RecallRequest,
  { state, read, vector, limit, at }: PreparedSearch,
  hits: readonly SearchHit[],
): Promise<readonly FoundMemory[]> {
  const { engine, query } = request
  const { ranking } = engine.preset
  const isHybrid = ranking.kind === 'hybrid'
  const readsProperties = isHybrid && ranking.recipe.readsOtherWords === true
  const property = readsProperties ? readLeadingProperty(read.asked) : null
  const maxForProperty = property === null ? 0 : MAX_CHECKED_FOR_PROPERTY
  const found = groupHits(engine, state, hits, {
    limit: isFinalOrder(engine) ? Math.max(limit, maxForProperty) : Number.POSITIVE_INFINITY,
    accepts: isRecallable,
    now: at,
  })
  const isOfPast = query.during !== null || read.ranges.length > 0 || asksPast(query.text)
  const current = isOfPast ? markEnded(found, at) : demoteEnded(found, at)
  const byProperty = property === null ? current : rankByProperty(state, property, current)
  const hasVector = vector !== null && vector !== undefined
  const byCosine = hasVector ? await rankByCosine(request, state, byProperty, vector) : byProperty
  const ordered = await rankByModel(request, state, byCosine)
  return isHybrid && ranking.fillsUp === true ? [...ordered, ...listRest(request, state, ordered)] : ordered
}

/** Judges how sure it is that the memories answer the question. */
function judgeRanking(
  request: RecallRequest,
  { state, read }: PreparedSearch,
  evidence: Evidence,
  memories: readonly FoundMemory[],
): Pick<MemoryRanking, 'confidence' | 'isNear'> {
  const { embedding, wordVectors } = request.engine
  const traits = traitsOf(read, state, evidence, findNames(request, state).self)
  const confidence = measureConfidence(traits)
  const relevances = memories.flatMap(({ relevance }) => relevance ?? [])
  const relevance = relevances.length === 0 ? null : Math.max(...relevances)
  return {
    confidence: relevance === null || traits.isVetoed ? confidence : confidenceWith(confidence, relevance),
    // An application's own embedding model also finds texts that share no word with the question.
    isNear: embedding !== wordVectors || traits.isNear || (relevance ?? 0) >= NEAR_RELEVANCE,
  }
}

/** Embeds a question. Returns `null` if the model gives no vector. If it cannot be asked, reports why and returns `undefined`. */
async function embedQuestion(
  { engine, options }: RecallRequest,
  text: string,
): Promise<Float32Array | null | undefined> {
  try {
    const [vector = null] = await engine.embedding.embed([text], options)
    return vector
  } catch (error) {
    if (!(error instanceof ModelError) || options.abortSignal?.aborted === true) throw error
    reportFailure(engine, error)
    return undefined
  }
}

export interface GroupOptions {
  /** Maximum number of current memories. After them, further hits only add turns to them. */
  readonly limit: number
  readonly accepts: (memory: Memory) => boolean
  /** Time at which a memory counts as current or ended. When absent, each memory with an end counts as ended. */
  readonly now?: number
}

const NO_TURNS: ReadonlyMap<string, number> = new Map()

/**
 * Maps found turns to the memories that keep them. A memory gets the score of its best turn. Ended memories may be demoted later, so
 * they do not count towards the limit.
 */
export function groupHits(
  engine: Engine,
  state: UserState,
  hits: readonly SearchHit[],
  { limit, accepts, now = Number.POSITIVE_INFINITY }: GroupOptions,
): FoundMemory[] {
  const turns = new Map<string, number>()
  for (const { id, score } of hits) turns.set(id, score)
  const found = new Map<string, FoundMemory>()
  let currentCount = 0
  for (const hit of hits) {
    if (currentCount >= limit) break
    const entry = searchableMemory(engine, state, hit.id)
    if (entry === null || found.has(entry.memory.id) || !accepts(entry.memory)) continue
    const { memory, pending } = entry
    const { score, parts } = hit
    found.set(memory.id, { memory, pending, score, parts, turns: memory.id === hit.id ? NO_TURNS : turns })
    if (memory.validUntil === null || memory.validUntil > now) currentCount += 1
  }
  return [...found.values()]
}

/** Whether the order of the index is final, so that no later step can raise a lower hit. */
function isFinalOrder({ preset: { ranking }, reranking }: Engine): boolean {
  return ranking.kind === 'hybrid' && ranking.fillsUp !== true && reranking === null
}

/** Reads how well the statements of the first results answer the question. */
function traitsOf(
  question: AskedQuestion,
  state: UserState,
  evidence: Evidence,
  self: readonly string[],
): ConfidenceTraits {
  const { turns, memories, index } = state
  const textOf = (id: string): string => (turns.get(id) ?? memories.get(id))?.text ?? ''
  const statementsOf = (id: string): readonly StatedSentence[] => {
    const memory = memories.get(id)
    // The user has not confirmed what the agent said about them.
    if (memory?.label === 'agent-stated' && memory.subject !== 'agent') return []
    const text = state.texts.of(textOf(id), turns.has(id) ? id : undefined)
    return text.isQuoting ? [] : text.statements
  }
  const holds = (word: string): boolean => index.turnsWith(findTerms(word)).length > 0
  const otherNames = (words: readonly string[]): string[] =>
    findOtherNames(
      words,
      words.flatMap((word) => textsWithWord(index, word, textOf)),
    )
  const textsBefore = (id: string): string[] => textsBeforeTurn(index, id, textOf)
  const texts = { textOf, statementsOf, textsBefore, holds, otherNames, self }
  return readConfidenceTraits(question, evidence, texts)
}

/** Returns a filter by types, forms, metadata and spans, which the index does not hold. `undefined` if the query sets none of them. */
export function narrowRecall(
  { engine, query }: RecallRequest,
  state: UserState,
): ((document: string) => boolean) | undefined {
  const { types, forms, where, said, during } = query
  if ([types, forms, where, said, during].every((filter) => filter === null)) return undefined
  return (id) => {
    const found = searchableMemory(engine, state, id)
    if (found === null) return false
    const { memory, pending } = found
    if (types?.includes(memory.type) === false || forms?.includes(memory.form) === false) return false
    if (!isInSpans(query, memory, (turn) => state.turns.get(turn)?.at)) return false
    if (where === null) return true
    return matchesMetadata(where, pending ? (state.turns.get(id)?.metadata ?? null) : memory.metadata)
  }
}
