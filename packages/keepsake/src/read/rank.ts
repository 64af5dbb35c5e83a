import { asksPast, findTerms, ModelError, readLeadingProperty, zoneOffset } from '@keepsake/text'
import { BM25_ONLY, COSINE_ONLY, type Evidence, type SearchHit } from '@keepsake/search'
import { relationGraph } from '../entities/relation-graph.ts'
import { findOtherNames, maySayWhich, testNamesake } from '../entities/same-name.ts'
import { isRecallable } from '../memories/kept-request.ts'
import { matchesMetadata } from '../metadata/metadata-filter.ts'
import {
  confidenceWith,
  measureConfidence,
  readConfidenceTraits,
  type AskedQuestion,
  type ConfidenceTraits,
} from '../retrieval/measure-confidence.ts'
import { readQuestionFor, searchIndex, textsBeforeTurn, textsWithWord } from '../retrieval/search-question.ts'
import type { StatedSentence } from '../user-state/analysed-text.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { searchableMemory, type MemoryRanking, type FoundMemory } from './found-memory.ts'
import { yieldBetweenParts, findNames, type RecallRequest } from './query.ts'
import {
  restOf,
  listOpenSessions,
  rankByCosine,
  rankByModel,
  LOOKED_AT_FOR_PROPERTY,
  rankByProperty,
  markEnded,
  demoteEnded,
} from './rerank.ts'
import type { Memory } from '../memories/memory.ts'
import { isInSpans } from '../memories/time-span.ts'

/** Hits searched for each memory wanted: a memory is found by each of its turns, mostly two. */
const HITS_A_MEMORY = 2
const SPARE_HITS = 20
/** From this relevance on, a reranking model finds a result near the question. */
const NEAR_RELEVANCE = 0.2
/** Candidates judged by exact cosine where a preset ranks by it. */
const COSINE_CANDIDATES = 200

/**
 * Finds and ranks the memories that bear on a question.
 *
 * @param seen the user's state, if the caller has just loaded it
 */
export async function rankMemories(request: RecallRequest, seen?: UserState): Promise<MemoryRanking> {
  const { engine, resolved, query } = request
  const { ranking, use } = engine.preset
  if (ranking.kind === 'whole') return listOpenSessions(request)
  const known = seen ?? (await engine.users.load(resolved.owner))
  const read = readQuestionFor(known.index, query.text, {
    now: query.now,
    offsetMinutes: zoneOffset(query.timeZone, query.now),
    names: findNames(request, known),
    ...(query.speaker === null ? {} : { asker: query.speaker }),
  })
  const at = query.asOf ?? query.now
  const graph = maySayWhich(query.text) ? await relationGraph(known, resolved.scopes, at) : null
  const isOfNamesake = graph === null ? null : testNamesake(graph, query.text)
  await yieldBetweenParts(query.text)
  const embedded = await embedQuestion(request, read.about)
  const waited = await yieldBetweenParts(query.text)
  // Loaded again after waiting: meanwhile it may have been evicted or changed.
  const asksElsewhere = engine.embedding.embedNow === undefined
  const state = waited || asksElsewhere || graph !== null ? await engine.users.load(resolved.owner) : known
  const isUsable = embedded === null || (embedded !== undefined && state.index.takes(embedded))
  const vector = isUsable ? embedded : undefined
  const wanted = Math.max(query.limit, use.first + use.second)
  const isByCosine = ranking.kind === 'cosine'
  const narrows = narrowRecall(request, state)
  // “What does my aunt Eva do?” takes nothing of a friend called Eva.
  const accepts = (id: string): boolean =>
    narrows?.(id) !== false &&
    isOfNamesake?.((state.turns.get(id) ?? state.memories.get(id))?.text ?? '') !== true
  const recipe = !isByCosine ? ranking.recipe : vector === undefined ? BM25_ONLY : COSINE_ONLY
  const result = searchIndex(state.index, { read, vector: vector ?? null }, recipe, {
    limit: isByCosine ? COSINE_CANDIDATES : wanted * HITS_A_MEMORY + SPARE_HITS,
    now: query.now,
    scopes: new Set(resolved.scopes),
    asOf: query.asOf ?? undefined,
    accepts: isOfNamesake === null ? narrows : accepts,
  })
  const readsMore = ranking.kind === 'hybrid' && ranking.recipe.readsOtherWords === true
  const property = readsMore ? readLeadingProperty(read.asked) : null
  const found = groupHits(engine, state, result.hits, {
    most: isOrdered(engine)
      ? Math.max(wanted, property === null ? 0 : LOOKED_AT_FOR_PROPERTY)
      : Number.POSITIVE_INFINITY,
    isMeant: isRecallable,
    now: at,
  })
  const isOfPast = query.during !== null || read.ranges.length > 0 || asksPast(query.text)
  const current = isOfPast ? markEnded(found, at) : demoteEnded(found, at)
  const byProperty = property === null ? current : rankByProperty(state, property, current)
  const scored =
    vector === null || vector === undefined
      ? byProperty
      : await rankByCosine(request, state, byProperty, vector)
  const ordered = await rankByModel(request, state, scored)
  const fillsUp = ranking.kind === 'hybrid' && ranking.fillsUp === true
  const memories = fillsUp ? [...ordered, ...restOf(request, state, ordered)] : ordered
  const sessions = result.sessions.map(({ session, score }) => ({ session, score }))
  const traits = traitsOf(read, state, result.evidence, findNames(request, state).self)
  const sure = measureConfidence(traits)
  const relevances = memories.flatMap(({ relevance }) => relevance ?? [])
  const relevance = relevances.length === 0 ? null : Math.max(...relevances)
  const ranked = {
    memories: memories.slice(0, wanted),
    sessions,
    confidence: relevance === null || traits.isVetoed ? sure : confidenceWith(sure, relevance),
    // An embedding model of the application's own finds what shares no word with the question.
    isNear: engine.embedding !== engine.wordVectors || traits.isNear || (relevance ?? 0) >= NEAR_RELEVANCE,
  }
  return vector === undefined ? { ...ranked, wordsOnly: true } : ranked
}

