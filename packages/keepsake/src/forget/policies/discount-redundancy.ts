// Lowers the strengths of texts that stronger texts already contain.
import { yieldToEventLoop } from '../../yield-to-event-loop.ts'

/** Number of a text's rarest terms by which similar texts are found. Common terms would take quadratic time. */
const RARE_TERMS = 8
/** Maximum number of texts listed for a term, the strongest first. */
const MAX_TEXTS_PER_TERM = 32
/** Number of texts that are compared in full: those that share the most rare terms. */
const COMPARED_TEXTS = 4

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

const TEXTS_PER_STEP = 256

/** Discounts strengths to alone · (1 − weight · redundancy), the strongest first (maximal marginal relevance); fallen ones wait again. */
export function* settleStrongestFirst(
  competitors: readonly Competitor[],
  weight: number,
): Generator<undefined, DiscountedStrength[]> {
  const settled = new SettledTexts(competitors)
  yield
  const results: DiscountedStrength[] = competitors.map(({ alone }) => ({ value: alone, redundancy: 0 }))
  const waiting = competitors.map((_, i) => i).sort((a, b) => compare(results, a, b))
  let steps = 0
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    steps += 1
    if (steps % TEXTS_PER_STEP === 0) yield
    const alone = competitors[index]?.alone ?? 0
    const redundancy = settled.greatestShare(index)
    results[index] = { value: alone * (1 - weight * redundancy), redundancy }
    const next = waiting.at(-1)
    if (next !== undefined && compare(results, index, next) < 0)
      waiting.splice(findRank(waiting, results, index), 0, index)
    else settled.add(index)
  }
  return results
}

function compare(results: readonly DiscountedStrength[], a: number, b: number): number {
  return (results[a]?.value ?? 0) - (results[b]?.value ?? 0) || a - b
}

/** Returns the position of a text among the waiting ones, which are ordered by strength. */
function findRank(waiting: readonly number[], results: readonly DiscountedStrength[], index: number): number {
  let low = 0
  let high = waiting.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(results, waiting[middle] ?? 0, index) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const NONE: readonly number[] = []

/** The settled texts, found by their terms. Terms are numbered for speed. */
class SettledTexts {
  readonly #terms: readonly (readonly number[])[]
  /** Number of texts that contain each term. */
  readonly #counts: number[] = []
  /** Settled texts that contain each term. */
  readonly #texts: number[][] = []
  /** The text that last looked up each term. */
  readonly #marks: Int32Array
  /** Number of rare terms that each text shares with the current one. */
  readonly #hits: Uint8Array

  constructor(competitors: readonly Competitor[]) {
    const numbers = new Map<string, number>()
    this.#terms = competitors.map(({ terms }) =>
      terms.map((term) => {
        const number = numbers.get(term) ?? numbers.size
        numbers.set(term, number)
        this.#counts[number] = (this.#counts[number] ?? 0) + 1
        return number
      }),
    )
    this.#marks = new Int32Array(numbers.size).fill(-1)
    this.#hits = new Uint8Array(competitors.length)
  }

  add(index: number): void {
    for (const term of this.#terms[index] ?? NONE) {
      const texts = this.#texts[term]
      if (texts === undefined) this.#texts[term] = [index]
      else if (texts.length < MAX_TEXTS_PER_TERM) texts.push(index)
    }
  }

  /** Returns the greatest share of a text's terms in one settled text. */
  greatestShare(index: number): number {
    const terms = this.#terms[index] ?? NONE
    if (terms.length === 0) return 0
    for (const term of terms) this.#marks[term] = index
    let maxShared = 0
    for (const otherIndex of this.#mostSimilar(terms)) {
      let shared = 0
      for (const term of this.#terms[otherIndex] ?? NONE) if (this.#marks[term] === index) shared += 1
      maxShared = Math.max(maxShared, shared)
    }
    return maxShared / terms.length
  }

  /** Returns the rarest terms that another text contains as well. */
  #rarestOf(terms: readonly number[]): number[] {
    const countOf = (term: number): number => this.#counts[term] ?? 0
    return terms
      .filter((term) => countOf(term) > 1)
      .sort((a, b) => countOf(a) - countOf(b))
      .slice(0, RARE_TERMS)
  }

  /** Returns the settled texts that share the most of the rarest terms. */
  #mostSimilar(terms: readonly number[]): number[] {
    const found: number[] = []
    let maxHits = 0
    for (const term of this.#rarestOf(terms)) {
      for (const text of this.#texts[term] ?? NONE) {
        const hits = (this.#hits[text] ?? 0) + 1
        this.#hits[text] = hits
        if (hits === 1) found.push(text)
        maxHits = Math.max(maxHits, hits)
      }
    }
    const similar: number[] = []
    for (let hits = maxHits; hits > 0 && similar.length < COMPARED_TEXTS; hits -= 1)
      for (const text of found) {
        if (this.#hits[text] === hits) similar.push(text)
        if (similar.length === COMPARED_TEXTS) break
      }
    for (const text of found) this.#hits[text] = 0
    return similar
  }
}
