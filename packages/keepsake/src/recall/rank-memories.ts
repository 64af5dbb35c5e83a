import { asksOfRequests, tellsOfRequest } from '../memories/kept-request.ts'
import { asksPast } from '../retrieval/asks-past.ts'
import { confidenceWith, measureConfidence, readConfidenceTraits } from '../retrieval/measure-confidence.ts'
import { COSINE_ONLY } from '../retrieval/retrieval-recipe.ts'
import { withPart } from '../retrieval/score.ts'
import type { Evidence } from '../retrieval/weigh-evidence.ts'
import { zoneOffset } from '../text/time/zone-offset.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import type { Asking } from './asked-question.ts'
import { findNames } from './find-names.ts'
import { groupHits, type FoundMemory, type MemoryRanking } from './found-memory.ts'
import { latestTalk } from './latest-talk.ts'
import { narrowRecall } from './narrow-recall.ts'
import { rankByCosine } from './rank-by-cosine.ts'
import { rankByModel } from './rank-by-model.ts'

/** Hits a memory can have: its turns. Searching for this many times the limit finds enough memories. */
const HITS_A_MEMORY = 3
const SPARE_HITS = 20
/** Candidates judged by exact cosine where a preset ranks by it. */
const COSINE_CANDIDATES = 200

/** What is over answers only questions about the past: it stands behind what is still so. */
const ENDED_SHARE = 0.25

function placeEndedLower(found: readonly FoundMemory[], at: number): FoundMemory[] {
  const ranked = found.map((one) => {
    const { validUntil } = one.memory
    const isOver = validUntil !== null && validUntil <= at
    return isOver ? withPart(one, 'ended', -ENDED_SHARE * Math.abs(one.score)) : one
  })
  return ranked.sort((one, other) => other.score - one.score)
}

/** Finds and ranks the memories that bear on a question. */
export async function rankMemories(asking: Asking): Promise<MemoryRanking> {
  const { engine, resolved, asked, options } = asking
  const { ranking, use } = engine.preset
  if (ranking.kind === 'whole') return latestTalk(asking)
  const known = await engine.caches.get(resolved.owner)
  const read = known.index.readQuestion(asked.text, {
    now: asked.now,
    offsetMinutes: zoneOffset(asked.timeZone, asked.now),
    names: findNames(resolved, known),
    ...(asked.speaker === null ? {} : { asker: asked.speaker }),
  })
  const [vector = null] = await engine.embedding.embed([read.about], options)
  const judgedBy = await narrowRecall(asking, known)
  // Asked for again after waiting: in between it may have been dropped, or have grown.
  const cache = await engine.caches.get(resolved.owner)
  const wanted = Math.max(asked.limit, use.first + use.second)
  const isByCosine = ranking.kind === 'cosine'
  const result = cache.index.search({ read, vector }, isByCosine ? COSINE_ONLY : ranking.recipe, {
    limit: isByCosine ? COSINE_CANDIDATES : wanted * HITS_A_MEMORY + SPARE_HITS,
    now: asked.now,
    scopes: new Set(resolved.scopes),
    asOf: asked.asOf ?? undefined,
    accepts: judgedBy?.(cache),
  })
  const hits = groupHits(engine, cache, result.hits)
  const found = asksOfRequests(asked.text) ? hits : hits.filter(({ memory }) => !tellsOfRequest(memory))
  const isOfPast = read.ranges.length > 0 || asksPast(asked.text)
  const current = isOfPast ? found : placeEndedLower(found, asked.asOf ?? asked.now)
  const scored = vector === null ? current : await rankByCosine(asking, cache, current, vector)
  const memories = await rankByModel(asking, scored)
  const sessions = result.sessions.map(({ session, score }) => ({ session, score }))
  const sure = await sureOf(asking, cache, result.evidence)
  const relevances = memories.flatMap(({ relevance }) => relevance ?? [])
  const confidence = relevances.length === 0 ? sure : confidenceWith(sure, Math.max(...relevances))
  return { memories: memories.slice(0, wanted), sessions, confidence }
}

/** How sure the finding is, once the words of what comes first are read. */
async function sureOf({ asked, turns }: Asking, cache: OwnerCache, evidence: Evidence): Promise<number> {
  const ids = evidence.likely.map(({ id }) => id)
  const said = await turns.read(ids.filter((id) => cache.turn(id) !== undefined))
  const textOf = (id: string): string => said.get(id)?.text ?? cache.known(id)?.memory.text ?? ''
  return measureConfidence(readConfidenceTraits(asked.text, evidence, textOf))
}
