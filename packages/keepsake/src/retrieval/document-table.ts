import { KeepsakeError } from '@keepsake/text'
import { grown, sectionOf, type ImageSections, type Numbers } from './image-sections.ts'
import type { IndexedDocument } from './indexed-document.ts'
import { MOST_ROWS } from './postings.ts'
import { StringTable } from './string-table.ts'

/** No row, no speaker. */
export const NONE = -1
export const ROLE_CODES = { other: 0, user: 1, agent: 2 } as const
/** The way back. */
export const ROLES_BY_CODE = ['other', 'user', 'agent'] as const
const FIRST_CAPACITY = 64

/** A session as the table keeps it; what it counts is over searchable turns. */
export interface SessionEntry {
  readonly scope: number
  readonly session: string
  lastRow: number
  liveTurns: number
  liveTerms: number
}

/** Columns by their kind of number. */
const INTEGERS = ['traits', 'lengths', 'scopes', 'sessionOf', 'speakers', 'previous', 'next'] as const
const BYTES = ['roles', 'isTurn', 'live'] as const
const COLUMNS = ['at', 'position', ...INTEGERS, ...BYTES] as const

/** What an image keeps of a table beside its columns. */
export interface DocumentTableKept extends Pick<
  DocumentTable,
  'length' | 'liveCount' | 'liveTerms' | 'liveTurnTerms' | 'liveSessions'
> {
  readonly free: readonly number[]
  readonly scopes: readonly number[]
  readonly speakers: readonly string[]
  readonly sessions: readonly SessionEntry[]
}

/** The documents' columns, one row a document. Rows of removed documents are used again. */
export class DocumentTable {
  at: Float64Array = new Float64Array(FIRST_CAPACITY)
  position: Float64Array = new Float64Array(FIRST_CAPACITY)
  traits: Int32Array = new Int32Array(FIRST_CAPACITY)
  /** Length in terms. */
  lengths: Int32Array = new Int32Array(FIRST_CAPACITY)
  scopes: Int32Array = new Int32Array(FIRST_CAPACITY)
  sessionOf: Int32Array = new Int32Array(FIRST_CAPACITY)
  speakers: Int32Array = new Int32Array(FIRST_CAPACITY)
  /** The turn before and after within the session, searchable or not; `NONE` for memories. */
  previous: Int32Array = new Int32Array(FIRST_CAPACITY)
  next: Int32Array = new Int32Array(FIRST_CAPACITY)
  roles: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  isTurn: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  /** 1 where the document is searchable. */
  live: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  readonly sessions: SessionEntry[] = []
  readonly #ids = new StringTable()
  /** Rows ever used; all are below it. */
  length = 0
  liveCount = 0
  liveTerms = 0
  /** Of turns alone. */
  liveTurnTerms = 0
  /** Sessions with a searchable turn. */
  liveSessions = 0
  /** Every scope a document was ever in. */
  readonly knownScopes = new Set<number>()
  readonly #free: number[] = []
  readonly #sessionIndex = new Map<string, number>()
  readonly #speakerIndex = new Map<string, number>()
  readonly #speakerNames: string[] = []

  get size(): number {
    return this.#ids.size
  }

  /** Columns, and about what ids and their map take on the heap. */
  get bytes(): number {
    const perRow = 8 * 2 + 4 * 7 + 3
    return this.live.length * perRow + this.#ids.bytes + this.sessions.length * 200
  }

  rowOf(id: string): number | undefined {
    const row = this.#ids.find(id)
    return row < 0 ? undefined : row
  }

  idOf(row: number): string {
    return this.#ids.get(row) ?? ''
  }

  isLive(row: number): boolean {
    return this.live[row] === 1
  }

  isUser(row: number): boolean {
    return this.roles[row] === ROLE_CODES.user
  }

  /** Whether a row was said before another: by time, and by position where times are the same. */
  isEarlier(row: number, other: number): boolean {
    const by = (this.at[row] ?? 0) - (this.at[other] ?? 0)
    return by < 0 || (by === 0 && (this.position[row] ?? 0) < (this.position[other] ?? 0))
  }

  speakerOf(row: number): string | null {
    return this.#speakerNames[this.speakers[row] ?? NONE] ?? null
  }

  /** Speakers ever heard; their numbers are below it. */
  get speakerCount(): number {
    return this.#speakerNames.length
  }

  speakerNumber(name: string): number {
    return this.#speakerIndex.get(name) ?? NONE
  }

  /** Writes a document that is not live into its row, a new one for a new id. */
  write(document: IndexedDocument): number {
    const known = this.rowOf(document.id)
    if (known !== undefined) this.#unlink(known)
    const row = known ?? this.#newRow(document.id)
    this.at[row] = document.at
    this.position[row] = document.position
    this.traits[row] = document.traits
    this.lengths[row] = document.terms.length
    this.scopes[row] = document.scope
    this.knownScopes.add(document.scope)
    this.roles[row] = ROLE_CODES[document.role]
    this.isTurn[row] = document.kind === 'turn' ? 1 : 0
    this.speakers[row] = document.speaker === null ? NONE : this.#internSpeaker(document.speaker)
    this.sessionOf[row] = this.#internSession(document.scope, document.session)
    this.previous[row] = NONE
    this.next[row] = NONE
    if (document.kind === 'turn') this.#link(row)
    return row
  }

