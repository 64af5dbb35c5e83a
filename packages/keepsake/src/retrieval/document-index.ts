import {
  findTerms,
  namesOf,
  readQuestion,
  type Participant,
  type ReadOptions,
  type ReadQuestion,
  type TalkNames,
} from '@keepsake/text'
import type { DocumentCounts } from './count-documents.ts'
import { DocumentTable, type DocumentTableKept } from './document-table.ts'
import { sectionOf, type ImageSections } from './image-sections.ts'
import type { IndexedDocument } from './indexed-document.ts'
import { countIn, Postings } from './postings.ts'
import { findHits, rankDocuments } from './rank-documents.ts'
import type { RetrievalRecipe } from './retrieval-recipe.ts'
import type { SearchHit, SearchOptions, SearchQuestion, SearchResult } from './search-types.ts'
import { VectorTable } from './vector/vector-table.ts'

/** Somebody who speaks in the searchable documents, and how often in which role. */
interface CountedParticipant {
  readonly name: string
  readonly terms: readonly string[]
  asPerson: number
  asAgent: number
}

/** What an image keeps of an index beside its arrays. */
export interface DocumentIndexKept {
  readonly table: DocumentTableKept
  readonly participants: readonly Readonly<CountedParticipant>[]
  /** Of its vectors; `null` where it has none. */
  readonly dimensions: number | null
}

/**
 * One person's turns and memories, held in memory and ranked for a question with no model's help. It is derived
 * from the store and can be rebuilt from it at any time. Adding a document takes microseconds; a search is exact,
 * and takes time in proportion to the documents of the one person.
 *
 * What is not searchable counts nowhere: it is not found, and neither its neighbours, nor its session, nor how
 * rare a word is, tells that it was ever there.
 *
 * @example
 * const index = new DocumentIndex()
 * index.upsert({ id: 't1', kind: 'turn', …, ...analyseText('I moved to Lyon'), vector: null })
 * const read = index.readQuestion('Where do I live?', { now })
 * const { hits, confidence } = index.search({ read, vector: null }, HYBRID, { limit: 10, now })
 */
export class DocumentIndex {
  readonly #table = new DocumentTable()
  readonly #postings: Postings
  readonly #participants = new Map<string, CountedParticipant>()
  readonly #whole: DocumentCounts | undefined
  #vectors: VectorTable | undefined

  /** @param whole where the documents to come are a choice: what is counted of all they were chosen from */
  constructor(whole?: DocumentCounts) {
    this.#whole = whole
    this.#postings = new Postings(this.#table, whole?.firstSaid)
  }

  /** Whether its documents are a choice of others that it knows how many there are of. */
  get isPart(): boolean {
    return this.#whole !== undefined
  }

  /** Documents held, searchable or not. */
  get size(): number {
    return this.#table.size
  }

  /** Bytes of memory taken, vectors included. What V8 adds for strings and maps is estimated. */
  get bytes(): number {
    return this.#table.bytes + this.#postings.bytes + (this.#vectors?.bytes ?? 0)
  }

  /**
   * Adds a document, searchable at once; or replaces the one of that id, which stays as searchable as it was.
   * @throws InvalidInputError for a vector of another length than those before it.
   */
  upsert(document: IndexedDocument): void {
    const known = this.#table.rowOf(document.id)
    const isSearchable = known === undefined || this.#table.isLive(known)
    if (known !== undefined) this.setSearchable(document.id, false)
    const row = this.#table.write(document)
    this.#postings.write(row, document.terms)
    try {
      this.#writeVector(row, document.vector)
    } catch (error) {
      // A new document that cannot be held whole is not held at all; a known one goes on without its vector.
      if (known === undefined) this.remove(document.id)
      else if (isSearchable) this.setSearchable(document.id, true)
      throw error
    }
    if (isSearchable) this.setSearchable(document.id, true)
  }

