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

/** Groups turns into numbered rounds, without turns of tools and the system. With `flush`, incomplete last turns make a round too. */
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

/** The order in a pair. `answer`: the agent's turn, then the user's (as in LUFY). `reply`: the user's, then the agent's (MemoryBank). */
export type PairOrder = 'answer' | 'reply'

/** The turns of one pair, in order; at least one. */
type TurnPair = readonly Turn[]

interface Pairing {
  readonly pairs: readonly TurnPair[]
  /** Turns whose pair is not complete. Pass them again, before the turns that follow. */
  readonly waiting: readonly Turn[]
}

/** Pairs turns. Every user turn has a pair. A pair ends with its session, or with `flush`. Turns of incomplete pairs are `waiting`. */
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
