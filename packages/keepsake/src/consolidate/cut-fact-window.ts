import type { FactBranch } from '../presets/preset.ts'
import { roundsOf, type Round } from '../turns/rounds.ts'
import type { Turn } from '../turns/turn.ts'

/** Rounds read at a time when the cadence allows any number: the extractor sees a few rounds of context. */
const ROUNDS_AT_A_TIME = 10
/** Rounds of a session that a model reads at once when it is over. */
const ROUNDS_OF_A_SESSION = 30
/** Some thirty rounds with room for rounds of several turns. */
export const TURNS_AT_A_TIME = 64

/** The rounds that a fact branch reads next. */
export interface FactWindow {
  readonly rounds: readonly Round[]
  /** Position up to which everything is read when these rounds are. */
  readonly to: number
}

/** How many rounds make a segment, and whether fewer will do. */
function cadenceOf(
  branch: FactBranch,
  isEnding: boolean,
  leastAtEnd: number,
): { most: number; least: number } {
  const isByModel = branch.extractor.prompt !== undefined
  if (branch.every === 'session-end') {
    const most = isByModel ? ROUNDS_OF_A_SESSION : ROUNDS_AT_A_TIME
    return { most, least: isEnding ? leastAtEnd : Number.POSITIVE_INFINITY }
  }
  const { rounds } = branch.every
  // Rules read any number at a time. A model reads as many as the cadence says, which is what its cost is.
  const most = isByModel ? rounds : Math.max(rounds, ROUNDS_AT_A_TIME)
  return { most, least: isEnding ? Math.min(leastAtEnd, rounds) : rounds }
}

/**
 * The next rounds to read, or `null` while there are too few. The end of a session reads what is left of it, and no
 * further.
 *
 * @param isFirst whether the branch has read nothing of the scope yet
 */
export function cutFactWindow(
  unread: readonly Turn[],
  branch: FactBranch,
  endingSession: string | null,
  isFirst: boolean,
): FactWindow | null {
  const lastOfEnding =
    endingSession === null ? -1 : unread.findLastIndex((turn) => turn.session === endingSession)
  const turns = lastOfEnding >= 0 ? unread.slice(0, lastOfEnding + 1) : unread
  // What stands before the ending session, of sessions nobody ended, is read on the way to it.
  const isOnTheWay = endingSession !== null && unread.length === TURNS_AT_A_TIME
  const isEnding = lastOfEnding >= 0 || isOnTheWay
  const isFull = turns.length === TURNS_AT_A_TIME
  const { rounds, waiting } = roundsOf(turns, 'answer', { flush: isEnding })
  const { most, least } = cadenceOf(branch, isEnding, isFirst ? 1 : (branch.leastAtEnd ?? 1))
  const taken = rounds.slice(0, most)
  if (taken.length === 0) return isFull ? { rounds: [], to: turns.at(-1)?.position ?? 0 } : null
  if (least === Number.POSITIVE_INFINITY || (taken.length < least && !isFull)) return null
  const isAll = taken.length === rounds.length && waiting.length === 0
  const end = isAll ? turns.at(-1) : taken.at(-1)?.turns.at(-1)
  return { rounds: taken, to: end?.position ?? 0 }
}
