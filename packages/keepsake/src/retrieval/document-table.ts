import type { IndexedDocument } from './indexed-document.ts'
import { MOST_ROWS } from './postings.ts'
import { KeepsakeError } from '../errors/keepsake-error.ts'

/** No row, no speaker. */
export const NONE = -1
export const ROLE_CODES = { other: 0, user: 1, agent: 2 } as const
const FIRST_CAPACITY = 64

/** A session as the table keeps it; what it counts is over searchable turns. */
export interface SessionEntry {
  readonly scope: number
  readonly session: string
  lastRow: number
  liveTurns: number
  liveTerms: number
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
  readonly ids: (string | undefined)[] = []
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
  readonly #rows = new Map<string, number>()
  readonly #free: number[] = []
  readonly #sessionIndex = new Map<string, number>()
  readonly #speakerIndex = new Map<string, number>()
  readonly #speakerNames: string[] = []
  #nameBytes = 0

  get size(): number {
    return this.#rows.size
  }

  /** Columns, and about what ids and their map take on the heap. */
  get bytes(): number {
    const perRow = 8 * 2 + 4 * 7 + 3
    return this.live.length * perRow + this.#nameBytes + this.sessions.length * 200
  }

  rowOf(id: string): number | undefined {
    return this.#rows.get(id)
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
    const known = this.#rows.get(document.id)
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
    const id = this.ids[row]
    if (id === undefined) return
    this.#unlink(row)
    this.#rows.delete(id)
    this.#nameBytes -= idBytes(id)
    this.ids[row] = undefined
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
    if (row >= this.live.length) this.#grow(this.live.length * 2)
    this.#rows.set(id, row)
    this.ids[row] = id
    this.#nameBytes += idBytes(id)
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

  #grow(capacity: number): void {
    this.at = widen(this.at, new Float64Array(capacity))
    this.position = widen(this.position, new Float64Array(capacity))
    this.traits = widen(this.traits, new Int32Array(capacity))
    this.lengths = widen(this.lengths, new Int32Array(capacity))
    this.scopes = widen(this.scopes, new Int32Array(capacity))
    this.sessionOf = widen(this.sessionOf, new Int32Array(capacity))
    this.speakers = widen(this.speakers, new Int32Array(capacity))
    this.previous = widen(this.previous, new Int32Array(capacity))
    this.next = widen(this.next, new Int32Array(capacity))
    this.roles = widen(this.roles, new Uint8Array(capacity))
    this.isTurn = widen(this.isTurn, new Uint8Array(capacity))
    this.live = widen(this.live, new Uint8Array(capacity))
  }
}

/** A string's characters and header, its slot in the map and in the list: as measured on V8's heap. */
function idBytes(id: string): number {
  return 70 + id.length
}

function widen<T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
