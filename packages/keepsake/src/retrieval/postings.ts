/** Row numbers take 24 bits of a posting, so that it and a count up to 255 fit into 32. */
export const MOST_ROWS = 1 << 24
const MOST_COUNTED = 255
/** Of a term that no shown document holds. */
const NO_ENTRIES = new Uint32Array(0)

/** A term's documents in rising order of row; each entry is `row << 8 | count`. */
export interface PostingList {
  entries: Uint32Array
  size: number
  /** The row of the turn that said it first; −1 where none did. */
  first: number
}

/** What is asked of the rows to know who said something first. */
export interface RowOrder {
  /** Whether a row is a turn; memories repeat what turns said. */
  readonly isTurn: Uint8Array
  /** Whether what one row says was said before the other's. */
  readonly isEarlier: (row: number, other: number) => boolean
}

/** A term shorter than this resembles too many others to be taken for a slip of the pen. */
const SHORTEST_MISSPELT = 6
const PLAIN_WORD = /^[a-z]+$/

/**
 * Which documents hold which term, and how often: packed lists in typed arrays, with the way back (from a
 * document to its terms) so that one can be taken out without looking through all lists.
 */
export class Postings {
  readonly #idOf = new Map<string, number>()
  readonly #lists: PostingList[] = []
  #forward = new Uint32Array(1_024)
  #forwardEnd = 0
  #forwardWaste = 0
  #starts: Int32Array = new Int32Array(64)
  #counts: Int32Array = new Int32Array(64)
  /** Of the document being written: how often it holds each term, and which. All zero in between. */
  readonly #seen: number[] = []
  readonly #found: number[] = []
  #entryBytes = 0
  #termBytes = 0
  /** Terms of plain letters by their first letter and length, to look for misspelt ones; made when first looked up, since most questions misspell nothing. */
  #alike: Map<string, string[]> | null = null
  readonly #order: RowOrder
  /** Terms that each row was the first to say. */
  firsts: Int32Array = new Int32Array(64)

  constructor(order: RowOrder) {
    this.#order = order
  }

  /** The list of a term; `undefined` when no document ever held it. */
  list(term: string): PostingList | undefined {
    const id = this.#idOf.get(term)
    return id === undefined ? undefined : this.#lists[id]
  }

  /**
   * The list of the most frequent term that a term may be misspelt for: one letter more, less, other, or two
   * exchanged, after the same first letter. `undefined` when there is none.
   */
  listOfAlike(term: string): PostingList | undefined {
    if (term.length < SHORTEST_MISSPELT || !PLAIN_WORD.test(term)) return undefined
    let best: PostingList | undefined
    for (let length = term.length - 1; length <= term.length + 1; length++) {
      for (const other of this.#alikeTerms().get(`${term.charAt(0)}${length}`) ?? []) {
        if (!isOneSlipApart(term, other)) continue
        const list = this.list(other)
        if ((list?.size ?? 0) > (best?.size ?? 0)) best = list
      }
    }
    return best
  }

  /** Bytes taken, the map of terms estimated. */
  get bytes(): number {
    return this.#forward.byteLength + this.#starts.byteLength * 3 + this.#entryBytes + this.#termBytes
  }

  /** Notes a document's terms. They count only once `show` is called. */
  write(row: number, terms: readonly string[]): void {
    const found = this.#found
    const seen = this.#seen
    found.length = 0
    for (const term of terms) {
      const id = this.#intern(term)
      const count = seen[id] ?? 0
      if (count === 0) found.push(id)
      if (count < MOST_COUNTED) seen[id] = count + 1
    }
    this.#reserveRow(row)
    this.clear(row)
    this.#compactForward(found.length)
    this.#starts[row] = this.#forwardEnd
    this.#counts[row] = found.length
    for (const id of found) {
      this.#forward[this.#forwardEnd++] = (id << 8) | (seen[id] ?? 0)
      seen[id] = 0
    }
  }

  /** Puts a written document into the lists of its terms. */
  show(row: number): void {
    this.#eachTerm(row, (id, count) => {
      const list = this.#lists[id]
      if (list === undefined) return
      this.#insert(list, ((row << 8) | count) >>> 0)
      if (this.#order.isTurn[row] !== 1) return
      if (list.first < 0 || this.#order.isEarlier(row, list.first)) this.#setFirst(list, row)
    })
  }

