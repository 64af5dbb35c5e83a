import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import { asksOfRequests, tellsOfRequest } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import { asksPast, readLeadingProperty, zoneOffset, findTerms } from '@keepsake/text'
import {
  confidenceWith,
  isToldByAnyWords,
  measureConfidence,
  readConfidenceTraits,
  readWanted,
} from '../retrieval/measure-confidence.ts'
import { COSINE_ONLY } from '@keepsake/search'
import type { Evidence } from '@keepsake/search'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Asking } from './asked-question.ts'
import { findNames } from './find-names.ts'
import { isMeant } from './gather-told.ts'
import { groupHits, type FoundMemory, type MemoryRanking } from './found-memory.ts'
import { latestTalk } from './latest-talk.ts'
import { narrowRecall } from './narrow-recall.ts'
import { markEnded, placeEndedLower } from './place-ended.ts'
import { LOOKED_AT_FOR_PROPERTY, withPropertyTold } from './property-told.ts'
import { rankByCosine } from './rank-by-cosine.ts'
import { rankByModel } from './rank-by-model.ts'
import { betweenParts } from './read-in-part.ts'

/** Hits a memory can have: its turns. Searching for this many times the limit finds enough memories. */
const HITS_A_MEMORY = 3
const SPARE_HITS = 20
/** Candidates judged by exact cosine where a preset ranks by it. */
const COSINE_CANDIDATES = 200

/**
 * Finds and ranks the memories that bear on a question.
 *
 * @param seen the person's cache, where it was asked for a moment ago
 */
export async function rankMemories(asking: Asking, seen?: UserState): Promise<MemoryRanking> {
  const { engine, resolved, asked, options } = asking
  const { ranking, use } = engine.preset
  if (ranking.kind === 'whole') return latestTalk(asking)
  const known = seen ?? (await engine.users.load(resolved.owner))
  const read = readQuestionFor(known.index, asked.text, {
    now: asked.now,
    offsetMinutes: zoneOffset(asked.timeZone, asked.now),
    names: await findNames(asking, known),
    ...(asked.speaker === null ? {} : { asker: asked.speaker }),
  })
  await betweenParts(asked.text)
  const [vector = null] = await engine.embedding.embed([read.about], options)
  const judgedBy = await narrowRecall(asking, known)
  const waited = await betweenParts(asked.text)
  // Asked for again after waiting: in between it may have been dropped, or have grown.
  const asksElsewhere = engine.embedding.embedNow === undefined || judgedBy !== undefined
  const cache = waited || asksElsewhere ? await engine.users.load(resolved.owner) : known
  const wanted = Math.max(asked.limit, use.first + use.second)
  const isByCosine = ranking.kind === 'cosine'
  const result = searchIndex(cache.index, { read, vector }, isByCosine ? COSINE_ONLY : ranking.recipe, {
    limit: isByCosine ? COSINE_CANDIDATES : wanted * HITS_A_MEMORY + SPARE_HITS,
    now: asked.now,
    scopes: new Set(resolved.scopes),
    asOf: asked.asOf ?? undefined,
    accepts: judgedBy?.(cache),
  })
  const readsMore = ranking.kind === 'hybrid' && ranking.recipe.readsOtherWords === true
  const property = readsMore ? readLeadingProperty(asked.text) : null
  const found = groupHits(engine, cache, result.hits, {
    most: isOrdered(engine)
      ? Math.max(wanted, property === null ? 0 : LOOKED_AT_FOR_PROPERTY)
      : Number.POSITIVE_INFINITY,
    isMeant: (memory) => !tellsOfRequest(memory) || asksOfRequests(asked.text),
  })
  const isOfPast = read.ranges.length > 0 || asksPast(asked.text)
  const at = asked.asOf ?? asked.now
  const current = isOfPast ? markEnded(found, cache, at) : placeEndedLower(found, cache, at)
  const told = property === null ? current : await withPropertyTold(asking, property, current)
  const scored = vector === null ? told : await rankByCosine(asking, cache, told, vector)
  const ordered = await rankByModel(asking, scored)
  const fillsUp = ranking.kind === 'hybrid' && ranking.fillsUp === true
  const memories = fillsUp ? [...ordered, ...restOf(asking, cache, ordered)] : ordered
  const sessions = result.sessions.map(({ session, score }) => ({ session, score }))
  const sure = await sureOf(asking, cache, result.evidence)
  const relevances = memories.flatMap(({ relevance }) => relevance ?? [])
  const confidence = relevances.length === 0 ? sure : confidenceWith(sure, Math.max(...relevances))
  return { memories: memories.slice(0, wanted), sessions, confidence }
}

/** Whether the index has the last word on the order: those that it finds further down come no higher. */
function isOrdered({ preset: { ranking }, reranking }: Engine): boolean {
  return ranking.kind === 'hybrid' && ranking.fillsUp !== true && reranking === null
}

/** Live memories that were not found, the latest learned first, behind all that were. */
function restOf(asking: Asking, cache: UserState, found: readonly FoundMemory[]): FoundMemory[] {
  const known = new Set(found.map(({ memory }) => memory.id))
  const last = Math.min(0, found.at(-1)?.score ?? 0)
  return [...cache.listMemories({ scopes: new Set(asking.resolved.scopes), statuses: ['live'] })]
    .filter((memory) => !known.has(memory.id) && isListed(asking, memory))
    .sort((one, other) => other.learnedAt - one.learnedAt)
    .map((memory, place) => {
      const score = last - 1 - place
      return { memory, score, parts: { listed: score }, turns: new Map(), pending: false }
    })
}

/** Whether a live memory that was not found is told all the same: one of the forms that are recalled, which said something at the time asked about. */
function isListed(asking: Asking, memory: Memory): boolean {
  const { form, validFrom, validUntil, past } = memory
  const isRecalled = form === 'note' || asking.engine.preset.recalls.includes(form)
  if (!isRecalled || !isMeant(asking, memory)) return false
  const at = asking.asked.asOf ?? asking.asked.now
  const held = [{ validFrom, validUntil }, ...(asking.asked.asOf === null ? [] : past)]
  return held.some((one) => one.validFrom <= at && (one.validUntil === null || one.validUntil > at))
}

/** How sure the finding is, once the words of what comes first are read, where these can tell. */
async function sureOf({ asked, turns }: Asking, cache: UserState, evidence: Evidence): Promise<number> {
  const wanted = readWanted(asked.text)
  const said = isToldByAnyWords(wanted) ? null : await turns.read(turnsAmong(cache, evidence))
  const textOf = (id: string): string => said?.get(id)?.text ?? cache.memories.get(id)?.text ?? ''
  const holds = (word: string): boolean => cache.index.turnsWith(findTerms(word)).length > 0
  return measureConfidence(readConfidenceTraits(asked.text, evidence, { textOf, holds }, wanted))
}

/** The turns among what comes first, and those just before them. */
function turnsAmong(cache: UserState, { likely }: Evidence): string[] {
  const ids = likely.flatMap(({ id, before }) => (before === null ? [id] : [id, before]))
  return ids.filter((id) => cache.turns.get(id) !== undefined)
}
