import type { Memory } from '../memories/memory.ts'
import { withPart } from '../retrieval/score.ts'
import type { MemoryFilter, UserState } from '../user-state/user-state.ts'
import { turnsOf } from '../work/read-memories.ts'
import type { FoundMemory } from './found-memory.ts'

/** What is over answers only questions about the past: it stands behind what is still so. */
const ENDED_SHARE = 0.25
/** By how much the words of what is over stay behind what came in its place. */
const BEHIND = 1e-6

const isOver = ({ validUntil }: Memory, at: number): boolean => validUntil !== null && validUntil <= at

/**
 * The same with what is over behind what is still so: statements that ended lose a share of their score, and the words in which they were
 * told stand behind the statement that came in their place, where both were found.
 */
export function placeEndedLower(found: readonly FoundMemory[], cache: UserState, at: number): FoundMemory[] {
  const lowered = found.map((one) =>
    isOver(one.memory, at) ? withPart(one, 'ended', -ENDED_SHARE * Math.abs(one.score)) : one,
  )
  const ranked = withFollowing(lowered, cache, at, (one, followed) => {
    const least = Math.min(...followed.map(({ score }) => score))
    const changed = markChanged(one, followed)
    return least <= one.score ? withPart(changed, 'ended', least - BEHIND - one.score) : changed
  })
  return ranked.sort((one, other) => other.score - one.score)
}

/** The same in their order, with the words marked that told what is no longer so. */
export function markEnded(found: readonly FoundMemory[], cache: UserState, at: number): FoundMemory[] {
  return withFollowing(found, cache, at, markChanged)
}

function markChanged(one: FoundMemory, followed: readonly FoundMemory[]): FoundMemory {
  return { ...one, changed: Math.max(...followed.map(({ memory }) => memory.validFrom)) }
}

/** What may be of a matter: talk and the story have no key. */
const LIVE_STATEMENTS: MemoryFilter = { forms: ['fact', 'note', 'summary', 'portrait'], statuses: ['live'] }

const matterOf = ({ subject, key }: Memory): string => `${subject}/${key}`

/** What was found, with those words changed that told what something else came in place of. */
function withFollowing(
  found: readonly FoundMemory[],
  cache: UserState,
  at: number,
  change: (one: FoundMemory, followed: readonly FoundMemory[]) => FoundMemory,
): FoundMemory[] {
  const current = new Map<string, FoundMemory>()
  const ended = new Set<string>()
  for (const one of found) {
    const { memory } = one
    if (memory.form !== 'fact' || memory.key === null) continue
    if (isOver(memory, at)) ended.add(memory.id)
    else if (!current.has(matterOf(memory))) current.set(matterOf(memory), one)
  }
  if (current.size === 0) return [...found]
  return found.map((one) => {
    const isTalk = one.memory.form === 'utterance'
    const followed = isTalk ? whatFollowed(one.memory, cache, { current, ended }) : []
    return followed.length === 0 ? one : change(one, followed)
  })
}

/** Statements that came in place of what a turn told: of those that ended and were found, or that said something else before. */
function whatFollowed(
  utterance: Memory,
  cache: UserState,
  {
    current,
    ended,
  }: { readonly current: ReadonlyMap<string, FoundMemory>; readonly ended: ReadonlySet<string> },
): FoundMemory[] {
  const turns = new Set(turnsOf(utterance))
  return [...turns].flatMap((turn) =>
    [...cache.memoriesOfTurn(turn, LIVE_STATEMENTS)].flatMap((told): FoundMemory[] => {
      const follows = current.get(matterOf(told))
      if (follows === undefined) return []
      if (follows.memory.evidence.some((one) => turns.has(one.turn))) return []
      return ended.has(told.id) || follows.memory.id === told.id ? [follows] : []
    }),
  )
}
