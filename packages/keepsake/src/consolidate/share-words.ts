import type { PlacedFact } from '../facts/placed-fact.ts'
import { findTerms } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { RankedList } from './fuse-lists.ts'
import { ScoredPlaces } from './scored-places.ts'
import type { WordedFacts } from './worded-facts.ts'

/** What of an answer's matter stands in the agent's question before it counts so much. */
const ASKED = 0.6
/** Of what shares rare words with one turn, so many count: the best of each turn before the second of any. */
const WORDED_A_TURN = 4

/** Words by their numbers. */
type Words = ReadonlySet<number>

/** What each fact of a scope shares with the words of a segment's turns. */
export class SharedWords {
  readonly #facts: WordedFacts
  readonly #turns: readonly Turn[]
  /** What each word is worth. One tells the more, the fewer facts say it: names above all. */
  readonly #worth: Float64Array
  /** By a fact's place, how much all its words are worth together; 0 where that was not asked for yet. */
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
   * By the words that the user's turns share with a fact: the rarer among facts, the more, those of one turn before those
   * scattered over several, and for what part of the fact they are. An answer names little of what it changes: the words of
   * the question before it count with it, for less.
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
   * By the words that a turn of the user's, with the question it answers, shares with a fact: the rarer among facts, the more, and for
   * what part of the fact they are. Turn by turn, since each may change something: a long one is not to crowd out the others.
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

  /** What some words are worth, and all others nothing. */
  #worthOf(words: Words): Float64Array {
    const worth = new Float64Array(this.#facts.words)
    for (const word of words) worth[word] = this.#worth[word] ?? 0
    return worth
  }

  /** By how much what a fact shares is scaled down: a long one shares more. */
  #scaleOf(place: number): number {
    const known = this.#whole[place] ?? 0
    return Math.sqrt(known === 0 ? (this.#whole[place] = this.#facts.sumAt(place, this.#worth)) : known)
  }

  #numbersOf(text: string): Set<number> {
    return new Set(findTerms(text).flatMap((term) => this.#facts.numberOf(term) ?? []))
  }

  /** Words of a turn of the user's, each with how much it counts: those that only the question before holds count for less. */
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
