import type { Turn } from '../turns/turn.ts'

/**
 * As many turns are kept at hand for the next who asks: all that a person says in some months, so that a question reads no rows. Their
 * bytes count.
 */
const MOST_SAID = 8_192

/** Bytes of a turn with its words on the heap; measured roughly, for the budget. */
export const TURN_BYTES = 800

/** One that is at hand; it stays so for longer than what nobody asked for since. */
export function shared(said: Map<string, Turn>, id: string): Turn | undefined {
  const turn = said.get(id)
  if (turn === undefined || said.size < MOST_SAID) return turn
  said.delete(id)
  said.set(id, turn)
  return turn
}

/** Keeps one at hand, in the place of what nobody asked for the longest. */
export function share(said: Map<string, Turn>, turn: Turn): void {
  said.set(turn.id, turn)
  const [oldest] = said.size > MOST_SAID ? said.keys() : []
  if (oldest !== undefined) said.delete(oldest)
}
