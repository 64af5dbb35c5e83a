import type { StandingFacts } from '../facts/standing-facts.ts'
import type { Memory } from '../memories/memory.ts'
import { findTerms } from '../text/analyse-text.ts'

/** What a fact is found by. */
type Worded = Pick<Memory, 'text' | 'value'>

interface HeldFact {
  readonly memory: Memory
  readonly terms: readonly string[]
  place: number
}

/**
 * The live facts of a scope by their words. Held from one segment to the next, of which each changes few facts, it reads these
 * alone: what else it does for each fact is to see that it is still there.
 */
export class WordedFacts {
  readonly #textOf: (fact: Worded) => string
  #held = new Map<Memory, HeldFact>()
  readonly #byTerm = new Map<string, Set<HeldFact>>()

  constructor(textOf: (fact: Worded) => string) {
    this.#textOf = textOf
  }

  get size(): number {
    return this.#held.size
  }

  /** Holds just these, in this order. */
  hold(facts: readonly Memory[]): this {
    const held = new Map<Memory, HeldFact>()
    for (const memory of facts) {
      const fact = this.#held.get(memory) ?? this.#take(memory)
      fact.place = held.size
      held.set(memory, fact)
    }
    for (const [memory, fact] of this.#held) if (!held.has(memory)) this.#drop(fact)
    this.#held = held
    return this
  }

  /** How many of them say a word. */
  timesOf(term: string): number {
    return this.#byTerm.get(term)?.size ?? 0
  }

  /** Those that say one of these words, in order, each with all of its own. */
  saying(terms: Iterable<string>): readonly Pick<HeldFact, 'memory' | 'terms'>[] {
    const found = new Set<HeldFact>()
    for (const term of terms) for (const fact of this.#byTerm.get(term) ?? []) found.add(fact)
    return [...found].sort((one, other) => one.place - other.place)
  }

  #take(memory: Memory): HeldFact {
    const fact = { memory, terms: [...new Set(findTerms(this.#textOf(memory)))], place: 0 }
    for (const term of fact.terms) {
      const known = this.#byTerm.get(term)
      if (known === undefined) this.#byTerm.set(term, new Set([fact]))
      else known.add(fact)
    }
    return fact
  }

  #drop(fact: HeldFact): void {
    for (const term of fact.terms) {
      const known = this.#byTerm.get(term)
      known?.delete(fact)
      if (known?.size === 0) this.#byTerm.delete(term)
    }
  }
}

/** They go with the cache that they are read from. */
const withValues = new WeakMap<StandingFacts, WordedFacts>()
const asStated = new WeakMap<StandingFacts, WordedFacts>()

/** Facts by the words of their statements and values. */
export function factsByAllWords(standing: StandingFacts, facts: readonly Memory[]): WordedFacts {
  const known = withValues.get(standing) ?? new WordedFacts(({ text, value }) => `${text} ${value ?? ''}`)
  withValues.set(standing, known)
  return known.hold(facts)
}

/** Facts by the words of their statements. */
export function factsByStatement(standing: StandingFacts, facts: readonly Memory[]): WordedFacts {
  const known = asStated.get(standing) ?? new WordedFacts(({ text }) => text)
  asStated.set(standing, known)
  return known.hold(facts)
}
