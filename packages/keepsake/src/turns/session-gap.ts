/**
 * Whether a turn opens a new session because of the silence before it.
 *
 * A turn that arrives late (earlier than the last one) ends no session: nothing is known of a silence.
 *
 * @param lastAt time of the session's latest turn, milliseconds since 1970
 * @param at time of the turn
 * @param gapMs the longest silence within a session, in milliseconds; `Infinity` never splits
 *
 * @example
 * isNewSession(0, 31 * 60_000, 30 * 60_000) // true
 */
export function isNewSession(lastAt: number, at: number, gapMs: number): boolean {
  return at - lastAt > gapMs
}
