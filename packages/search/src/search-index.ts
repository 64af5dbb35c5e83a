// Defines the index of one user: add and remove documents, and search them.
import { Documents, NONE, ROLE_CODES } from './documents.ts'
import { countIn, Postings, ROW_SHIFT } from './postings.ts'
import { rankDocuments } from './rank.ts'
import type { RetrievalRecipe } from './recipe.ts'
import type {
  Role,
  SearchDocument,
  SearchOptions,
  SearchQuery,
  SearchResult,
  StoredDocument,
} from './search-types.ts'
import { isFiniteVector, Vectors } from './vectors.ts'

/** Estimated bytes on the heap for a document, a term and an entry of a posting. */
const DOCUMENT_BYTES = 400
const TERM_BYTES = 160
const POSTING_BYTES = 20

/** A speaker of searchable documents. */
export interface IndexSpeaker {
  readonly name: string
  /** Whether the speaker always had the role `user`. */
  readonly isUser: boolean
}

/**
 * Holds one user's turns and memories, and ranks them for a query without a model. A search is exact, and its time grows with the number
 * of documents. No score and no statistic depends on documents that are not searchable.
 *
 * @example
 * const index = new SearchIndex()
 * index.add({ id: 't1', kind: 'turn', scope: 0, session: 's1', position: 1, role: 'user', speaker: null,
 *   at: Date.now(), terms: ['move', 'lyon'], traits: 0, vector: null })
 * index.search({ terms: ['lyon'] }, HYBRID, { limit: 10, now: Date.now() }).hits[0]?.id // 't1'
 */
export class SearchIndex {
  readonly #documents = new Documents()
  readonly #postings = new Postings(this.#documents)
  #vectors: Vectors | undefined

  /** Number of documents, searchable or not. */
  get size(): number {
    return this.#documents.size
  }

  /** Estimated bytes of memory. */
  get bytes(): number {
    const documents = this.#documents.size * DOCUMENT_BYTES + this.#documents.termCount * POSTING_BYTES
    return documents + this.#postings.size * TERM_BYTES + (this.#vectors?.bytes ?? 0)
  }

  /** Speakers of searchable documents. */
  get speakers(): readonly IndexSpeaker[] {
    return this.#documents.speakers
      .filter(({ asUser, asOther }) => asUser + asOther > 0)
      .map(({ name, asOther }) => ({ name, isUser: asOther === 0 }))
  }

  /**
   * Adds a document, which is searchable at once. A document with a known id replaces the former one, and is searchable if that one was.
   *
   * @throws RangeError for a vector of another length than those before, or that is not finite. The index does not change then.
   */
  add(document: SearchDocument): void {
    const { vector } = document
    if (vector !== null) (this.#vectors ??= new Vectors(vector.length)).check(vector)
    const known = this.#documents.rowOf(document.id)
    const isSearchable = known === undefined || this.#documents.isSearchable[known] === 1
    // A searchable document must not change, since the postings and counts rest on its terms.
    this.setSearchable(document.id, false)
    const row = this.#documents.write(document)
    if (vector === null) this.#vectors?.remove(row)
    else this.#vectors?.set(row, vector)
    if (isSearchable) this.setSearchable(document.id, true)
  }

  /** Reports whether a vector has the length of the index's vectors, and is finite. */
  takes(vector: Float32Array): boolean {
    const { length } = vector
    return length > 0 && length === (this.#vectors?.dimensions ?? length) && isFiniteVector(vector)
  }

  has(id: string): boolean {
    return this.#documents.rowOf(id) !== undefined
  }

  get(id: string): StoredDocument | undefined {
    const row = this.#documents.rowOf(id)
    return row === undefined ? undefined : this.#documents.stored(row)
  }

  /** Returns the id of the turn before a turn in its session, searchable or not. */
  turnBefore(id: string): string | undefined {
    const before = this.#documents.previous[this.#documents.rowOf(id) ?? NONE] ?? NONE
    return before === NONE ? undefined : this.#documents.idOf(before)
  }

  /** Hides a document from every search, or shows it again. Unknown ids are ignored. */
  setSearchable(id: string, isSearchable: boolean): void {
    const row = this.#documents.rowOf(id)
    if (row === undefined || (this.#documents.isSearchable[row] === 1) === isSearchable) return
    if (isSearchable) this.#postings.add(row)
    else this.#postings.remove(row)
    this.#documents.setSearchable(row, isSearchable)
  }

  /** Removes a document and overwrites its vector. Unknown ids are ignored. */
  remove(id: string): void {
    const row = this.#documents.rowOf(id)
    if (row === undefined) return
    this.setSearchable(id, false)
    this.#vectors?.remove(row)
    this.#documents.remove(row)
  }

  /** Returns the ids of the searchable turns that hold all terms, in order of time. */
  turnsWith(terms: readonly string[]): string[] {
    return this.#rowsWith(terms).map((row) => this.#documents.idOf(row))
  }

  /** Returns the last `limit` searchable turns in one role that hold all terms, in order of time. */
  latestTurnsWith(terms: readonly string[], role: Role, limit: number): string[] {
    const rows = this.#rowsWith(terms, ROLE_CODES[role])
    return rows.slice(-limit).map((row) => this.#documents.idOf(row))
  }

  /** Returns the rows of the searchable turns that hold all terms, in order of time. */
  #rowsWith(terms: readonly string[], role?: number): number[] {
    const documents = this.#documents
    const [first, ...rest] = [...new Set(terms)].map((term) => this.#postings.get(term))
    const rows: number[] = []
    // Rows are nearly always in order of time, and then need no sorting.
    let isInOrder = true
    for (const entry of first?.entries ?? []) {
      const row = entry >>> ROW_SHIFT
      if (documents.isTurn[row] === 0 || (role !== undefined && documents.roles[row] !== role)) continue
      if (!rest.every((posting) => posting !== undefined && countIn(posting, row) > 0)) continue
      isInOrder &&= rows.length === 0 || documents.isEarlier(rows.at(-1) ?? NONE, row)
      rows.push(row)
    }
    if (!isInOrder) rows.sort((a, b) => (documents.isEarlier(a, b) ? -1 : 1))
    return rows
  }

  /** Ranks documents by a recipe. Documents of equal scores keep the order in which they were added. */
  search(query: SearchQuery, recipe: RetrievalRecipe, options: SearchOptions): SearchResult {
    const [documents, postings, vectors] = [this.#documents, this.#postings, this.#vectors]
    return rankDocuments({ documents, postings, vectors, query, recipe, options })
  }
}
