import { pairTurns, type PairOrder, type TurnPair } from './pair-turns.ts'
import type { Turn } from './turn.ts'

/** A user turn and the agent's turn that goes with it, numbered from 1 within the scope. */
export interface Round {
  readonly number: number
  readonly turns: TurnPair
}

export interface Rounds {
  readonly rounds: readonly Round[]
  readonly waiting: readonly Turn[]
}

/**
 * Numbers the complete rounds of a run of turns. Turns of tools and the system belong to no round.
 *
 * @param options.first number of the first round, at least 1
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
