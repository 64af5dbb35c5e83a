import type { PlacedFact } from '../facts/placed-fact.ts'
import type { FactFollower } from '../facts/standing-facts.ts'
import type { Memory } from '../memories/memory.ts'
import { findTerms } from '@keepsake/text'
import { followedBy } from '../facts/followed-facts.ts'
import { isShown } from './known-of-scope.ts'

type Worded = Pick<Memory, 'text' | 'value'>

const FIRST_CAPACITY = 256

/**
 * Indexes the live facts of a scope by their words, incrementally. Facts are identified by place, words by number;
 * each fact's distinct words lie in one array, in order.
 */
export class WordedFacts implements FactFollower {
  readonly #textOf: (fact: Worded) => string
  readonly #accepts: (fact: Memory) => boolean
  readonly #held: (PlacedFact | undefined)[] = []
  #size = 0
  readonly #numbers = new Map<string, number>()
  /** Places of the facts with a word, by its number. */
  readonly #saying: number[][] = []
  #words: Int32Array = new Int32Array(FIRST_CAPACITY)
  #end = 0
  #waste = 0
  #starts: Int32Array = new Int32Array(FIRST_CAPACITY)
  #counts: Int32Array = new Int32Array(FIRST_CAPACITY)

  constructor(textOf: (fact: Worded) => string, accepts: (fact: Memory) => boolean = isShown) {
    this.#textOf = textOf
    this.#accepts = accepts
  }

  get size(): number {
    return this.#size
  }

  /** One more than the highest place ever used. */
  get places(): number {
    return this.#held.length
  }

  /** Number of distinct words ever seen. */
  get words(): number {
    return this.#saying.length
  }

  take(placed: PlacedFact): void {
    if (!this.#accepts(placed.fact)) return
    const { place } = placed
    const words = Array.from(new Set(findTerms(this.#textOf(placed.fact))), (term) => this.#number(term))
    this.#reserve(place, words.length)
    this.#starts[place] = this.#end
    this.#counts[place] = words.length
    for (const word of words) {
      this.#words[this.#end++] = word
      this.#saying[word]?.push(place)
    }
    this.#held[place] = placed
    this.#size += 1
  }

  drop({ place }: PlacedFact): void {
    if (this.#held[place] === undefined) return
    for (const word of this.wordsAt(place)) {
      const places = this.#saying[word]
      places?.splice(places.lastIndexOf(place), 1)
    }
    this.#waste += this.#counts[place] ?? 0
    this.#counts[place] = 0
    this.#held[place] = undefined
    this.#size -= 1
  }

  at(place: number): PlacedFact | undefined {
    return this.#held[place]
  }

  /** Valid until the next fact is added. */
  wordsAt(place: number): Int32Array {
    const start = this.#starts[place] ?? 0
    return this.#words.subarray(start, start + (this.#counts[place] ?? 0))
  }

  /** Returns the number of a word; `undefined` if no fact ever had it. */
  numberOf(term: string): number | undefined {
    return this.#numbers.get(term)
  }

  /** Counts the facts with a word. */
  timesOf(term: string): number {
    const word = this.#numbers.get(term)
    return word === undefined ? 0 : this.timesOfWord(word)
  }

  timesOfWord(word: number): number {
    return this.#saying[word]?.length ?? 0
  }

  /** Returns the places of facts with one of these words. */
  saying(words: Iterable<number>): number[] {
    const isFound = new Uint8Array(this.places)
    const found: number[] = []
    for (const word of words)
      for (const place of this.#saying[word] ?? []) {
        if (isFound[place] === 1) continue
        isFound[place] = 1
        found.push(place)
      }
    return found
  }

  /** Sums the weights of a fact's words in their order. */
  sumAt(place: number, worth: Float64Array): number {
    const start = this.#starts[place] ?? 0
    const end = start + (this.#counts[place] ?? 0)
    let sum = 0
    for (let at = start; at < end; at += 1) sum += worth[this.#words[at] ?? 0] ?? 0
    return sum
  }

  #number(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    this.#numbers.set(term, this.#saying.length)
    return this.#saying.push([]) - 1
  }

  #reserve(place: number, words: number): void {
    while (this.#held.length <= place) this.#held.push(undefined)
    if (place >= this.#starts.length) {
      this.#starts = grown(this.#starts, place + 1)
      this.#counts = grown(this.#counts, place + 1)
    }
    if (this.#end + words <= this.#words.length) return
    const packed = new Int32Array(Math.ceil((this.#end - this.#waste + words) * 1.5))
    let end = 0
    for (let at = 0; at < this.#held.length; at += 1) {
      const own = this.wordsAt(at)
      packed.set(own, end)
      this.#starts[at] = end
      end += own.length
    }
    this.#words = packed
    this.#end = end
    this.#waste = 0
  }
}

/** Facts by the words of statements and values. */
export const factsByAllWords = followedBy(
  () => new WordedFacts(({ text, value }) => `${text} ${value ?? ''}`),
)

/** Facts by the words of statements. */
export const factsByStatement = followedBy(() => new WordedFacts(({ text }) => text))

function grown(from: Int32Array, length: number): Int32Array {
  const longer = new Int32Array(Math.max(length, Math.ceil(from.length * 1.25)))
  longer.set(from)
  return longer
}
