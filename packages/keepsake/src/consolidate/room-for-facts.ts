import type { RelatedBudget } from '../extraction/extractor.ts'
import type { PlacedFact } from '../facts/placed-fact.ts'
import type { Memory } from '../memories/memory.ts'
import { TOKENS_A_LINE, type HoldingFacts } from './holding-facts.ts'

/** What a list has room for, taken in order: one that is too long does not keep out those behind it. */
export class RoomForFacts {
  readonly #chosen = new Set<PlacedFact>()
  readonly #most: number
  readonly #leastTokens: number
  readonly #facts: HoldingFacts
  #left: number

  constructor({ most, tokens }: RelatedBudget, facts: HoldingFacts) {
    this.#facts = facts
    this.#most = most
    this.#left = tokens
    // A line is longer than what stands around its statement.
    this.#leastTokens = Math.max(TOKENS_A_LINE, facts.leastTokens)
  }

  get chosen(): Memory[] {
    return Array.from(this.#chosen, ({ fact }) => fact)
  }

  /** Tokens for which there is room; none when it is full. */
  get left(): number {
    return this.isFull ? 0 : this.#left
  }

  get isFull(): boolean {
    return this.#chosen.size === this.#most || this.#left < this.#leastTokens
  }

  /** Whether there is room for a fact, told by its place. */
  fits(place: number): boolean {
    return this.#facts.tokensAt(place) <= this.left
  }

  take(placed: PlacedFact): void {
    if (this.#chosen.has(placed) || !this.fits(placed.place)) return
    this.#chosen.add(placed)
    this.#left -= this.#facts.tokensAt(placed.place)
  }
}