/** Embeds a question: `null` where the model gives no vector, `undefined` where it cannot be asked. */
async function embedQuestion(
  { engine, options }: RecallRequest,
  text: string,
): Promise<Float32Array | null | undefined> {
  try {
    const [vector = null] = await engine.embedding.embed([text], options)
    return vector
  } catch (error) {
    if (!(error instanceof ModelError) || options.abortSignal?.aborted === true) throw error
    return undefined
  }
}

export interface Wanted {
  /** Memories wanted. After this number of current ones, further hits only add turns to them. */
  readonly most: number
  readonly isMeant: (memory: Memory) => boolean
  /** Time by which memories have ended; each that has an end when absent. */
  readonly now?: number
}

const NO_TURNS: ReadonlyMap<string, number> = new Map()

/**
 * Maps found turns to the memories that keep them; a memory's score is that of its best turn. Ended memories may be demoted later, so
 * they do not count towards the number wanted.
 */
export function groupHits(
  engine: Engine,
  state: UserState,
  hits: readonly SearchHit[],
  { most, isMeant, now = Number.POSITIVE_INFINITY }: Wanted,
): FoundMemory[] {
  const turns = new Map<string, number>()
  for (const { id, score } of hits) turns.set(id, score)
  const found = new Map<string, FoundMemory>()
  let holding = 0
  for (const hit of hits) {
    if (holding >= most) break
    const entry = searchableMemory(engine, state, hit.id)
    if (entry === null || found.has(entry.memory.id) || !isMeant(entry.memory)) continue
    const { memory, pending } = entry
    const { score, parts } = hit
    found.set(memory.id, { memory, pending, score, parts, turns: memory.id === hit.id ? NO_TURNS : turns })
    if (memory.validUntil === null || memory.validUntil > now) holding += 1
  }
  return [...found.values()]
}

/** Whether nothing after the index can raise a lower hit. */
function isOrdered({ preset: { ranking }, reranking }: Engine): boolean {
  return ranking.kind === 'hybrid' && ranking.fillsUp !== true && reranking === null
}

/** Reads in the statements of the first results how sure it is that they answer the question. */
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
    // What the agent said of the user is unconfirmed.
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
  return readConfidenceTraits(question, evidence, {
    textOf,
    statementsOf,
    textsBefore,
    holds,
    otherNames,
    self,
  })
}

/** Filters documents by what the index does not hold: types, forms, metadata and spans. `undefined` for a question that takes any. */
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
