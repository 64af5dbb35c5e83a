import type { WordedFacts } from './worded-facts.ts'

/** How much words tell facts apart: those that few of them hold, names above all, the most. */
export class RareWords {
  readonly #facts: Pick<WordedFacts, 'size' | 'timesOf'>
  readonly #worth = new Map<string, number>()

  /** @param facts all of them, as they stand until it is let go of */
  constructor(facts: Pick<WordedFacts, 'size' | 'timesOf'>) {
    this.#facts = facts
  }

  /** The sum of what the terms are worth, each once. */
  worthOf(terms: Iterable<string>): number {
    let worth = 0
    for (const term of terms) worth += this.#worthOf(term)
    return worth
  }

  #worthOf(term: string): number {
    const known = this.#worth.get(term)
    if (known !== undefined) return known
    const worth = Math.log(1 + this.#facts.size / (this.#facts.timesOf(term) || 1))
    this.#worth.set(term, worth)
    return worth
  }
}
