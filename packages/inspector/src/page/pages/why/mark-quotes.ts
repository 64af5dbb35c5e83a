// Groups the evidence of a memory into passages of the conversation, and marks the quotes in them.
import type { Memory, Turn } from '@keepsake/client'

/** Maximum number of turns between two evidence turns that are shown as one passage. */
const MAX_GAP = 2
/** Maximum number of evidence turns in a passage. */
const MAX_TURNS = 2

/** A part of the conversation with evidence. */
export interface Passage {
  /** The turn around which the conversation is shown. */
  readonly first: string
  /** Supporting quotes by turn; the whole turn is evidence if the list is empty. */
  readonly quotes: ReadonlyMap<string, readonly string[]>
  /** Turns that contradict the memory. */
  readonly against: ReadonlySet<string>
}

/** Groups evidence by passage, in order. Deleted turns have no passage. */
export function groupEvidence(evidence: Memory['evidence'], turns: readonly Turn[]): readonly Passage[] {
  const against = new Set(evidence.flatMap((one) => (one.against === true ? [one.turn] : [])))
  const quotesOf = Map.groupBy(evidence, ({ turn }) => turn)
  const inOrder = turns.toSorted(
    (one, other) => one.at.localeCompare(other.at) || one.position - other.position,
  )
  const passages: { first: string; last: Turn; quotes: Map<string, readonly string[]> }[] = []
  for (const turn of inOrder) {
    const quotes = (quotesOf.get(turn.id) ?? []).flatMap(({ quote }) => quote ?? [])
    const before = passages.at(-1)
    const isNear =
      before !== undefined &&
      before.last.session === turn.session &&
      turn.position - before.last.position <= MAX_GAP &&
      before.quotes.size < MAX_TURNS
    if (isNear) {
      before.quotes.set(turn.id, quotes)
      before.last = turn
    } else passages.push({ first: turn.id, last: turn, quotes: new Map([[turn.id, quotes]]) })
  }
  return passages.map(({ first, quotes }) => ({ first, quotes, against }))
}

export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** Splits a text and marks each quote's first occurrence. Without quotes it marks the whole text. */
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
  // Ignores case only if the lower-case text has the same length, since positions must not change.
  return lower.length === text.length ? lower.indexOf(quote.toLowerCase()) : -1
}