  setLive(row: number, live: boolean): void {
    const by = live ? 1 : -1
    const terms = by * (this.lengths[row] ?? 0)
    this.live[row] = live ? 1 : 0
    this.liveCount += by
    this.liveTerms += terms
    const session = this.sessions[this.sessionOf[row] ?? NONE]
    if (session === undefined || this.isTurn[row] === 0) return
    if (session.liveTurns === 0) this.liveSessions++
    session.liveTurns += by
    session.liveTerms += terms
    this.liveTurnTerms += terms
    if (session.liveTurns === 0) this.liveSessions--
  }

  /** Frees the row of a document that is not live. */
  remove(row: number): void {
    if (this.#ids.get(row) === undefined) return
    this.#unlink(row)
    this.#ids.remove(row)
    this.#free.push(row)
  }

  #newRow(id: string): number {
    const row = this.#free.pop() ?? this.length
    if (row >= MOST_ROWS) {
      throw new KeepsakeError(
        'not-possible',
        `One person's index holds at most ${MOST_ROWS} turns and memories.`,
      )
    }
    if (row === this.length) this.length++
    if (row >= this.live.length) this.#grow(row + 1)
    this.#ids.set(row, id)
    return row
  }

  #internSpeaker(name: string): number {
    const known = this.#speakerIndex.get(name)
    if (known !== undefined) return known
    this.#speakerIndex.set(name, this.#speakerNames.length)
    return this.#speakerNames.push(name) - 1
  }

  #internSession(scope: number, session: string): number {
    const key = `${scope} ${session}`
    const known = this.#sessionIndex.get(key)
    if (known !== undefined) return known
    this.#sessionIndex.set(key, this.sessions.length)
    return this.sessions.push({ scope, session, lastRow: NONE, liveTurns: 0, liveTerms: 0 }) - 1
  }

  /** Puts a turn among its session's by position; nearly always it is the last. */
  #link(row: number): void {
    const session = this.sessions[this.sessionOf[row] ?? NONE]
    if (session === undefined) return
    const position = this.position[row] ?? 0
    let before = session.lastRow
    let after = NONE
    while (before !== NONE && (this.position[before] ?? 0) > position) {
      after = before
      before = this.previous[before] ?? NONE
    }
    this.previous[row] = before
    this.next[row] = after
    if (before !== NONE) this.next[before] = row
    if (after === NONE) session.lastRow = row
    else this.previous[after] = row
  }

  #unlink(row: number): void {
    const before = this.previous[row] ?? NONE
    const after = this.next[row] ?? NONE
    if (before !== NONE) this.next[before] = after
    if (after !== NONE) this.previous[after] = before
    const session = this.sessions[this.sessionOf[row] ?? NONE]
    if (session?.lastRow === row) session.lastRow = before
  }

  /** What an image keeps of this. */
  image(): { readonly sections: ImageSections; readonly kept: DocumentTableKept } {
    const sections: Record<string, Numbers> = { ...this.#ids.sections('ids', this.length) }
    for (const name of COLUMNS) sections[`documents.${name}`] = this[name].subarray(0, this.length)
    const { length, liveCount, liveTerms, liveTurnTerms, liveSessions } = this
    const counts = { length, liveCount, liveTerms, liveTurnTerms, liveSessions }
    const of = { free: this.#free, scopes: [...this.knownScopes], speakers: this.#speakerNames }
    return { sections, kept: { ...counts, ...of, sessions: this.sessions } }
  }

  /** Takes in what an image kept, into an empty table. */
  restore(sections: ImageSections, kept: DocumentTableKept): void {
    this.#ids.restore('ids', sections)
    this.at = sectionOf(sections, 'documents.at', Float64Array)
    this.position = sectionOf(sections, 'documents.position', Float64Array)
    for (const name of INTEGERS) this[name] = sectionOf(sections, `documents.${name}`, Int32Array)
    for (const name of BYTES) this[name] = sectionOf(sections, `documents.${name}`, Uint8Array)
    const { length, liveCount, liveTerms, liveTurnTerms, liveSessions } = kept
    Object.assign(this, { length, liveCount, liveTerms, liveTurnTerms, liveSessions })
    this.#free.push(...kept.free)
    for (const scope of kept.scopes) this.knownScopes.add(scope)
    for (const name of kept.speakers) this.#internSpeaker(name)
    for (const entry of kept.sessions) {
      this.#sessionIndex.set(`${entry.scope} ${entry.session}`, this.sessions.length)
      this.sessions.push({ ...entry })
    }
  }

  #grow(length: number): void {
    this.at = grown(this.at, length)
    this.position = grown(this.position, length)
    for (const name of INTEGERS) this[name] = grown(this[name], length)
    for (const name of BYTES) this[name] = grown(this[name], length)
  }
}
