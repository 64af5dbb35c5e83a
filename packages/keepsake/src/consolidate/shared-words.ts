import { findTerms } from '@keepsake/text'
import { oncePerFact } from '../facts/fact-lookup.ts'
import type { Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'

/** Weighs words by rarity among facts; names weigh most. */
export class RareWords {
  readonly #size: number
  readonly #counts = new Map<string, number>()
  readonly #weights = new Map<string, number>()

  /** @param facts the distinct words of each fact */
  constructor(facts: readonly (readonly string[])[]) {
    this.#size = facts.length
    for (const words of facts)
      for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1)
  }

  sum(words: Iterable<string>): number {
    let sum = 0
    for (const word of words) sum += this.weightOf(word)
    return sum
  }

  weightOf(word: string): number {
    const known = this.#weights.get(word)
    if (known !== undefined) return known
    const weight = Math.log(1 + this.#size / (this.#counts.get(word) ?? 1))
    this.#weights.set(word, weight)
    return weight
  }
}

/** Weight of words that only the question before holds. */
const ASKED = 0.6
/** Facts per turn; the best of each turn come before the second of any. */
const FACTS_PER_TURN = 4

const wordsOf = oncePerFact(({ text, value }: Memory) => [...new Set(findTerms(`${text} ${value ?? ''}`))])

/** A user turn: its words, those with the question before it, and the weight of each word. */
interface Answer {
  readonly said: ReadonlySet<string>
  readonly withQuestion: ReadonlySet<string>
  readonly weights: ReadonlyMap<string, number>
}

function answersIn(turns: readonly Turn[]): Answer[] {
  return turns.flatMap(({ role, text }, index) => {
    if (role !== 'user') return []
    const before = turns[index - 1]
    const question = before?.role === 'assistant' ? before.text : null
    const said = new Set(findTerms(text))
    const weights = new Map(findTerms(question ?? '').map((word) => [word, ASKED]))
    for (const word of said) weights.set(word, 1)
    return [
      { said, withQuestion: new Set(findTerms(question === null ? '' : `${question}\n${text}`)), weights },
    ]
  })
}

interface SharingFact {
  readonly fact: Memory
  readonly shared: readonly string[]
  /** Scales by the weight of all its words, because long facts share more. */
  readonly scale: number
}

interface ScoredFact {
  readonly fact: Memory
  readonly score: number
}

/** Ranks facts by the words they share with the user's turns of a segment. */
export class SharedWords {
  readonly #words: RareWords
  readonly #answers: readonly Answer[]
  readonly #sharing: readonly SharingFact[]

  constructor(facts: readonly Memory[], turns: readonly Turn[]) {
    this.#words = new RareWords(facts.map(wordsOf))
    this.#answers = answersIn(turns)
    const allTerms = new Set(
      this.#answers.flatMap(({ withQuestion, weights }) => [...withQuestion, ...weights.keys()]),
    )
    this.#sharing = facts.flatMap((fact) => {
      const words = wordsOf(fact)
      const shared = words.filter((word) => allTerms.has(word))
      return shared.length === 0 ? [] : [{ fact, shared, scale: Math.sqrt(this.#words.sum(words)) }]
    })
  }

  /**
   * Ranks facts by the rare words shared with the user's turns, relative to their length. Words of one turn count
   * more than scattered ones; words of the preceding question count less.
   */
  rare(): Memory[] {
    const saidAtAll = new Set(this.#answers.flatMap(({ said }) => [...said]))
    const ranked = this.#rank(({ shared, scale }) => {
      const sumIn = (words: ReadonlySet<string>): number =>
        this.#words.sum(shared.filter((word) => words.has(word)))
      let best = 0
      for (const { said, withQuestion } of this.#answers)
        best = Math.max(best, sumIn(said), ASKED * sumIn(withQuestion))
      return best === 0 ? 0 : (best + sumIn(saidAtAll) / 2) / scale
    })
    return ranked.map(({ fact }) => fact)
  }

  /**
   * Ranks facts for each user turn with its question, and interleaves the turns, so that long ones do not crowd out
   * short ones.
   */
  turnByTurn(): Memory[] {
    const ranked = this.#answers.map(({ weights }) =>
      this.#rank(({ shared, scale }) => {
        let sum = 0
        for (const word of shared) sum += (weights.get(word) ?? 0) * this.#words.weightOf(word)
        return sum / scale
      }),
    )
    const inTurn = Array.from({ length: FACTS_PER_TURN }, (_, rank) =>
      ranked.flatMap((found) => found[rank] ?? []).sort((a, b) => b.score - a.score),
    )
    return [...new Set(inTurn.flat().map(({ fact }) => fact))]
  }

  #rank(scoreOf: (fact: SharingFact) => number): ScoredFact[] {
    return this.#sharing
      .map((shared) => ({ fact: shared.fact, score: scoreOf(shared) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
  }
}
