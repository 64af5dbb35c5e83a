import { grown, sectionOf, type ImageSections } from './image-sections.ts'
import { NO_ENTRIES, readKept, sizeKept, type KeptLists, type PostingList } from './kept-lists.ts'
import { StringTable } from './string-table.ts'

/** Row numbers take 24 bits of a posting, so that it and a count up to 255 fit into 32. */
export const MOST_ROWS = 1 << 24
const MOST_COUNTED = 255
export type { PostingList } from './kept-lists.ts'

/** What is asked of the rows to know who said something first. */
export interface RowOrder {
  /** Whether a row is a turn; memories repeat what turns said. */
  readonly isTurn: Uint8Array
  /** Whether what one row says was said before the other's. */
  readonly isEarlier: (row: number, other: number) => boolean
  readonly idOf: (row: number) => string
}

/** What a list takes on the heap beside its entries: the object and its typed array's header, as measured. */
const LIST_BYTES = 190

/** A term shorter than this resembles too many others to be taken for a slip of the pen. */
const SHORTEST_MISSPELT = 6
const PLAIN_WORD = /^[a-z]+$/

/**
 * Which documents hold which term, and how often: packed lists in typed arrays, with the way back (from a
 * document to its terms) so that one can be taken out without looking through all lists.
 */
export class Postings {
  readonly #terms = new StringTable()
  /** By term; of those an image kept only the ones that changed since. */
  readonly #lists: (PostingList | undefined)[] = []
  #kept: KeptLists | null = null
  #forward: Uint32Array = new Uint32Array(1_024)
  #forwardEnd = 0
  #forwardWaste = 0
  #starts: Int32Array = new Int32Array(64)
  #counts: Int32Array = new Int32Array(64)
  /** Of the document being written: how often it holds each term, and which. All zero in between. */
  #seen: Uint8Array = new Uint8Array(64)
  readonly #found: number[] = []
  #entryBytes = 0
  #listCount = 0
  #alikeBytes = 0
  /** Terms of plain letters by their first letter and length, to look for misspelt ones; made when first looked up, since most questions misspell nothing. */
  #alike: Map<number, number[]> | null = null
  readonly #order: RowOrder
  readonly #firstSaid: ReadonlyMap<string, string> | undefined
  /** Terms that each row was the first to say. */
  firsts: Int32Array = new Int32Array(64)

  /** @param firstSaid where the documents to come are a choice: which of them was the first of all to say a term; the others said none first */
  constructor(order: RowOrder, firstSaid?: ReadonlyMap<string, string>) {
    this.#order = order
    this.#firstSaid = firstSaid
  }

  /** The list of a term; `undefined` when no document ever held it. */
  list(term: string): PostingList | undefined {
    const id = this.#terms.find(term)
    return id < 0 ? undefined : this.#read(id)
  }

