import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** Characters of a question that are read. Nobody types as much: what is longer was pasted. */
export const MOST_READ = 4_000

/**
 * What is read of a question: all of it, and of one longer than {@link MOST_READ} its beginning and its end, half each. What somebody
 * asks of a text that they paste stands before it or behind it; and what a question costs others does not grow with its length.
 *
 * @param most characters kept at most, one more for the line between the halves
 * @example
 * readInPart('What does this say of Ann?\n…a book of a million characters…\nI mean her age.') // its first and last 2,000
 */
export function readInPart(text: string, most = MOST_READ): string {
  if (text.length <= most) return text
  const half = most / 2
  return `${text.slice(0, half)}\n${text.slice(-half)}`
}

/** From so many characters on, reading a question takes milliseconds. What people type is shorter. */
const LONG_FROM = 1_000
/** From so many memories on, so does presenting them. */
const MANY_FROM = 64

/**
 * Lets others go first between the parts of a recall that is much work, as {@link yieldToEventLoop} does: everybody waits for one that does not.
 *
 * @param memories how many it has found, where that is known
 * @returns whether anything was waited for
 */
export async function betweenParts(text: string, memories = 0): Promise<boolean> {
  const isMuch = text.length >= LONG_FROM || memories >= MANY_FROM
  if (isMuch) await yieldToEventLoop()
  return isMuch
}
