// Ranks facts by the words that they share with the turns of a segment.
import { findTerms } from '@keepsake/text'
import { oncePerFact } from '../facts/fact-lookup.ts'
import type { Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'

/** Weights words by their rarity among facts (inverse document frequency). Names have the highest weights. */
export class RareWords {
  readonly #factCount: number
  readonly #counts = new Map<string, number>()
  readonly #weights = new Map<string, number>()

  /** @param facts the distinct words of each fact */
  constructor(facts: readonly (readonly string[])[]) {
    this.#factCount = facts.length
    for (const words of facts)
      for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1)
  }

  /** Returns the sum of the weights of words. */
  sum(words: Iterable<string>): number {
    let sum = 0
    for (const word of words) sum += this.weightOf(word)
    return sum
  }

  weightOf(word: string): number {
    const cached = this.#weights.get(word)
    if (cached !== undefined) return cached
    const weight = Math.log(1 + this.#factCount / (this.#counts.get(word) ?? 1))
    this.#weights.set(word, weight)
    return weight
  }

  /** Returns the weight of the common words of two texts, as a share of the text with the lower weight, 0 to 1. */
  sharedBy(firstWords: readonly string[], secondWords: readonly string[]): number {
    const first = new Set(firstWords)
    const second = new Set(secondWords)
    const lowerWeight = Math.min(this.sum(first), this.sum(second))
    const sharedWeight = this.sum([...first].filter((word) => second.has(word)))
    return lowerWeight === 0 ? 0 : sharedWeight / lowerWeight
  }
}

/** Weight of words that only the agent's question before a turn contains. Chosen, not measured. */
const QUESTION_WEIGHT = 0.6
/** Maximum number of facts per turn in the ranking by turns. */
const FACTS_PER_TURN = 4

const wordsOf = oncePerFact(({ text, value }: Memory) => [...new Set(findTerms(`${text} ${value ?? ''}`))])

/** The words of a user's turn. */
interface TurnWords {
  readonly own: ReadonlySet<string>
  /** Also contains the words of the agent's question before the turn. */
  readonly withQuestion: ReadonlySet<string>
  /** 1 for the turn's own words, less for words of the question. */
  readonly weights: ReadonlyMap<string, number>
}

function wordsOfTurns(turns: readonly Turn[]): TurnWords[] {
  return turns.flatMap(({ role, text }, index) => {
    if (role !== 'user') return []
    const before = turns[index - 1]
    const question = before?.role === 'assistant' ? before.text : null
    const ownWords = new Set(findTerms(text))
    const weights = new Map(findTerms(question ?? '').map((word) => [word, QUESTION_WEIGHT]))
    for (const word of ownWords) weights.set(word, 1)
    const withQuestion = new Set(findTerms(question === null ? '' : `${question}\n${text}`))
    return [{ own: ownWords, withQuestion, weights }]
  })
}

/** A fact that shares words with the turns. */
interface SharingFact {
  readonly fact: Memory
  readonly shared: readonly string[]
  /** Square root of the weight of all words. Scores are divided by it, because long facts share more words. */
  readonly scale: number
}

/** Ranks facts by the words that they share with the user's turns of a segment. */
export class SharedWords {
  readonly #words: RareWords
  readonly #turns: readonly TurnWords[]
  readonly #facts: readonly SharingFact[]

  constructor(facts: readonly Memory[], turns: readonly Turn[]) {
    this.#words = new RareWords(facts.map(wordsOf))
    this.#turns = wordsOfTurns(turns)
    const words = new Set(
      this.#turns.flatMap(({ withQuestion, weights }) => [...withQuestion, ...weights.keys()]),
    )
    this.#facts = facts.flatMap((fact) => {
      const all = wordsOf(fact)
      const shared = all.filter((word) => words.has(word))
      return shared.length === 0 ? [] : [{ fact, shared, scale: Math.sqrt(this.#words.sum(all)) }]
    })
  }

  /**
   * Ranks facts by the rare words that they share with the user's turns. A score is the weight of the best turn plus half of
   * the weight of all turns. So words that occur in one turn together count more.
   */
  rankByRarity(): Memory[] {
    const wordsOfAllTurns = new Set(this.#turns.flatMap(({ own }) => [...own]))
    const ranked = this.#rank(({ shared, scale }) => {
      const weightIn = (words: ReadonlySet<string>): number =>
        this.#words.sum(shared.filter((word) => words.has(word)))
      let bestOfTurns = 0
      for (const { own, withQuestion } of this.#turns)
        bestOfTurns = Math.max(bestOfTurns, weightIn(own), QUESTION_WEIGHT * weightIn(withQuestion))
      return bestOfTurns === 0 ? 0 : (bestOfTurns + weightIn(wordsOfAllTurns) / 2) / scale
    })
    return ranked.map(({ fact }) => fact)
  }

  /** Ranks facts for each user turn and interleaves the rankings, so that short turns are represented like long ones. */
  rankByTurn(): Memory[] {
    const ranked = this.#turns.map(({ weights }) =>
      this.#rank(({ shared, scale }) => {
        let sum = 0
        for (const word of shared) sum += (weights.get(word) ?? 0) * this.#words.weightOf(word)
        return sum / scale
      }),
    )
    const byRank = Array.from({ length: FACTS_PER_TURN }, (_, rank) =>
      ranked.flatMap((facts) => facts[rank] ?? []).sort((a, b) => b.score - a.score),
    )
    return [...new Set(byRank.flat().map(({ fact }) => fact))]
  }

  /** Ranks the facts with a score above 0, best first. */
  #rank(scoreOf: (fact: SharingFact) => number): { readonly fact: Memory; readonly score: number }[] {
    return this.#facts
      .map((sharing) => ({ fact: sharing.fact, score: scoreOf(sharing) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
  }
}
