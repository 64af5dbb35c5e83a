import { readKind, type QuestionKind } from '../retrieval/read-kind.ts'
import { withPronouns } from '../retrieval/read-names.ts'
import { readTimeRanges } from '../retrieval/read-time-range.ts'
import { zoneOffset } from '../text/time/zone-offset.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory, MemoryRanking } from './found-memory.ts'
import { findNames } from './find-names.ts'
import { gatherOverview } from './gather-overview.ts'
import { gatherAround, gatherLastTalk, gatherTimes } from './gather-times.ts'
import { rankMemories } from './rank-memories.ts'

/** What was found, and how it is to be told. */
export interface FoundAnswer extends MemoryRanking {
  /** `answer`: a question's, the likeliest first. `told`: of a person, a talk or a time, the most telling first. */
  readonly as: 'answer' | 'told'
}

/** Memories looked at for a context, beside those handed out: short lines of what ranks further down. */
const LOOKED_AT = 40
/** An overview or a time of which so much was said is known as surely as can be. */
const ENOUGH_TOLD = 4
const SURE = 0.95

/** How sure it is that there is something to tell: each thing told makes it surer. */
function sureOf(told: number): number {
  return SURE * Math.min(1, 0.5 + told / (2 * ENOUGH_TOLD))
}

async function search(asking: Asking): Promise<MemoryRanking> {
  const { asked } = asking
  return rankMemories({ ...asking, asked: { ...asked, limit: Math.max(asked.limit, LOOKED_AT) } })
}

async function gather(
  asking: Asking,
  cache: OwnerCache,
  kind: QuestionKind,
  ranges: ReturnType<typeof readTimeRanges>,
): Promise<readonly FoundMemory[]> {
  switch (kind.kind) {
    case 'fact':
      return []
    case 'overview':
      return gatherOverview(asking, cache, kind.matters)
    case 'last-talk':
      return gatherLastTalk(asking, cache)
    case 'time':
      return gatherTimes(asking, cache, ranges)
    case 'around': {
      const { memories } = await rankMemories({ ...asking, asked: { ...asking.asked, text: kind.event } })
      const [event] = memories
      return event === undefined ? [] : gatherAround(asking, cache, event, kind.side)
    }
  }
}

/**
 * Finds what answers a question: by searching, or, where it asks for the whole of a person, a talk or a time, by gathering
 * what tells of it. What cannot be gathered is searched for.
 */
export async function findAnswer(asking: Asking, cache: OwnerCache): Promise<FoundAnswer> {
  const { asked } = asking
  const text = withPronouns(asked.text, { ...findNames(asking.resolved, cache), agent: [] })
  const ranges = readTimeRanges(text, asked.now, zoneOffset(asked.timeZone, asked.now))
  const told = await gather(asking, cache, readKind(text, ranges), ranges)
  const ranking = await search(asking)
  if (told.length === 0) return { ...ranking, as: 'answer' }
  const confidence = Math.max(ranking.confidence, sureOf(told.length))
  return { memories: told, sessions: ranking.sessions, confidence, as: 'told' }
}
