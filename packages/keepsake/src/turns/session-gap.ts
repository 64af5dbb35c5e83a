/**
 * Checks whether the silence before a turn starts a new session; late turns do not.
 *
 * @param lastAt time of the session's latest turn, milliseconds since 1970
 * @param gapMs the longest silence within a session, in milliseconds; `Infinity` never splits
 *
 * @example
 * isNewSession(0, 31 * 60_000, 30 * 60_000) // true
 */
export function isNewSession(lastAt: number, at: number, gapMs: number): boolean {
  return at - lastAt > gapMs
}