  /** Takes a shown document out of the lists; `show` puts it back. */
  hide(row: number): void {
    this.#eachTerm(row, (id) => {
      const list = this.#lists[id]
      if (list === undefined) return
      const at = findEntry(list, row)
      list.entries.copyWithin(at, at + 1, list.size)
      list.size--
      if (list.first === row) this.#setFirst(list, this.#findFirst(list))
    })
  }

  #setFirst(list: PostingList, row: number): void {
    if (list.first >= 0) this.firsts[list.first] = (this.firsts[list.first] ?? 0) - 1
    if (row >= 0) this.firsts[row] = (this.firsts[row] ?? 0) + 1
    list.first = row
  }

  #findFirst({ entries, size }: PostingList): number {
    let first = -1
    for (let i = 0; i < size; i++) {
      const row = (entries[i] ?? 0) >>> 8
      if (this.#order.isTurn[row] === 1 && (first < 0 || this.#order.isEarlier(row, first))) first = row
    }
    return first
  }

  /** Forgets a hidden document's terms. */
  clear(row: number): void {
    this.#forwardWaste += this.#counts[row] ?? 0
    this.#counts[row] = 0
  }

  #eachTerm(row: number, visit: (id: number, count: number) => void): void {
    const start = this.#starts[row] ?? 0
    const end = start + (this.#counts[row] ?? 0)
    for (let at = start; at < end; at++) {
      const entry = this.#forward[at] ?? 0
      visit(entry >>> 8, entry & MOST_COUNTED)
    }
  }

  #intern(term: string): number {
    const known = this.#idOf.get(term)
    if (known !== undefined) return known
    const id = this.#lists.length
    this.#idOf.set(term, id)
    this.#lists.push({ entries: NO_ENTRIES, size: 0, first: -1 })
    if (this.#alike !== null) this.#noteAlike(this.#alike, term)
    this.#seen.push(0)
    // A map's slot, the string, the list object and its typed array's header, as measured on the heap.
    this.#termBytes += 260 + term.length * 2
    return id
  }

  #alikeTerms(): Map<string, string[]> {
    if (this.#alike !== null) return this.#alike
    const alike = new Map<string, string[]>()
    for (const term of this.#idOf.keys()) this.#noteAlike(alike, term)
    this.#alike = alike
    return alike
  }

  #noteAlike(alike: Map<string, string[]>, term: string): void {
    if (term.length < SHORTEST_MISSPELT - 1 || !PLAIN_WORD.test(term)) return
    const key = `${term.charAt(0)}${term.length}`
    const terms = alike.get(key)
    if (terms === undefined) alike.set(key, [term])
    else terms.push(term)
    this.#termBytes += 8
  }

  #insert(list: PostingList, entry: number): void {
    if (list.size === list.entries.length) {
      const grown = new Uint32Array(Math.ceil(list.size * 1.5) + 1)
      grown.set(list.entries)
      this.#entryBytes += grown.byteLength - list.entries.byteLength
      list.entries = grown
    }
    const last = list.entries[list.size - 1] ?? 0
    let at = list.size
    if (list.size > 0 && last > entry) {
      at = findEntry(list, entry >>> 8)
      list.entries.copyWithin(at + 1, at, list.size)
    }
    list.entries[at] = entry
    list.size++
  }

  #reserveRow(row: number): void {
    if (row < this.#starts.length) return
    const length = Math.max(row + 1, this.#starts.length * 2)
    this.#starts = grow(this.#starts, length)
    this.#counts = grow(this.#counts, length)
    this.firsts = grow(this.firsts, length)
  }

  #compactForward(needed: number): void {
    if (this.#forwardEnd + needed <= this.#forward.length) return
    const live = this.#forwardEnd - this.#forwardWaste
    const next = new Uint32Array(Math.max(1_024, Math.ceil((live + needed) * 1.5)))
    let end = 0
    for (let row = 0; row < this.#counts.length; row++) {
      const count = this.#counts[row] ?? 0
      if (count === 0) continue
      const start = this.#starts[row] ?? 0
      next.set(this.#forward.subarray(start, start + count), end)
      this.#starts[row] = end
      end += count
    }
    this.#forward = next
    this.#forwardEnd = end
    this.#forwardWaste = 0
  }
}

function grow(array: Int32Array, length: number): Int32Array {
  const grown = new Int32Array(length)
  grown.set(array)
  return grown
}

/** How often a document holds a term; 0 when it does not. */
export function countIn(list: PostingList, row: number): number {
  const at = findEntry(list, row)
  const entry: number = at < list.size ? (list.entries[at] ?? 0) : 0
  return entry >>> 8 === row ? entry & MOST_COUNTED : 0
}

/** The place of the first entry whose row is not below `row`. */
function findEntry(list: PostingList, row: number): number {
  let low = 0
  let high = list.size
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list.entries[middle] ?? 0) >>> 8 < row) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether one letter added, left out or replaced, or two neighbours exchanged, makes one word the other. */
function isOneSlipApart(word: string, other: string): boolean {
  let at = 0
  while (at < word.length && word[at] === other[at]) at++
  const [rest, otherRest] = [word.slice(at), other.slice(at)]
  if (rest.slice(1) === otherRest.slice(1)) return true
  if (rest.slice(1) === otherRest || rest === otherRest.slice(1)) return true
  return rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2)
}
