// Holds the inverted index, from terms to the documents that hold them.
import { NONE, type Documents } from './documents.ts'

/**
 * An entry of a posting is one number, `row << ROW_SHIFT | count`: the row of a document, and how often it holds the term. The count has the
 * lowest 8 bits, and stops at 255.
 */
export const ROW_SHIFT = 8
export const COUNT_MASK = 255
/** Minimum characters of a term that may be misspelt. Shorter terms resemble too many others. */
const SHORTEST_MISSPELT = 6
const PLAIN_WORD = /^[a-z]+$/

/** The searchable documents that hold a term. */
export interface Posting {
  readonly term: string
  /** Rows with counts, packed as `ROW_SHIFT` says, in rising order of row. */
  readonly entries: number[]
  /** Row of the earliest turn with the term, or `NONE` if only memories hold it. */
  first: number
}

/** The inverted index. */
export class Postings {
  readonly #documents: Documents
  readonly #postings = new Map<string, Posting>()
  /** Terms of plain letters by first letter and length, in which misspelt words are looked up. They are grouped at the first lookup. */
  #alike: Map<number, Set<Posting>> | null = null

  constructor(documents: Documents) {
    this.#documents = documents
  }

  get size(): number {
    return this.#postings.size
  }

  /** Returns the posting of a term, or `undefined` if no searchable document holds it. */
  get(term: string): Posting | undefined {
    return this.#postings.get(term)
  }

  /** Adds a document to the postings of its terms. */
  add(row: number): void {
    const isTurn = this.#documents.isTurn[row] === 1
    const postings = this.#documents
      .termsOf(row)
      .map((term) => this.#postings.get(term) ?? this.#create(term))
    this.#documents.shareTerms(
      row,
      postings.map(({ term }) => term),
    )
    for (const posting of postings) {
      const { entries } = posting
      const index = findIndex(entries, row)
      const entry = entries[index]
      if (entry !== undefined && entry >>> ROW_SHIFT === row) {
        if ((entry & COUNT_MASK) < COUNT_MASK) entries[index] = entry + 1
        continue
      }
      if (index === entries.length) entries.push((row << ROW_SHIFT) | 1)
      else entries.splice(index, 0, (row << ROW_SHIFT) | 1)
      if (isTurn && (posting.first === NONE || this.#documents.isEarlier(row, posting.first)))
        this.#setFirst(posting, row)
    }
  }

  /** Removes a document from the postings of its terms. */
  remove(row: number): void {
    for (const term of this.#documents.termsOf(row)) {
      const posting = this.#postings.get(term)
      if (posting === undefined) continue
      const index = findIndex(posting.entries, row)
      if ((posting.entries[index] ?? NONE) >>> ROW_SHIFT !== row) continue
      posting.entries.splice(index, 1)
      if (posting.first === row) this.#setFirst(posting, this.#findFirst(posting))
      if (posting.entries.length === 0) this.#delete(posting)
    }
  }

  /**
   * Returns the most frequent term of which a term may be a misspelling. The first letter is the same. One letter is added, missing or
   * replaced, or two neighbours are exchanged (Damerau 1964).
   */
  findAlike(term: string): Posting | undefined {
    if (term.length < SHORTEST_MISSPELT || !PLAIN_WORD.test(term)) return undefined
    this.#alike ??= this.#groupAlike()
    let best: Posting | undefined
    for (let length = term.length - 1; length <= term.length + 1; length++) {
      for (const posting of this.#alike.get(alikeKey(term, length)) ?? []) {
        if (posting.entries.length <= (best?.entries.length ?? 0)) continue
        if (isOneErrorFrom(term, posting.term)) best = posting
      }
    }
    return best
  }

  #create(term: string): Posting {
    const posting: Posting = { term, entries: [], first: NONE }
    this.#postings.set(term, posting)
    if (this.#alike !== null) addAlike(this.#alike, posting)
    return posting
  }

  #delete(posting: Posting): void {
    const { term } = posting
    this.#postings.delete(term)
    this.#alike?.get(alikeKey(term, term.length))?.delete(posting)
  }

  #groupAlike(): Map<number, Set<Posting>> {
    const alike = new Map<number, Set<Posting>>()
    for (const posting of this.#postings.values()) addAlike(alike, posting)
    return alike
  }

  /** Sets the first turn with a term, and counts the term for that turn instead of the former one. */
  #setFirst(posting: Posting, row: number): void {
    const { firsts } = this.#documents
    if (posting.first !== NONE) firsts[posting.first] = (firsts[posting.first] ?? 0) - 1
    if (row !== NONE) firsts[row] = (firsts[row] ?? 0) + 1
    posting.first = row
  }

  #findFirst({ entries }: Posting): number {
    const { isTurn } = this.#documents
    let first = NONE
    for (const entry of entries) {
      const row = entry >>> ROW_SHIFT
      if (isTurn[row] === 1 && (first === NONE || this.#documents.isEarlier(row, first))) first = row
    }
    return first
  }
}

function addAlike(alike: Map<number, Set<Posting>>, posting: Posting): void {
  const { term } = posting
  if (term.length < SHORTEST_MISSPELT - 1 || !PLAIN_WORD.test(term)) return
  const key = alikeKey(term, term.length)
  const known = alike.get(key)
  if (known === undefined) alike.set(key, new Set([posting]))
  else known.add(posting)
}

/** Makes one number of a term's first letter and a length. */
function alikeKey(term: string, length: number): number {
  return length * 256 + term.charCodeAt(0)
}

/** Reports whether one typing error turns a word into the other. */
function isOneErrorFrom(word: string, otherWord: string): boolean {
  const shorter = Math.min(word.length, otherWord.length)
  let start = 0
  while (start < shorter && word[start] === otherWord[start]) start++
  let end = 0
  while (start + end < shorter && word.at(-1 - end) === otherWord.at(-1 - end)) end++
  const [rest, otherRest] = [word.length - start - end, otherWord.length - start - end]
  if (rest <= 1 && otherRest <= 1) return true
  const isPair = rest === 2 && otherRest === 2
  return isPair && word[start] === otherWord[start + 1] && word[start + 1] === otherWord[start]
}

/** Returns how often a document holds a term. */
export function countIn({ entries }: Posting, row: number): number {
  const entry = entries[findIndex(entries, row)] ?? 0
  return entry >>> ROW_SHIFT === row ? entry & COUNT_MASK : 0
}

/** Returns the index of the first entry whose row is not below `row`. */
function findIndex(entries: readonly number[], row: number): number {
  let high = entries.length
  if (high === 0 || (entries[high - 1] as number) >>> ROW_SHIFT < row) return high
  let low = 0
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle] as number) >>> ROW_SHIFT < row) low = middle + 1
    else high = middle
  }
  return low
}
