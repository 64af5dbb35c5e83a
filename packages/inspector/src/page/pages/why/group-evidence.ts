import type { Memory, Turn } from '@keepsake/client'

/** Turns this close together are shown as one passage. */
const NEAR = 2

/** A section of conversation with evidence. */
export interface Passage {
  /** The turn around which the conversation is shown. */
  readonly first: string
  /** Supporting words by turn; the whole turn where there are none. */
  readonly quotes: ReadonlyMap<string, readonly string[]>
  /** Turns whose words put the memory in doubt. */
  readonly against: ReadonlySet<string>
}

/** Groups evidence by section, in order. Deleted turns have none. */
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
      turn.position - before.last.position <= NEAR &&
      before.quotes.size < NEAR
    if (isNear) {
      before.quotes.set(turn.id, quotes)
      before.last = turn
    } else passages.push({ first: turn.id, last: turn, quotes: new Map([[turn.id, quotes]]) })
  }
  return passages.map(({ first, quotes }) => ({ first, quotes, against }))
}
