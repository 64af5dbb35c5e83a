import type { Turn } from '../turns/turn.ts'
import { isLongQuote, locateQuote } from './locate-quote.ts'

/** A turn that supports a memory, and the supporting words. */
export interface Evidence {
  /** `true` if the words put the memory in doubt, because they may mean that it no longer holds. */
  readonly against?: boolean
  /** `true` if the words are wrong, and the speaker or the application has corrected them. */
  readonly corrected?: boolean
  readonly turn: string
  /** The supporting words of the turn; `null` for the whole turn. */
  readonly quote: string | null
}

/** Checks whether a memory has evidence in the turn. */
export function restsOn({ evidence }: { readonly evidence: readonly Evidence[] }, turn: string): boolean {
  return evidence.some((source) => source.turn === turn)
}

/** Returns a key that is the same for equal evidence. */
function keyOf({ turn, quote, against = false }: Evidence): string {
  return JSON.stringify([turn, quote, against])
}

/** Checks whether the latest evidence of a memory puts it in doubt. A later statement of the memory ends the doubt. */
export function isQuestioned({ evidence }: { readonly evidence: readonly Evidence[] }): boolean {
  return evidence.at(-1)?.against === true
}

/** Marks the evidence of a turn as corrected; all evidence when no turn is named. */
export function markCorrected(evidence: readonly Evidence[], turn?: string): Evidence[] {
  return evidence.map((source) =>
    turn === undefined || source.turn === turn ? { ...source, corrected: true } : source,
  )
}

/** Returns evidence without repetitions. */
export function eachOnce(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((source) => [keyOf(source), source])).values()]
}

/** Returns the added evidence that a memory does not have yet. */
export function freshEvidence(
  fact: { readonly evidence: readonly Evidence[] },
  added: readonly Evidence[],
): Evidence[] {
  const known = new Set(fact.evidence.map(keyOf))
  return eachOnce(added).filter((source) => !known.has(keyOf(source)))
}

/** Returns a memory's evidence with the added one, without repetitions. */
export function evidenceWith(
  fact: { readonly evidence: readonly Evidence[] },
  added: readonly Evidence[],
): Evidence[] {
  return [...fact.evidence, ...freshEvidence(fact, added)]
}

/** Returns the evidence whose quote is in its turn, in the words of the turn. */
export function keepLocated(evidence: readonly Evidence[], turns: readonly Turn[]): Evidence[] {
  return evidence.flatMap(({ turn: id, quote }): Evidence[] => {
    const turn = turns.find((turn) => turn.id === id)
    if (turn === undefined) return []
    if (quote === null) return [{ turn: id, quote }]
    const words = locateQuote(turn.text, quote)
    return words === null ? [] : [{ turn: id, quote: words }]
  })
}

/** Corrects inexact quotes and their turns. Evidence that is not found stays as it is; grounding refuses it. */
export function repairEvidence(evidence: readonly Evidence[], turns: readonly Turn[]): Evidence[] {
  return evidence.map((source) => {
    if (source.quote === null) return source
    const named = turns.find((turn) => turn.id === source.turn)
    const found = named === undefined ? null : locateQuote(named.text, source.quote)
    if (found !== null) return { turn: source.turn, quote: found }
    return locateElsewhere(source.quote, turns) ?? source
  })
}

/** Finds a long quote in other turns; `null` unless exactly one contains it. */
function locateElsewhere(quote: string, turns: readonly Turn[]): Evidence | null {
  if (!isLongQuote(quote)) return null
  const matches = turns.flatMap((turn) => {
    const found = locateQuote(turn.text, quote)
    return found === null ? [] : [{ turn: turn.id, quote: found }]
  })
  return matches.length === 1 ? (matches[0] ?? null) : null
}
