import type { PlacedFact } from '../facts/placed-fact.ts'
import { byLastLearned, type FactFollower } from '../facts/standing-facts.ts'
import { SortedList } from '../facts/sorted-list.ts'
import { estimateTokens } from '@keepsake/text'
import { followedBy } from '../facts/followed-facts.ts'
import { isShown } from './known-of-scope.ts'

/** Number, quotation marks and line break of a line, and now and then a day. */
export const TOKENS_A_LINE = 4

/** The live facts of a scope by the length of their lines, and those that still hold by their keys as well: the last learned first. */
export class HoldingFacts implements FactFollower {
  readonly #byKey = new Map<string, SortedList<PlacedFact>>()
  readonly #byTokens = new Map<number, SortedList<PlacedFact>>()
  /** Of a fact's line as a model is shown it, by its place. */
  readonly #tokens: number[] = []
  /** How many lines there are of a length, of facts that are over too. */
  readonly #lines = new Map<number, number>()

  /** Of the shortest line; infinite where there is none. */
  get leastTokens(): number {
    return Math.min(...this.#lines.keys())
  }

  get keys(): Iterable<string> {
    return this.#byKey.keys()
  }

  take(placed: PlacedFact): void {
    const { fact, place } = placed
    if (!isShown(fact)) return
    const tokens = estimateTokens(fact.text) + TOKENS_A_LINE
    while (this.#tokens.length < place) this.#tokens.push(0)
    this.#tokens[place] = tokens
    this.#lines.set(tokens, (this.#lines.get(tokens) ?? 0) + 1)
    for (const list of this.#listsOf(placed)) list.add(placed)
  }

  drop(placed: PlacedFact): void {
    const { fact, place } = placed
    if (!isShown(fact)) return
    const tokens = this.tokensAt(place)
    const left = (this.#lines.get(tokens) ?? 0) - 1
    if (left > 0) this.#lines.set(tokens, left)
    else this.#lines.delete(tokens)
    for (const list of this.#listsOf(placed)) list.delete(placed)
  }

  /** Tokens of the line of a fact. */
  tokensAt(place: number): number {
    return this.#tokens[place] ?? 0
  }

  ofKey(key: string): SortedList<PlacedFact> | undefined {
    return this.#byKey.get(key)
  }

  /** Those that hold, the last learned first, passing over what is longer than there is room for when it would be its turn. */
  *lastLearned(room: () => number): Generator<PlacedFact> {
    const left = Array.from(this.#byTokens, ([tokens, { items }]) => ({ tokens, items, at: 0 }))
    for (;;) {
      let first: (typeof left)[number] | undefined
      for (const list of left) {
        if (list.at >= list.items.length || list.tokens > room()) continue
        if (first === undefined || isBefore(list, first)) first = list
      }
      const placed = first?.items[first.at]
      if (first === undefined || placed === undefined) return
      first.at += 1
      yield placed
    }
  }

  #listsOf({ fact, place }: PlacedFact): SortedList<PlacedFact>[] {
    if (fact.validUntil !== null) return []
    const ofTokens = listIn(this.#byTokens, this.tokensAt(place))
    return fact.key === null ? [ofTokens] : [ofTokens, listIn(this.#byKey, fact.key)]
  }
}

interface Cursor {
  readonly items: readonly PlacedFact[]
  readonly at: number
}

function isBefore(one: Cursor, other: Cursor): boolean {
  const [a, b] = [one.items[one.at], other.items[other.at]]
  return a !== undefined && b !== undefined && byLastLearned(a, b) < 0
}

function listIn<Name>(lists: Map<Name, SortedList<PlacedFact>>, name: Name): SortedList<PlacedFact> {
  const known = lists.get(name) ?? new SortedList(byLastLearned)
  lists.set(name, known)
  return known
}

export const holdingFacts = followedBy(() => new HoldingFacts())