  /** The list of a term as it stands; one that nothing changed since the image is made anew of it, since V8 looks through all that is held. */
  #read(id: number): PostingList {
    return this.#lists[id] ?? readKept(this.#kept, id)
  }

  /** The list of a term that is about to change. */
  #listOf(id: number): PostingList {
    const known = this.#lists[id]
    if (known !== undefined) return known
    const list = readKept(this.#kept, id)
    this.#lists[id] = list
    this.#listCount += 1
    return list
  }

  /**
   * The list of the most frequent term that a term may be misspelt for: one letter more, less, other, or two
   * exchanged, after the same first letter. `undefined` when there is none.
   */
  listOfAlike(term: string): PostingList | undefined {
    if (term.length < SHORTEST_MISSPELT || !PLAIN_WORD.test(term)) return undefined
    let best: PostingList | undefined
    for (let length = term.length - 1; length <= term.length + 1; length++) {
      for (const id of this.#alikeTerms().get(alikeKey(term.charCodeAt(0), length)) ?? []) {
        if (!this.#isOneSlipFrom(term, id)) continue
        const list = this.#read(id)
        if (list.size > (best?.size ?? 0)) best = list
      }
    }
    return best
  }

  /** Whether one letter added, left out or replaced, or two neighbours exchanged, makes a word the term. */
  #isOneSlipFrom(word: string, id: number): boolean {
    const terms = this.#terms
    const length = terms.lengthOf(id)
    const shorter = Math.min(word.length, length)
    let alike = 0
    while (alike < shorter && word.charCodeAt(alike) === terms.unitAt(id, alike)) alike++
    let after = 0
    while (
      alike + after < shorter &&
      word.charCodeAt(word.length - 1 - after) === terms.unitAt(id, length - 1 - after)
    )
      after++
    const [left, other] = [word.length - alike - after, length - alike - after]
    if (left <= 1 && other <= 1) return true
    return (
      left === 2 &&
      other === 2 &&
      word.charCodeAt(alike) === terms.unitAt(id, alike + 1) &&
      word.charCodeAt(alike + 1) === terms.unitAt(id, alike)
    )
  }

  /** Bytes taken, the map of terms estimated. */
  get bytes(): number {
    const rows = this.#forward.byteLength + this.#starts.byteLength * 3
    const lists = this.#entryBytes + this.#listCount * LIST_BYTES + this.#lists.length * 8
    return rows + lists + this.#terms.bytes + this.#seen.length + this.#alikeBytes
  }

  /** Notes a document's terms. They count only once `show` is called. */
  write(row: number, terms: readonly string[]): void {
    const found = this.#found
    found.length = 0
    for (const term of terms) {
      // Longer once it holds a term that was never seen before.
      const id = this.#intern(term)
      const count = this.#seen[id] ?? 0
      if (count === 0) found.push(id)
      if (count < MOST_COUNTED) this.#seen[id] = count + 1
    }
    const seen = this.#seen
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
      const list = this.#listOf(id)
      this.#insert(list, ((row << 8) | count) >>> 0)
      if (this.#order.isTurn[row] !== 1) return
      if (this.#saysFirst(id, row, list)) this.#setFirst(list, row)
    })
  }

  /** Takes a shown document out of the lists; `show` puts it back. */
  hide(row: number): void {
    this.#eachTerm(row, (id) => {
      const list = this.#listOf(id)
      const at = findEntry(list, row)
      list.entries.copyWithin(at, at + 1, list.size)
      list.size--
      if (list.first === row) this.#setFirst(list, this.#firstSaid === undefined ? this.#findFirst(list) : -1)
    })
  }

  #saysFirst(id: number, row: number, { first }: PostingList): boolean {
    if (this.#firstSaid === undefined) return first < 0 || this.#order.isEarlier(row, first)
    return this.#firstSaid.get(this.#terms.get(id) ?? '') === this.#order.idOf(row)
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
    const known = this.#terms.find(term)
    if (known >= 0) return known
    const id = this.#lists.length
    this.#terms.set(id, term)
    this.#lists.push({ entries: NO_ENTRIES, size: 0, first: -1 })
    this.#listCount += 1
    if (this.#alike !== null) this.#noteAlike(this.#alike, id)
    if (id >= this.#seen.length) this.#seen = grown(this.#seen, id + 1)
    return id
  }

  #alikeTerms(): Map<number, number[]> {
    if (this.#alike !== null) return this.#alike
    const alike = new Map<number, number[]>()
    for (let id = 0; id < this.#lists.length; id++) this.#noteAlike(alike, id)
    this.#alike = alike
    return alike
  }

  #noteAlike(alike: Map<number, number[]>, id: number): void {
    const length = this.#terms.lengthOf(id)
    if (length < SHORTEST_MISSPELT - 1) return
    for (let i = 0; i < length; i++) if (!isPlainLetter(this.#terms.unitAt(id, i))) return
    const key = alikeKey(this.#terms.unitAt(id, 0), length)
    const terms = alike.get(key)
    if (terms === undefined) alike.set(key, [id])
    else terms.push(id)
    this.#alikeBytes += 8
  }

  /** What an image keeps of this: all lists as one, as which they are kept here as well from then on. */
  image(rows: number): ImageSections {
    const kept = this.#joined()
    this.#keep(kept)
    if (this.#forwardWaste > 0) this.#packForward(0)
    return {
      ...this.#terms.sections('terms', kept.firsts.length),
      'postings.entries': kept.entries,
      'postings.offsets': kept.offsets,
      'postings.firstRows': kept.firsts,
      'postings.forward': this.#forward.subarray(0, this.#forwardEnd),
      'postings.starts': this.#starts.subarray(0, rows),
      'postings.counts': this.#counts.subarray(0, rows),
      'postings.firsts': this.firsts.subarray(0, rows),
    }
  }

  /** All lists, one after another. */
  #joined(): KeptLists {
    const terms = this.#lists.length
    const offsets = new Uint32Array(terms + 1)
    const firsts = new Int32Array(terms)
    for (let id = 0; id < terms; id++) {
      const known = this.#lists[id]
      offsets[id + 1] = (offsets[id] ?? 0) + (known?.size ?? sizeKept(this.#kept, id))
      firsts[id] = known?.first ?? this.#kept?.firsts[id] ?? -1
    }
    const entries = new Uint32Array(offsets[terms] ?? 0)
    for (let id = 0; id < terms; id++) {
      const list = this.#read(id)
      entries.set(list.entries.subarray(0, list.size), offsets[id])
    }
    return { entries, offsets, firsts }
  }

  #keep(kept: KeptLists): void {
    this.#kept = kept
    this.#lists.length = 0
    this.#lists.length = kept.firsts.length
    this.#listCount = 0
    this.#entryBytes = kept.entries.byteLength + kept.offsets.byteLength + kept.firsts.byteLength
  }

  /** Takes in what an image kept, into an empty index. */
  restore(sections: ImageSections): void {
    this.#terms.restore('terms', sections)
    this.#forward = sectionOf(sections, 'postings.forward', Uint32Array)
    this.#forwardEnd = this.#forward.length
    this.#starts = sectionOf(sections, 'postings.starts', Int32Array)
    this.#counts = sectionOf(sections, 'postings.counts', Int32Array)
    this.firsts = sectionOf(sections, 'postings.firsts', Int32Array)
    this.#keep({
      entries: sectionOf(sections, 'postings.entries', Uint32Array),
      offsets: sectionOf(sections, 'postings.offsets', Uint32Array),
      firsts: sectionOf(sections, 'postings.firstRows', Int32Array),
    })
    this.#seen = new Uint8Array(this.#lists.length)
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
    this.#starts = grown(this.#starts, row + 1)
    this.#counts = grown(this.#counts, row + 1)
    this.firsts = grown(this.firsts, row + 1)
  }

  #compactForward(needed: number): void {
    if (this.#forwardEnd + needed > this.#forward.length) this.#packForward(needed)
  }

  #packForward(needed: number): void {
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

/** By first letter and length. */
function alikeKey(letter: number, length: number): number {
  return length * 256 + letter
}

function isPlainLetter(unit: number): boolean {
  return unit >= 97 && unit <= 122
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
