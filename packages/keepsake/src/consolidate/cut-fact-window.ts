import type { FactBranch } from '../presets/preset.ts'
import { roundsOf, type Round } from '../turns/rounds.ts'
import type { Turn } from '../turns/turn.ts'

/** Maximum number of rounds that rules read at once. */
const MAX_ROUNDS_BY_RULES = 10
/** Maximum number of rounds of an ended session that a model reads at once. */
const MAX_ROUNDS_OF_SESSION = 30
/** Maximum number of unread turns that are looked at: a long session, so that it can be cut evenly. */
export const MAX_TURNS = 128
/** An ongoing session is cut when the unread rounds exceed a segment by this share, so that no tiny rest remains. */
const EXCESS_SHARE = 0.5

/** The rounds that a fact branch reads next. */
interface FactWindow {
  readonly rounds: readonly Round[]
  /** Position of the last turn that counts as read after these rounds. */
  readonly to: number
}

/** Unread turns that may be cut. */
interface UnreadTurns {
  readonly turns: readonly Turn[]
  /** Whether their session ends, so that all of them are read. */
  readonly isEnding: boolean
  /** Whether more unread turns may follow. */
  readonly isFull: boolean
}

/** Returns the rounds to read next; `null` if there are too few. When a session ends, its rest is read. */
export function cutFactWindow(
  unread: readonly Turn[],
  branch: FactBranch,
  endingSession: string | null,
): FactWindow | null {
  const lastOfEnding =
    endingSession === null ? -1 : unread.findLastIndex((turn) => turn.session === endingSession)
  const turns = lastOfEnding >= 0 ? unread.slice(0, lastOfEnding + 1) : unread
  // Earlier sessions that did not end are read before the one that ends.
  const isBeforeEnding = endingSession !== null && unread.length === MAX_TURNS
  const given = {
    turns,
    isEnding: lastOfEnding >= 0 || isBeforeEnding,
    isFull: turns.length === MAX_TURNS,
  }
  const { every, isEven } = branch
  return isEven === true && every !== 'session-end'
    ? cutEvenly(given, every.rounds)
    : cutByCadence(given, branch)
}

/** Cuts as many rounds as the branch reads at once. */
function cutByCadence({ turns, isEnding, isFull }: UnreadTurns, branch: FactBranch): FactWindow | null {
  const { rounds, waiting } = roundsOf(turns, 'answer', { flush: isEnding })
  const { most, least } = cadenceOf(branch, isEnding)
  const taken = rounds.slice(0, most)
  if (taken.length === 0) return isFull ? { rounds: [], to: turns.at(-1)?.position ?? 0 } : null
  if (least === Number.POSITIVE_INFINITY || (taken.length < least && !isFull)) return null
  return windowOf(taken, turns, taken.length === rounds.length && waiting.length === 0)
}

function cadenceOf({ every, extractor }: FactBranch, isEnding: boolean): { most: number; least: number } {
  const isByModel = extractor.prompt !== undefined
  if (every === 'session-end') {
    const most = isByModel ? MAX_ROUNDS_OF_SESSION : MAX_ROUNDS_BY_RULES
    return { most, least: isEnding ? 1 : Number.POSITIVE_INFINITY }
  }
  const { rounds } = every
  // Rules read any number of rounds. For a model the cadence determines the cost.
  const most = isByModel ? rounds : Math.max(rounds, MAX_ROUNDS_BY_RULES)
  return { most, least: isEnding ? 1 : rounds }
}

/** Cuts each session into segments of similar length. Interleaved sessions are read together. */
function cutEvenly({ turns, isEnding, isFull }: UnreadTurns, most: number): FactWindow | null {
  const lastOfFirst = turns.findLastIndex((turn) => turn.session === turns[0]?.session)
  const ofSession = turns.slice(0, lastOfFirst + 1)
  const isOver = isEnding || ofSession.length < turns.length
  const { rounds, waiting } = roundsOf(ofSession, 'answer', { flush: isOver })
  const minRounds = most + Math.floor(most * EXCESS_SHARE)
  const isDue = isEnding || isFull || roundsOf(turns, 'answer').rounds.length >= minRounds
  if (!isDue || (rounds.length === 0 && !isOver && !isFull)) return null
  const segments = Math.max(1, Math.ceil(rounds.length / most))
  const taken = rounds.slice(0, Math.ceil(rounds.length / segments))
  return windowOf(taken, ofSession, taken.length === rounds.length && waiting.length === 0)
}

function windowOf(rounds: readonly Round[], turns: readonly Turn[], isAll: boolean): FactWindow {
  const last = isAll || rounds.length === 0 ? turns.at(-1) : rounds.at(-1)?.turns.at(-1)
  return { rounds, to: last?.position ?? 0 }
}
