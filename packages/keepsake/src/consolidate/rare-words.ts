import type { WordedFacts } from './worded-facts.ts'

/** How much words tell facts apart: those that few of them hold, names above all, the most. */
export class RareWords {
  readonly #facts: Pick<WordedFacts, 'size' | 'timesOf'>

  /** @param facts all of them */
  constructor(facts: Pick<WordedFacts, 'size' | 'timesOf'>) {
    this.#facts = facts
  }

  /** The sum of what the terms are worth, each once. */
  worthOf(terms: Iterable<string>): number {
    let worth = 0
    for (const term of terms) worth += Math.log(1 + this.#facts.size / (this.#facts.timesOf(term) || 1))
    return worth
  }
}
