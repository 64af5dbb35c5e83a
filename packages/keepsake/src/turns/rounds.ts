// Groups turns into rounds: a user's turn with the agent's turn.
import type { Turn } from './turn.ts'

/** A user turn and the agent's turn that goes with it, numbered from 1 within the scope. */
export interface Round {
  readonly number: number
  readonly turns: TurnPair
}

/** The complete rounds of turns. */
export interface Rounds {
  readonly rounds: readonly Round[]
  /** The last turns, whose round is not complete yet. */
  readonly waiting: readonly Turn[]
}

/**
 * Groups turns into rounds and numbers them. Turns of tools and the system belong to no round.
 *
 * @param options.first the number of the first round; 1 when absent
 * @param options.flush whether the last turns make a round, because the session has ended
 */
export function roundsOf(
  turns: readonly Turn[],
  order: PairOrder,
  options: { first?: number; flush?: boolean } = {},
): Rounds {
  const talk = turns.filter((turn) => turn.role !== 'other')
  const { pairs, waiting } = pairTurns(talk, order, { flush: options.flush ?? false })
  const first = options.first ?? 1
  return { rounds: pairs.map((pair, index) => ({ number: first + index, turns: pair })), waiting }
}

/**
 * Which turn of a pair comes first. `answer`: what the agent said, then the user's answer (LUFY). `reply`: the
 * user's turn, then the agent's reply (MemoryBank).
 */
export type PairOrder = 'answer' | 'reply'

/** The turns of one pair, in order; at least one. */
type TurnPair = readonly Turn[]

interface Pairing {
  readonly pairs: readonly TurnPair[]
  /** Turns whose pair is not complete. Pass them again, before the turns that follow. */
  readonly waiting: readonly Turn[]
}

/**
 * Groups turns into pairs. Every user turn has its own pair; turns of tools and the system are pairs of one. A pair ends with its
 * session. Incomplete pairs are returned as `waiting`.
 *
 * @param options.flush closes the last pair, because the session has ended
 *
 * @example
 * pairTurns([agent('Where do you live?'), user('In Lyon.')], 'answer').pairs // one pair of both
 */
export function pairTurns(
  turns: readonly Turn[],
  order: PairOrder,
  options: { flush?: boolean } = {},
): Pairing {
  const pairs: TurnPair[] = []
  let open: Turn[] = []
  const close = (): void => {
    if (open.length > 0) pairs.push(open)
    open = []
  }
  for (const turn of turns) {
    if (open[0] !== undefined && open[0].session !== turn.session) close()
    if (turn.role === 'other') {
      pairs.push([turn])
      continue
    }
    if (order === 'reply' && turn.role === 'user') close()
    open.push(turn)
    if (order === 'answer' && turn.role === 'user') close()
  }
  if (options.flush === true) close()
  return { pairs, waiting: open }
}