  #writeVector(row: number, vector: Float32Array | null): void {
    this.#vectors?.remove(row)
    if (vector === null) return
    this.#vectors ??= new VectorTable(vector.length)
    this.#vectors.set(row, vector)
  }

  /** Whether a document is held. */
  has(id: string): boolean {
    return this.#table.rowOf(id) !== undefined
  }

  /** Takes a document out of every search, or puts it back. Unknown ids are left alone. */
  setSearchable(id: string, searchable: boolean): void {
    const row = this.#table.rowOf(id)
    if (row === undefined || this.#table.isLive(row) === searchable) return
    if (searchable) this.#postings.show(row)
    else this.#postings.hide(row)
    this.#table.setLive(row, searchable)
    this.#countParticipant(this.#table.speakerOf(row), this.#table.isUser(row), searchable ? 1 : -1)
  }

  /** Lets go of a document for good; its vector is overwritten. Unknown ids are left alone. */
  remove(id: string): void {
    const row = this.#table.rowOf(id)
    if (row === undefined) return
    this.setSearchable(id, false)
    this.#postings.clear(row)
    this.#vectors?.remove(row)
    this.#table.remove(row)
  }

  /** Gives the vectors' memory back. The index cannot be used any more. */
  free(): void {
    this.#vectors?.free()
    this.#vectors = undefined
  }

  /** The row of a document; `undefined` where it is not held. Rows of documents that stay do not change. */
  rowOf(id: string): number | undefined {
    return this.#table.rowOf(id)
  }

  /** What is held by rows, for whoever keeps more of documents beside it. */
  get table(): Readonly<DocumentTable> {
    return this.#table
  }

  /** What an image keeps of this: arrays as they stand, good until the next change, and the rest. */
  image(): { readonly sections: ImageSections; readonly kept: DocumentIndexKept } {
    const table = this.#table.image()
    const postings = this.#postings.image(this.#table.length)
    const vectors = this.#vectors === undefined ? {} : { vectors: this.#vectors.image }
    return {
      sections: { ...table.sections, ...postings, ...vectors },
      kept: {
        table: table.kept,
        participants: [...this.#participants.values()],
        dimensions: this.#vectors?.dimensions ?? null,
      },
    }
  }

  /** Takes in what an image kept, into an empty index. @throws Error where it is none of ours. */
  restore(sections: ImageSections, { table, participants, dimensions }: DocumentIndexKept): void {
    this.#table.restore(sections, table)
    this.#postings.restore(sections)
    for (const one of participants) this.#participants.set(one.name, { ...one })
    if (dimensions === null) return
    this.#vectors = new VectorTable(dimensions)
    this.#vectors.restore(sectionOf(sections, 'vectors', Int8Array))
  }

  /** What those who speak here are called. */
  get names(): TalkNames {
    return namesOf(this.#who())
  }

  /** How many people are remembered, as far as the labels of their turns tell them apart. */
  get people(): number {
    return this.#who().filter(({ isPerson }) => isPerson).length
  }

  /** Rows of the searchable turns that hold all terms of a name, the earliest first. */
  turnsWith(name: string): number[] {
    const [list, ...rest] = [...new Set(findTerms(name))].map((term) => this.#postings.list(term))
    const { live, isTurn } = this.#table
    const rows = Array.from(list?.entries.subarray(0, list.size) ?? [], (entry) => entry >>> 8)
    const held = rows.filter((row) => rest.every((other) => other !== undefined && countIn(other, row) > 0))
    return held
      .filter((row) => live[row] === 1 && isTurn[row] === 1)
      .sort((one, other) => (this.#table.isEarlier(one, other) ? -1 : 1))
  }

  /** Reads a question against those who speak here. Embed its `about`, then search. */
  readQuestion(text: string, options: ReadOptions): ReadQuestion {
    return readQuestion(text, this.#who(), options)
  }

  #who(): Participant[] {
    return Array.from(this.#participants.values(), ({ name, terms, asAgent }) => {
      return { name, terms, isPerson: asAgent === 0 }
    })
  }

  /** Ranks what may be found. Deterministic: equal scores keep the order of arrival. */
  search(question: SearchQuestion, recipe: RetrievalRecipe, options: SearchOptions): SearchResult {
    return rankDocuments({
      table: this.#table,
      postings: this.#postings,
      vectors: this.#vectors,
      question,
      recipe,
      options,
      whole: this.#whole,
    })
  }

  /** What each of several questions finds, without what else a search tells. */
  findEach(
    questions: readonly SearchQuestion[],
    recipe: RetrievalRecipe,
    options: SearchOptions,
  ): SearchHit[][] {
    const cosines = recipe.weights.semantic === 0 ? [] : this.#cosinesOf(questions)
    return questions.map((question, place) => [
      ...findHits({
        table: this.#table,
        postings: this.#postings,
        vectors: this.#vectors,
        question,
        recipe,
        options,
        whole: this.#whole,
        cosines: cosines[place],
      }),
    ])
  }

  /** Of the questions that have a vector; all vectors are gone through once. */
  #cosinesOf(questions: readonly SearchQuestion[]): (Float32Array | undefined)[] {
    const vectors = this.#vectors
    if (vectors === undefined) return []
    const asked = questions.map(({ vector }) =>
      vector === null ? undefined : { query: vector, out: new Float32Array(this.#table.length) },
    )
    vectors.scanAll(asked.filter((one) => one !== undefined))
    return asked.map((one) => one?.out)
  }

  /**
   * By role, so that it is the same in whatever order documents came: who speaks as an agent anywhere is none of the
   * people remembered, also where a statement is about them.
   */
  #countParticipant(name: string | null, isPerson: boolean, by: 1 | -1): void {
    if (name === null) return
    const known = this.#participants.get(name) ?? { name, terms: findTerms(name), asPerson: 0, asAgent: 0 }
    if (isPerson) known.asPerson += by
    else known.asAgent += by
    if (known.asPerson + known.asAgent === 0) this.#participants.delete(name)
    else this.#participants.set(name, known)
  }
}
