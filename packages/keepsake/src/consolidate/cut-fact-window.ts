import type { FactBranch } from '../presets/preset.ts'
import { roundsOf, type Round } from '../turns/rounds.ts'
import type { Turn } from '../turns/turn.ts'

/** Maximum number of rounds per segment if the cadence allows any number. */
const ROUNDS_AT_A_TIME = 10
/** Maximum number of rounds of an ended session that a model reads at once. */
const ROUNDS_OF_A_SESSION = 30
/** Covers a long session, so that it can be cut evenly. */
export const TURNS_AT_A_TIME = 128
/** An ongoing session is cut once the unread rounds exceed a segment by this share, so that no tiny rest remains. */
const MORE_THAN_A_SCRAP = 0.5

/** The rounds that a fact branch reads next. */
export interface FactWindow {
  readonly rounds: readonly Round[]
  /** Position up to which everything is read when these rounds are. */
  readonly to: number
}

interface Waiting {
  readonly turns: readonly Turn[]
  /** Their session ends, so all of them are read. */
  readonly isEnding: boolean
  /** More unread turns may follow. */
  readonly isFull: boolean
}

/** Returns the next rounds to read, or `null` if there are too few. When a session ends, its rest is read. */
export function cutFactWindow(
  unread: readonly Turn[],
  branch: FactBranch,
  endingSession: string | null,
): FactWindow | null {
  const lastOfEnding =
    endingSession === null ? -1 : unread.findLastIndex((turn) => turn.session === endingSession)
  const turns = lastOfEnding >= 0 ? unread.slice(0, lastOfEnding + 1) : unread
  // Earlier sessions that never ended are read before the ending session.
  const isOnTheWay = endingSession !== null && unread.length === TURNS_AT_A_TIME
  const isEnding = lastOfEnding >= 0 || isOnTheWay
  const waiting = { turns, isEnding, isFull: turns.length === TURNS_AT_A_TIME }
  const { every, isEven } = branch
  return isEven === true && every !== 'session-end'
    ? cutEvenly(waiting, every.rounds)
    : cutByCadence(waiting, branch)
}

function cutByCadence({ turns, isEnding, isFull }: Waiting, branch: FactBranch): FactWindow | null {
  const { rounds, waiting } = roundsOf(turns, 'answer', { flush: isEnding })
  const { most, least } = cadenceOf(branch, isEnding)
  const taken = rounds.slice(0, most)
  if (taken.length === 0) return isFull ? { rounds: [], to: turns.at(-1)?.position ?? 0 } : null
  if (least === Number.POSITIVE_INFINITY || (taken.length < least && !isFull)) return null
  return windowOf(taken, turns, taken.length === rounds.length && waiting.length === 0)
}

function cadenceOf(branch: FactBranch, isEnding: boolean): { most: number; least: number } {
  const isByModel = branch.extractor.prompt !== undefined
  if (branch.every === 'session-end') {
    const most = isByModel ? ROUNDS_OF_A_SESSION : ROUNDS_AT_A_TIME
    return { most, least: isEnding ? 1 : Number.POSITIVE_INFINITY }
  }
  const { rounds } = branch.every
  // Rules read any number of rounds. For a model the cadence determines the cost.
  const most = isByModel ? rounds : Math.max(rounds, ROUNDS_AT_A_TIME)
  return { most, least: isEnding ? 1 : rounds }
}

/** Cuts each session into segments of similar length. Interleaved sessions are read together. */
function cutEvenly({ turns, isEnding, isFull }: Waiting, most: number): FactWindow | null {
  const own = turns.findLastIndex((turn) => turn.session === turns[0]?.session)
  const run = turns.slice(0, own + 1)
  const isOver = isEnding || run.length < turns.length
  const { rounds, waiting } = roundsOf(run, 'answer', { flush: isOver })
  const isDue =
    isEnding ||
    isFull ||
    roundsOf(turns, 'answer').rounds.length >= most + Math.floor(most * MORE_THAN_A_SCRAP)
  if (!isDue || (rounds.length === 0 && !isOver && !isFull)) return null
  const segments = Math.max(1, Math.ceil(rounds.length / most))
  const taken = rounds.slice(0, Math.ceil(rounds.length / segments))
  return windowOf(taken, run, taken.length === rounds.length && waiting.length === 0)
}

function windowOf(rounds: readonly Round[], turns: readonly Turn[], isAll: boolean): FactWindow {
  const end = isAll || rounds.length === 0 ? turns.at(-1) : rounds.at(-1)?.turns.at(-1)
  return { rounds, to: end?.position ?? 0 }
}
