// Chooses the unread rounds that a fact branch reads next.
import { isByModel } from '../extraction/extractor.ts'
import type { FactBranch } from '../presets/preset.ts'
import { roundsOf, type Round } from '../turns/rounds.ts'
import type { Turn } from '../turns/turn.ts'

/** Maximum number of rounds that rules read at once. */
const MAX_ROUNDS_BY_RULES = 10
/** Maximum number of rounds of an ended session that a model reads at once. */
const MAX_ROUNDS_OF_SESSION = 30
/** Maximum number of unread turns that are considered. A long session fits, so that it can be cut evenly. */
export const MAX_TURNS = 128
/** An ongoing session is cut when its unread rounds exceed a segment by this share, so that no short segment remains. */
const EXCESS_SHARE = 0.5

/** The rounds that a fact branch reads next. */
interface FactWindow {
  readonly rounds: readonly Round[]
  /** The progress of the branch after these rounds, as the position of a turn. */
  readonly to: number
}

interface UnreadTurns {
  readonly turns: readonly Turn[]
  /** Whether all these turns are read, because their session ends. */
  readonly isEnding: boolean
  /** Whether more unread turns may follow. */
  readonly isFull: boolean
}

/** Returns the rounds to read next; `null` if there are too few. When a session ends, all its rounds are read. */
export function cutFactWindow(
  unread: readonly Turn[],
  branch: FactBranch,
  endingSession: string | null,
): FactWindow | null {
  const lastOfEnding =
    endingSession === null ? -1 : unread.findLastIndex((turn) => turn.session === endingSession)
  const turns = lastOfEnding >= 0 ? unread.slice(0, lastOfEnding + 1) : unread
  // If the turns of the ending session are beyond the maximum, the turns before them are read first.
  const isBeforeEnding = endingSession !== null && unread.length === MAX_TURNS
  const unreadTurns = {
    turns,
    isEnding: lastOfEnding >= 0 || isBeforeEnding,
    isFull: turns.length === MAX_TURNS,
  }
  const { every, isEven } = branch
  return isEven === true && every !== 'session-end'
    ? cutEvenly(unreadTurns, every.rounds)
    : cutByCadence(unreadTurns, branch)
}

/** Cuts as many rounds as the branch reads at once. */
function cutByCadence({ turns, isEnding, isFull }: UnreadTurns, branch: FactBranch): FactWindow | null {
  const { rounds, waiting } = roundsOf(turns, 'answer', { flush: isEnding })
  const { minRounds, maxRounds } = cadenceOf(branch, isEnding)
  const chosen = rounds.slice(0, maxRounds)
  if (chosen.length === 0) return isFull ? { rounds: [], to: turns.at(-1)?.position ?? 0 } : null
  const waitsForSessionEnd = minRounds === Number.POSITIVE_INFINITY
  if (waitsForSessionEnd || (chosen.length < minRounds && !isFull)) return null
  return windowOf(chosen, turns, chosen.length === rounds.length && waiting.length === 0)
}

/** Returns how many rounds the branch waits for, and how many it reads at once. */
function cadenceOf(
  { every, extractor }: FactBranch,
  isEnding: boolean,
): { minRounds: number; maxRounds: number } {
  if (every === 'session-end') {
    const maxRounds = isByModel(extractor) ? MAX_ROUNDS_OF_SESSION : MAX_ROUNDS_BY_RULES
    return { minRounds: isEnding ? 1 : Number.POSITIVE_INFINITY, maxRounds }
  }
  const { rounds } = every
  // The cadence limits the cost of a model. Rules may read more rounds at once.
  const maxRounds = isByModel(extractor) ? rounds : Math.max(rounds, MAX_ROUNDS_BY_RULES)
  return { minRounds: isEnding ? 1 : rounds, maxRounds }
}

/** Cuts each session into segments of similar length. Interleaved sessions are read together. */
function cutEvenly({ turns, isEnding, isFull }: UnreadTurns, maxRounds: number): FactWindow | null {
  const lastOfFirstSession = turns.findLastIndex((turn) => turn.session === turns[0]?.session)
  const sessionTurns = turns.slice(0, lastOfFirstSession + 1)
  const isSessionComplete = isEnding || sessionTurns.length < turns.length
  const { rounds, waiting } = roundsOf(sessionTurns, 'answer', { flush: isSessionComplete })
  const minRounds = maxRounds + Math.floor(maxRounds * EXCESS_SHARE)
  const isDue = isEnding || isFull || roundsOf(turns, 'answer').rounds.length >= minRounds
  if (!isDue || (rounds.length === 0 && !isSessionComplete && !isFull)) return null
  const segmentCount = Math.max(1, Math.ceil(rounds.length / maxRounds))
  const chosen = rounds.slice(0, Math.ceil(rounds.length / segmentCount))
  return windowOf(chosen, sessionTurns, chosen.length === rounds.length && waiting.length === 0)
}

/** Makes a window of rounds. @param hasAllTurns whether the rounds contain all turns that can belong to a round */
function windowOf(rounds: readonly Round[], turns: readonly Turn[], hasAllTurns: boolean): FactWindow {
  const last = hasAllTurns || rounds.length === 0 ? turns.at(-1) : rounds.at(-1)?.turns.at(-1)
  return { rounds, to: last?.position ?? 0 }
}
