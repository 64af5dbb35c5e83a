import { createHash } from 'node:crypto'
import type { Database, Statement } from 'better-sqlite3'
import type { Idempotency, StoredAnswer } from './idempotency.ts'
import { openSideFile } from './open-side-file.ts'
import { makeHolder, stateOfHolder, type RequestHolder } from './request-holder.ts'

export interface RequestStoreOptions {
  /** The file, made when missing; `:memory:` keeps nothing. */
  readonly path: string
  /** The clock, for tests: milliseconds since 1970. */
  readonly now?: () => number
}

interface RequestRow {
  readonly fingerprint: string
  readonly holder: string | null
  readonly begun_at: number
  readonly status: number | null
  readonly content_type: string | null
  readonly body: string | null
}

type Begun = Awaited<ReturnType<Idempotency['begin']>>

/** `REQS` in the file's header. */
const APPLICATION_ID = 0x52455153
const DAY_MS = 24 * 60 * 60 * 1_000
const PURGE_EVERY_MS = 60_000
/** After which a request under way on another machine, of which nothing can be known, may be begun again. */
const LEASE_MS = 10 * 60 * 1_000

/** `holder`: who works on it; without one it was answered. */
const SCHEMA = `
CREATE TABLE requests (
  grant_id     TEXT NOT NULL,
  key_hash     BLOB NOT NULL,
  fingerprint  TEXT NOT NULL,
  holder       TEXT,
  begun_at     INTEGER NOT NULL,
  status       INTEGER,
  content_type TEXT,
  body         TEXT,
  PRIMARY KEY (grant_id, key_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_by_age ON requests (begun_at);`

/**
 * Answers of writing requests, kept for a day in a SQLite file beside the memory.
 *
 * A server that is killed between its write to the memory and `finish` leaves an entry that is under way for ever. The next
 * `begin` sees that its process is gone and lets the request run again. Nothing doubles by that: turns get ids from the
 * idempotency key, so that the memory knows them; imports are all or none; and changes of a memory are refused as done
 * (`not-possible`) or set the same again. So an acknowledged request is never run twice, and a request of which nobody knows the
 * end may be, without harm. The file survives a kill; a power cut may lose its last entries, which is the same case.
 *
 * Answers are stored as they are: routes whose answers quote a conversation are not to use it, because erasing does not
 * reach here.
 */
export class RequestStore implements Idempotency {
  readonly #database: Database
  readonly #now: () => number
  readonly #holder: RequestHolder = makeHolder()
  readonly #find: Statement<[string, Buffer], RequestRow>
  readonly #insert: Statement<[string, Buffer, string, string, number]>
  readonly #finish: Statement
  readonly #drop: Statement<[string, Buffer, string]>
  #purgedAt = 0

  /** @internal Use `openRequestStore()`. */
  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
    this.#find = database.prepare('SELECT * FROM requests WHERE grant_id = ? AND key_hash = ?')
    this.#insert = database.prepare(
      'INSERT OR REPLACE INTO requests (grant_id, key_hash, fingerprint, holder, begun_at) VALUES (?, ?, ?, ?, ?)',
    )
    this.#finish = database.prepare(
      'UPDATE requests SET holder = NULL, status = ?, content_type = ?, body = ? WHERE grant_id = ? AND key_hash = ? AND holder = ?',
    )
    this.#drop = database.prepare('DELETE FROM requests WHERE grant_id = ? AND key_hash = ? AND holder = ?')
  }

  /** See {@link Idempotency}. */
  async begin(grant: string, key: string, fingerprint: string): Promise<Begun> {
    const hash = createHash('sha256').update(key).digest()
    return this.#database.transaction(() => this.#begin(grant, hash, fingerprint)).immediate()
  }

  close(): void {
    this.#holder.release()
    this.#database.close()
  }

  #begin(grant: string, hash: Buffer, fingerprint: string): Begun {
    const now = this.#now()
    this.#purge(now)
    const row = this.#find.get(grant, hash)
    if (row !== undefined && row.begun_at > now - DAY_MS) {
      if (row.fingerprint !== fingerprint) return { kind: 'conflict' }
      if (row.holder === null) return answered(row)
      if (isUnderWay(row.holder, row.begun_at, now)) return { kind: 'busy' }
    }
    const holder = this.#holder.name
    this.#insert.run(grant, hash, fingerprint, holder, now)
    return { kind: 'run', finish: async (answer) => this.#end(grant, hash, holder, answer) }
  }

  #end(grant: string, hash: Buffer, holder: string, answer: StoredAnswer | null): void {
    if (answer === null) this.#drop.run(grant, hash, holder)
    else this.#finish.run(answer.status, answer.contentType, answer.body, grant, hash, holder)
  }

  #purge(now: number): void {
    if (now - this.#purgedAt < PURGE_EVERY_MS) return
    this.#purgedAt = now
    this.#database.prepare('DELETE FROM requests WHERE begun_at <= ?').run(now - DAY_MS)
  }
}

function answered({ status, body, content_type: contentType }: RequestRow): Begun {
  if (status === null || body === null || contentType === null)
    throw new Error('A request stands as answered, and its answer is not there.')
  return { kind: 'replay', answer: { status, body, contentType } }
}

function isUnderWay(holder: string, begunAt: number, now: number): boolean {
  const state = stateOfHolder(holder)
  return state === 'alive' || (state === 'unknown' && begunAt > now - LEASE_MS)
}

/** Opens the answers of earlier requests. @throws InvalidInputError, StoreError when the file cannot be used. */
export function openRequestStore({ path, now = Date.now }: RequestStoreOptions): RequestStore {
  const database = openSideFile({
    path,
    what: 'the answers to earlier requests',
    application: APPLICATION_ID,
    schema: SCHEMA,
    synchronous: 'normal',
  })
  return new RequestStore(database, now)
}
