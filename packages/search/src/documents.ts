// Holds the documents of the index in columns. Each document has a row, and each field that scores read has a column.
import type { Role, SearchDocument, StoredDocument } from './search-types.ts'

/** The value of a column without a row, session or speaker. */
export const NONE = -1
/** Values of the column `roles`. */
export const ROLE_CODES: Readonly<Record<Role, number>> = { other: 0, user: 1, assistant: 2 }
/** Maximum number of rows. `Posting` packs a row and a count of 8 bits into one of V8's small integers, which have 31 bits and a sign. */
export const MAX_ROWS = 2 ** 23
const FIRST_CAPACITY = 64

/** A session. Its counts include searchable turns only. */
export interface Session {
  readonly scope: number
  readonly session: string
  lastRow: number
  turns: number
  terms: number
}

/** A document whose terms can be replaced by equal strings of other documents, to save memory. */
interface DocumentRecord extends StoredDocument {
  terms: readonly string[]
}

/** A speaker. The counts include searchable documents only. */
interface Speaker {
  readonly name: string
  asUser: number
  asOther: number
}

/** Documents by row. Rows of removed documents are reused. */
export class Documents {
  /** Times in milliseconds since 1970. */
  at: Float64Array<ArrayBuffer> = new Float64Array(FIRST_CAPACITY)
  traits: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY)
  /** Lengths in terms. */
  lengths: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY)
  scopes: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY)
  /** Indexes in `sessions`. */
  sessionOf: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY)
  /** Indexes in `speakers`, or `NONE` without a speaker. */
  speakerOf: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY)
  /** Rows of the turns before and after in the session, searchable or not. Memories have `NONE`. */
  previous: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY)
  next: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY)
  /** Numbers of terms that no earlier turn holds. */
  firsts: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY)
  roles: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_CAPACITY)
  isTurn: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_CAPACITY)
  isSearchable: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_CAPACITY)
  readonly sessions: Session[] = []
  readonly speakers: Speaker[] = []
  /** One more than the highest row in use. */
  length = 0
  /** Number of searchable documents. */
  count = 0
  /** Number of terms of searchable documents, and of searchable turns. */
  termCount = 0
  turnTermCount = 0
  /** Number of sessions with a searchable turn. */
  sessionCount = 0
  readonly knownScopes = new Set<number>()
  readonly #stored: (DocumentRecord | undefined)[] = []
  readonly #rows = new Map<string, number>()
  readonly #freeRows: number[] = []
  readonly #sessionNumbers = new Map<string, number>()
  readonly #speakerNumbers = new Map<string, number>()

  get size(): number {
    return this.#rows.size
  }

  rowOf(id: string): number | undefined {
    return this.#rows.get(id)
  }

  stored(row: number): StoredDocument | undefined {
    return this.#stored[row]
  }

  idOf(row: number): string {
    return this.#stored[row]?.id ?? ''
  }

  termsOf(row: number): readonly string[] {
    return this.#stored[row]?.terms ?? []
  }

  /** Replaces a document's terms by equal strings, which other documents already use. */
  shareTerms(row: number, terms: readonly string[]): void {
    const stored = this.#stored[row]
    if (stored !== undefined) stored.terms = terms
  }

  speakerNumber(name: string): number {
    return this.#speakerNumbers.get(name) ?? NONE
  }

  /** Reports whether a turn precedes another by time, or at the same time by position. */
  isEarlier(row: number, otherRow: number): boolean {
    const difference = (this.at[row] ?? 0) - (this.at[otherRow] ?? 0)
    return difference < 0 || (difference === 0 && this.#positionOf(row) < this.#positionOf(otherRow))
  }

  /** Writes a document that is not searchable yet. It replaces the one with the same id, or gets a new row. */
  write(document: SearchDocument): number {
    const known = this.#rows.get(document.id)
    if (known !== undefined) this.#unlink(known)
    const row = known ?? this.#newRow(document.id)
    const { vector: _, ...stored } = document
    this.#stored[row] = stored
    this.at[row] = document.at
    this.traits[row] = document.traits
    this.lengths[row] = document.terms.length
    this.scopes[row] = document.scope
    this.roles[row] = ROLE_CODES[document.role]
    this.isTurn[row] = document.kind === 'turn' ? 1 : 0
    this.speakerOf[row] = document.speaker === null ? NONE : this.#internSpeaker(document.speaker)
    this.sessionOf[row] = this.#internSession(document.scope, document.session)
    this.previous[row] = NONE
    this.next[row] = NONE
    this.firsts[row] = 0
    this.knownScopes.add(document.scope)
    if (document.kind === 'turn') this.#link(row, document.position)
    return row
  }

  /** Marks a document as searchable or not, and updates all counts. */
  setSearchable(row: number, isSearchable: boolean): void {
    const change = isSearchable ? 1 : -1
    const terms = change * (this.lengths[row] ?? 0)
    this.isSearchable[row] = isSearchable ? 1 : 0
    this.count += change
    this.termCount += terms
    const speaker = this.speakers[this.speakerOf[row] ?? NONE]
    if (speaker !== undefined) speaker[this.roles[row] === ROLE_CODES.user ? 'asUser' : 'asOther'] += change
    const session = this.sessions[this.sessionOf[row] ?? NONE]
    if (session === undefined || this.isTurn[row] === 0) return
    if (session.turns === 0) this.sessionCount += 1
    session.turns += change
    session.terms += terms
    this.turnTermCount += terms
    if (session.turns === 0) this.sessionCount -= 1
  }

  /** Frees the row of a document that is not searchable. */
  remove(row: number): void {
    const stored = this.#stored[row]
    if (stored === undefined) return
    this.#unlink(row)
    this.#rows.delete(stored.id)
    this.#stored[row] = undefined
    this.#freeRows.push(row)
  }

  #positionOf(row: number): number {
    return this.#stored[row]?.position ?? 0
  }

  #newRow(id: string): number {
    const row = this.#freeRows.pop() ?? this.length
    if (row >= MAX_ROWS) throw new RangeError(`An index holds at most ${MAX_ROWS} documents.`)
    if (row === this.length) this.length += 1
    if (row >= this.at.length) this.#reserve(row * 2)
    this.#rows.set(id, row)
    return row
  }

  #internSpeaker(name: string): number {
    const known = this.#speakerNumbers.get(name)
    if (known !== undefined) return known
    this.#speakerNumbers.set(name, this.speakers.length)
    return this.speakers.push({ name, asUser: 0, asOther: 0 }) - 1
  }

  #internSession(scope: number, session: string): number {
    const key = `${scope} ${session}`
    const known = this.#sessionNumbers.get(key)
    if (known !== undefined) return known
    this.#sessionNumbers.set(key, this.sessions.length)
    return this.sessions.push({ scope, session, lastRow: NONE, turns: 0, terms: 0 }) - 1
  }

  /** Links a turn to its neighbours by position. The search starts at the end, since nearly every new turn is the last one. */
  #link(row: number, position: number): void {
    const session = this.sessions[this.sessionOf[row] ?? NONE]
    if (session === undefined) return
    let before = session.lastRow
    let after = NONE
    while (before !== NONE && this.#positionOf(before) > position) {
      after = before
      before = this.previous[before] ?? NONE
    }
    this.previous[row] = before
    this.next[row] = after
    if (before !== NONE) this.next[before] = row
    if (after === NONE) session.lastRow = row
    else this.previous[after] = row
  }

  /** Removes a row from the turns of its session, and links its neighbours with each other. */
  #unlink(row: number): void {
    const before = this.previous[row] ?? NONE
    const after = this.next[row] ?? NONE
    if (before !== NONE) this.next[before] = after
    if (after !== NONE) this.previous[after] = before
    const session = this.sessions[this.sessionOf[row] ?? NONE]
    if (session?.lastRow === row) session.lastRow = before
  }

  /** Enlarges all columns. */
  #reserve(capacity: number): void {
    this.at = new Float64Array(this.at.buffer.transfer(capacity * 8))
    for (const name of INTEGERS) this[name] = new Int32Array(this[name].buffer.transfer(capacity * 4))
    for (const name of BYTES) this[name] = new Uint8Array(this[name].buffer.transfer(capacity))
  }
}

/** The columns of 32-bit integers, and those of bytes. */
const INTEGERS = [
  'traits',
  'lengths',
  'scopes',
  'sessionOf',
  'speakerOf',
  'previous',
  'next',
  'firsts',
] as const
const BYTES = ['roles', 'isTurn', 'isSearchable'] as const
