/** A piece of a text. */
export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/**
 * A text in pieces, so that the words quoted from it are marked: wherever each is first found, in any case. All of the text is
 * marked where nothing is quoted, and nothing where none of the quotes is in it.
 *
 * @example
 * markQuotes('I moved to Lyon.', ['moved to Lyon'])
 * // [{ text: 'I ', isMarked: false }, { text: 'moved to Lyon', isMarked: true }, { text: '.', isMarked: false }]
 */
export function markQuotes(text: string, quotes: readonly string[]): readonly Piece[] {
  if (quotes.length === 0) return [{ text, isMarked: true }]
  const marked = Array.from({ length: text.length }, () => false)
  for (const quote of quotes) {
    const from = findQuote(text, quote)
    if (from >= 0) marked.fill(true, from, from + quote.length)
  }
  const pieces: { text: string; isMarked: boolean }[] = []
  for (let at = 0; at < text.length; at++) {
    const isMarked = marked[at] === true
    const last = pieces.at(-1)
    if (last?.isMarked === isMarked) last.text += text.charAt(at)
    else pieces.push({ text: text.charAt(at), isMarked })
  }
  return pieces
}

function findQuote(text: string, quote: string): number {
  if (quote === '') return -1
  const exactly = text.indexOf(quote)
  if (exactly >= 0) return exactly
  const lower = text.toLowerCase()
  // Only where lower case has the same length: positions would differ otherwise.
  return lower.length === text.length ? lower.indexOf(quote.toLowerCase()) : -1
}
