// Lowers the strengths of texts that stronger texts already contain.
import { yieldToEventLoop } from '../../yield-to-event-loop.ts'

/** Maximum number of texts listed for a term, the strongest first. Without it, common terms would take quadratic time. */
const MAX_TEXTS_PER_TERM = 32
/** Number of texts between two steps, at which a caller may yield to the event loop. */
const TEXTS_PER_STEP = 256

/** The terms of a text, and its strength without regard to other texts. */
export interface Competitor {
  readonly alone: number
  readonly terms: readonly string[]
}

export interface DiscountedStrength {
  readonly value: number
  /** The greatest share of its terms that one stronger text contains, 0 to 1. */
  readonly redundancy: number
}

/** Runs a computation to its end. */
export function finish<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Runs a computation to its end, and yields to the event loop at each of its steps. */
export async function finishInPieces<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await yieldToEventLoop()
  }
}

/**
 * Discounts strengths to alone · (1 − weight · redundancy), the strongest first (maximal marginal relevance). A text whose
 * discounted strength falls below that of the next text waits again. Of equal texts, the later comes first.
 */
export function* discountRedundancy(
  competitors: readonly Competitor[],
  weight: number,
): Generator<undefined, DiscountedStrength[]> {
  const results = competitors.map(({ alone }) => ({ value: alone, redundancy: 0 }))
  const isWeaker = (index: number, other: number): boolean =>
    ((results[index]?.value ?? 0) - (results[other]?.value ?? 0) || index - other) < 0
  const waiting = [...competitors.keys()].sort((a, b) => (isWeaker(a, b) ? -1 : 1))
  const settledTexts = new Map<string, number[]>()
  let steps = 0
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    steps += 1
    if (steps % TEXTS_PER_STEP === 0) yield
    const { alone, terms } = competitors[index] ?? { alone: 0, terms: [] }
    const redundancy = greatestShare(terms, settledTexts)
    results[index] = { value: alone * (1 - weight * redundancy), redundancy }
    const weakerCount = waiting.findLastIndex((other) => isWeaker(other, index)) + 1
    if (weakerCount < waiting.length) waiting.splice(weakerCount, 0, index)
    else for (const term of terms) addText(settledTexts, term, index)
  }
  return results
}

/** Returns the greatest share of some terms in one text. */
function greatestShare(terms: readonly string[], texts: ReadonlyMap<string, readonly number[]>): number {
  const sharedTerms = new Map<number, number>()
  for (const term of terms)
    for (const text of texts.get(term) ?? []) sharedTerms.set(text, (sharedTerms.get(text) ?? 0) + 1)
  return Math.max(0, ...sharedTerms.values()) / Math.max(1, terms.length)
}

function addText(texts: Map<string, number[]>, term: string, text: number): void {
  const listed = texts.get(term) ?? []
  if (listed.length < MAX_TEXTS_PER_TERM) listed.push(text)
  texts.set(term, listed)
}
