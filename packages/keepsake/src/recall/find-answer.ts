import {
  asksAdvice,
  asksChange,
  asksOfAgent,
  readKind,
  readTimeRanges,
  withPronouns,
  zoneOffset,
  type QuestionKind,
  type TimeRange,
} from '@keepsake/text'
import { withPart } from '../retrieval/score.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory, MemoryRanking } from './found-memory.ts'
import { findNames } from './find-names.ts'
import { withFollowUps } from './follow-ups.ts'
import { gatherOverview } from './gather-overview.ts'
import { gatherAround, gatherLastTalk, gatherTimes } from './gather-times.ts'
import { withOwnValue } from './own-value.ts'
import { rankMemories } from './rank-memories.ts'
import { betweenParts } from './read-in-part.ts'

/** What was found, and how it is to be told. */
export interface FoundAnswer extends MemoryRanking {
  /** `answer`: a question's, the likeliest first. `told`: of a person, a talk or a time, the most telling first. */
  readonly as: 'answer' | 'told'
  /** Whether one line could not answer it: it asks for two states of a thing, or of a time in which something was said. */
  readonly isWide: boolean
}

/** Memories looked at for a context, beside those handed out: short lines of what ranks further down. */
const LOOKED_AT = 24
/** The same where all of the budget is filled with statements: turns are found beside them. */
const LOOKED_AT_FOR_STATEMENTS = 80
/** An overview or a time of which so much was said is known as surely as can be. */
const ENOUGH_TOLD = 4
const SURE = 0.95

/** Of a matter, what the search finds best comes after what was gathered by its cues. */
const BESIDE_TOLD = 12
const NEAREST_SHARE = 0.9
/** What was said in the time asked about, and was not found, counts as much as so much of the best that was. */
const TIME_SHARE = 0.7

/** How sure it is that there is something to tell: each thing told makes it surer. */
function sureOf(told: number): number {
  return SURE * Math.min(1, 0.5 + told / (2 * ENOUGH_TOLD))
}

async function search(asking: Asking, cache: UserState): Promise<MemoryRanking> {
  const { asked, engine } = asking
  const looked = engine.preset.context === 'statements' ? LOOKED_AT_FOR_STATEMENTS : LOOKED_AT
  return rankMemories({ ...asking, asked: { ...asked, limit: Math.max(asked.limit, looked) } }, cache)
}

async function gather(
  asking: Asking,
  cache: UserState,
  kind: QuestionKind,
  ranges: readonly TimeRange[],
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
export async function findAnswer(asking: Asking, cache: UserState): Promise<FoundAnswer> {
  const { asked } = asking
  const names = await findNames(asking, cache)
  const text = withPronouns(asked.text, { ...names, agent: [] })
  const ranges = readTimeRanges(text, asked.now, zoneOffset(asked.timeZone, asked.now))
  const kind = readKind(text, ranges)
  const told = await gather(asking, cache, kind, ranges)
  await betweenParts(asked.text)
  const ranking = await search(asking, cache)
  if (told.length === 0) {
    const leads = asksChange(text) || asksOfAgent(text) || asksAdvice(withPronouns(asked.text, names))
    const memories = leads ? await withFollowUps(asking, ranking.memories) : ranking.memories
    return withOwnValue(asking, cache, await answerOf(asking, cache, { ...ranking, memories }, ranges))
  }
  const confidence = Math.max(ranking.confidence, sureOf(told.length))
  const isOfMatters = kind.kind === 'overview' && !kind.matters.includes('person')
  const memories = isOfMatters ? together(told, nearest(ranking.memories)) : told
  return { memories, sessions: ranking.sessions, confidence, as: 'told', isWide: true }
}

/** Those that come near the best. */
function nearest(ranked: readonly FoundMemory[]): FoundMemory[] {
  const best = ranked[0]?.score ?? 0
  return ranked.slice(0, BESIDE_TOLD).filter(({ score }) => score >= NEAREST_SHARE * best)
}

/** One ranking after another, each memory once. Scores keep falling. */
function together(first: readonly FoundMemory[], then: readonly FoundMemory[]): FoundMemory[] {
  const known = new Set(first.map(({ memory }) => memory.id))
  const last = first.at(-1)?.score ?? 0
  const rest = then.filter(({ memory }) => !known.has(memory.id))
  const fall = (one: FoundMemory, place: number): FoundMemory =>
    withPart(one, 'told', last / (2 + place) - one.score)
  return [...first, ...rest.map(fall)]
}

/** What the search found. Where a question names a time, what else was said then comes with it, for the room that is left. */
async function answerOf(
  asking: Asking,
  cache: UserState,
  ranking: MemoryRanking,
  ranges: readonly TimeRange[],
): Promise<FoundAnswer> {
  const found = { ...ranking, as: 'answer', isWide: asksChange(asking.asked.text) } as const
  if (ranges.length === 0) return found
  const best = ranking.memories[0]?.score ?? 0
  const known = new Set(ranking.memories.map(({ memory }) => memory.id))
  const said = (await gatherTimes(asking, cache, ranges)).filter(({ memory }) => !known.has(memory.id))
  const beside = said.map((one) => withPart(one, 'told', TIME_SHARE * best - one.score))
  const memories = [...ranking.memories, ...beside].sort((one, other) => other.score - one.score)
  return { ...found, memories, isWide: found.isWide || said.length > 0 }
}
