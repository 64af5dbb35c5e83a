import type { PlacedFact } from '../facts/placed-fact.ts'
import { findTerms } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { RankedList } from './fuse-lists.ts'
import { ScoredPlaces } from './scored-places.ts'
import type { WordedFacts } from './worded-facts.ts'

/** Weight of words that only the agent's question holds. */
const ASKED = 0.6
/** Facts per turn; the best of each turn come before the second of any. */
const WORDED_A_TURN = 4

type Words = ReadonlySet<number>

/** Ranks the facts of a scope by the words they share with a segment's turns. */
export class SharedWords {
  readonly #facts: WordedFacts
  readonly #turns: readonly Turn[]
  /** Weight of each word: the rarer among facts, the higher. */
  readonly #worth: Float64Array
  /** Total word weight of each fact by place; 0 until computed. */
  readonly #whole: Float64Array

  constructor(facts: WordedFacts, turns: readonly Turn[]) {
    this.#facts = facts
    this.#turns = turns
    this.#worth = new Float64Array(facts.words)
    for (let word = 0; word < facts.words; word += 1)
      this.#worth[word] = Math.log(1 + facts.size / (facts.timesOfWord(word) || 1))
    this.#whole = new Float64Array(facts.places)
  }

  /**
   * Ranks facts by the rare words shared with the user's turns, relative to their length. Words of one turn count
   * more than scattered ones; words of the preceding question count less.
   */
  rare(weight: number): RankedList {
    const said = this.#turns.flatMap(({ role, text }) => (role === 'user' ? [this.#numbersOf(text)] : []))
    const answered = this.#turns.flatMap(({ role, text }, place) => {
      const before = this.#turns[place - 1]
      return role === 'user' && before?.role === 'agent' ? [this.#numbersOf(`${before.text}\n${text}`)] : []
    })
    const saidOnce = said.map((words) => this.#worthOf(words))
    const answeredOnce = answered.map((words) => this.#worthOf(words))
    const saidAtAll = this.#worthOf(unite(said))
    const scored = new ScoredPlaces(this.#facts.places)
    for (const place of this.#facts.saying(unite([...said, ...answered]))) {
      let best = 0
      for (const worth of saidOnce) best = Math.max(best, this.#facts.sumAt(place, worth))
      for (const worth of answeredOnce) best = Math.max(best, ASKED * this.#facts.sumAt(place, worth))
      if (best > 0) scored.add(place, (best + this.#facts.sumAt(place, saidAtAll) / 2) / this.#scaleOf(place))
    }
    const factsAt = (places: readonly number[]): PlacedFact[] =>
      places.flatMap((place) => this.#facts.at(place) ?? [])
    return {
      weight,
      head: (count, accepts) => factsAt(scored.best(count, accepts)),
      ranksOf: (facts) => scored.ranksOf(facts.map(({ place }) => place)),
    }
  }

  /**
   * Ranks facts for each user turn with its question, and interleaves the turns, so that long ones do not crowd out
   * short ones.
   */
  turnByTurn(): PlacedFact[] {
    const ranked = this.#answers().map((counts) => {
      const worth = new Float64Array(this.#facts.words)
      for (const [word, count] of counts) worth[word] = count * (this.#worth[word] ?? 0)
      const scored = new ScoredPlaces(this.#facts.places)
      for (const place of this.#facts.saying(counts.keys()))
        scored.add(place, this.#facts.sumAt(place, worth) / this.#scaleOf(place))
      return scored.best(WORDED_A_TURN).map((place) => ({ place, score: scored.of(place) }))
    })
    const inTurn = Array.from({ length: WORDED_A_TURN }, (_, rank) =>
      ranked.flatMap((found) => found[rank] ?? []).sort((one, other) => other.score - one.score),
    )
    const places = new Set(inTurn.flat().map(({ place }) => place))
    return [...places].flatMap((place) => this.#facts.at(place) ?? [])
  }

  /** Weights of some words; 0 for all others. */
  #worthOf(words: Words): Float64Array {
    const worth = new Float64Array(this.#facts.words)
    for (const word of words) worth[word] = this.#worth[word] ?? 0
    return worth
  }

  /** Scales by the length of a fact, because long facts share more. */
  #scaleOf(place: number): number {
    const known = this.#whole[place] ?? 0
    return Math.sqrt(known === 0 ? (this.#whole[place] = this.#facts.sumAt(place, this.#worth)) : known)
  }

  #numbersOf(text: string): Set<number> {
    return new Set(findTerms(text).flatMap((term) => this.#facts.numberOf(term) ?? []))
  }

  /** Words of each user turn with their weights; words from the preceding question weigh less. */
  #answers(): ReadonlyMap<number, number>[] {
    return this.#turns.flatMap(({ role, text }, place) => {
      if (role !== 'user') return []
      const before = this.#turns[place - 1]
      const counts = new Map<number, number>()
      if (before?.role === 'agent') for (const word of this.#numbersOf(before.text)) counts.set(word, ASKED)
      for (const word of this.#numbersOf(text)) counts.set(word, 1)
      return [counts]
    })
  }
}

function unite(sets: readonly Words[]): Words {
  return new Set(sets.flatMap((words) => [...words]))
}
