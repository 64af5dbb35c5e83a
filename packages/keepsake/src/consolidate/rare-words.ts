import { findTerms } from '../text/analyse-text.ts'

/** How much words tell facts apart: those that few of them hold, names above all, the most. */
export class RareWords {
  readonly #count: number
  readonly #times = new Map<string, number>()

  /** @param texts of all facts */
  constructor(texts: readonly string[]) {
    this.#count = texts.length
    for (const text of texts)
      for (const term of new Set(findTerms(text))) this.#times.set(term, (this.#times.get(term) ?? 0) + 1)
  }

  /** The sum of what the terms are worth, each once. */
  worthOf(terms: Iterable<string>): number {
    let worth = 0
    for (const term of terms) worth += Math.log(1 + this.#count / (this.#times.get(term) ?? 1))
    return worth
  }
}
