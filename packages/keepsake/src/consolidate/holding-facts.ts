import type { PlacedFact } from '../facts/placed-fact.ts'
import { byLastLearned, type FactFollower } from '../facts/standing-facts.ts'
import { SortedList } from '../facts/sorted-list.ts'
import { estimateTokens } from '@keepsake/text'
import { followedBy } from '../facts/followed-facts.ts'
import { isShown } from './known-of-scope.ts'

/** Tokens of a line besides the statement: number, quotation marks, line break, sometimes a day. */
export const TOKENS_A_LINE = 4

/** Indexes the live facts of a scope by line length, and the active ones also by key; last learned first. */
export class HoldingFacts implements FactFollower {
  readonly #byKey = new Map<string, SortedList<PlacedFact>>()
  readonly #byTokens = new Map<number, SortedList<PlacedFact>>()
  /** Tokens of each fact's line, by place. */
  readonly #tokens: number[] = []
  /** Number of lines by length, including ended facts. */
  readonly #lines = new Map<number, number>()

  /** Length of the shortest line; infinite if there is none. */
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

  tokensAt(place: number): number {
    return this.#tokens[place] ?? 0
  }

  ofKey(key: string): SortedList<PlacedFact> | undefined {
    return this.#byKey.get(key)
  }

  /** Yields active facts, last learned first, skipping those longer than the remaining room. */
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
