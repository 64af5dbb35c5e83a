import type { Use } from './memory.ts'
import type { NewOperation, Tally, MemoryRef } from './operation.ts'

/**
 * Maximum number of retrieval rounds kept per memory, some 6 kB. MOOM's sum over R (equation 3) is exact up to the
 * 1,001st retrieval; each omitted round would add less than 0.9 / 1,000.
 */
const ROUNDS_KEPT = 1_000

/** The time of an operation, for strengths. */
export type TouchMoment = Pick<NewOperation, 'round' | 'sessionNumber' | 'at'>

export function tallyOf({ rank, tally }: MemoryRef, { round, sessionNumber, at }: TouchMoment): Tally {
  if (tally !== undefined) return tally
  if (rank === 'second')
    return { first: 0, second: 1, rounds: [], secondAt: round, lastSession: 0, lastAt: 0 }
  return { first: 1, second: 0, rounds: [round], lastSession: sessionNumber, lastAt: at }
}

/** Combines two usages in order. */
export function joinTallies(tally: Tally, next: Tally): Tally {
  // A memory used in a round is not suppressed in it.
  const isLifted = typeof tally.secondAt === 'number' && next.rounds.includes(tally.secondAt)
  const secondAt = next.secondAt !== undefined ? next.secondAt : isLifted ? null : tally.secondAt
  return {
    first: tally.first + next.first,
    second: tally.second + next.second,
    rounds: joinRounds(tally.rounds, next.rounds),
    ...(secondAt === undefined ? {} : { secondAt }),
    lastSession: Math.max(tally.lastSession, next.lastSession),
    lastAt: Math.max(tally.lastAt, next.lastAt),
  }
}

/** R is a set of rounds: two retrievals in one count once. */
function joinRounds(rounds: readonly number[], next: readonly number[]): readonly number[] {
  if (next.length === 0) return rounds
  return [...new Set([...rounds, ...next])].slice(-ROUNDS_KEPT)
}

export function countUse(use: Use, tally: Tally): Use {
  const { secondAt, ...otherFields } = use
  const isLifted = tally.secondAt === null || (secondAt !== undefined && tally.rounds.includes(secondAt))
  const suppressed = tally.secondAt ?? (isLifted ? undefined : secondAt)
  return {
    ...otherFields,
    first: use.first + tally.first,
    second: use.second + tally.second,
    rounds: joinRounds(use.rounds, tally.rounds),
    ...(suppressed === undefined ? {} : { secondAt: suppressed }),
    lastSession: Math.max(use.lastSession, tally.lastSession),
    lastAt: Math.max(use.lastAt, tally.lastAt),
  }
}

/** Reverts combined usage. The time of last use stays. */
export function discountUse(use: Use, tally: Tally): Use {
  const { secondAt: _lifted, ...otherFields } = use
  return {
    ...(tally.second > 0 ? otherFields : use),
    first: Math.max(0, use.first - tally.first),
    second: Math.max(0, use.second - tally.second),
    rounds: use.rounds.slice(0, use.rounds.length - tally.rounds.length),
  }
}
