import type { Database, Statement } from 'better-sqlite3'
import { InvalidInputError } from 'keepsake'
import { openSideFile } from '../serving/open-side-file.ts'
import { ACTIONS, type Action, type Grant } from './access.ts'
import { hashSecret, isSecret, makeToken, readToken, writeToken } from './key-token.ts'

/** What a new key is for and what it opens. */
export interface NewKey {
  /** What people call it: "support bot". */
  readonly name: string
  /** Tenants it opens; every one when absent. */
  readonly tenants?: readonly string[] | null
  /** Users it opens within them; every one when absent. */
  readonly users?: readonly string[] | null
  /** `read` and `write` when absent. */
  readonly actions?: readonly Action[]
  /** Requests a minute, from 1; the server's own limit when absent. */
  readonly requestsPerMinute?: number | null
}

/** A key as it is listed: everything but its secret, which is not kept. Times in milliseconds since 1970. */
export interface KeyEntry extends Grant {
  readonly createdAt: number
  /** To the minute; `null`: never. */
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

export interface KeyStoreOptions {
  /** The file, made when missing; `:memory:` keeps nothing. */
  readonly path: string
  /** The clock, for tests: milliseconds since 1970. */
  readonly now?: () => number
  /** For commands that only look: never makes the file. */
  readonly mustExist?: boolean
  /** Told when the time of a key's last use could not be written. */
  readonly report?: (error: unknown) => void
}

interface KeyRow {
  readonly id: string
  readonly name: string
  readonly secret_hash: Buffer
  readonly tenants: string | null
  readonly users: string | null
  readonly actions: string
  readonly requests_per_minute: number | null
  readonly created_at: number
  readonly last_used_at: number | null
  readonly revoked_at: number | null
}

/** `KEYS` in the file's header. */
const APPLICATION_ID = 0x4b455953
const MINUTE_MS = 60_000
const LONGEST_NAME = 200

const SCHEMA = `
CREATE TABLE keys (
  id                  TEXT PRIMARY KEY,
  name                TEXT NOT NULL,
  secret_hash         BLOB NOT NULL,
  tenants             TEXT,
  users               TEXT,
  actions             TEXT NOT NULL,
  requests_per_minute INTEGER,
  created_at          INTEGER NOT NULL,
  last_used_at        INTEGER,
  revoked_at          INTEGER
) STRICT;`

/**
 * The keys of a server, in a SQLite file of their own beside the memory. Of a secret only its SHA-256 is kept. Every request
 * reads its key's row, which takes microseconds: what another process revokes is closed at once.
 *
 * @example
 * const keys = openKeyStore({ path: 'memory.db.keys' })
 * const { key } = keys.create({ name: 'support bot', tenants: ['acme'] })
 * keys.verify(key)?.name // 'support bot'
 */
export class KeyStore {
  readonly #database: Database
  readonly #now: () => number
  readonly #report: (error: unknown) => void
  readonly #find: Statement<[string], KeyRow>
  readonly #use: Statement<[number, string]>

  /** @internal Use `openKeyStore()`. */
  constructor(database: Database, options: Pick<KeyStoreOptions, 'now' | 'report'>) {
    this.#database = database
    this.#now = options.now ?? Date.now
    this.#report = options.report ?? (() => undefined)
    this.#find = database.prepare('SELECT * FROM keys WHERE id = ?')
    this.#use = database.prepare('UPDATE keys SET last_used_at = ? WHERE id = ?')
  }

  /** Makes a key. @returns its entry, and the key itself, which cannot be had again. @throws InvalidInputError */
  create(given: NewKey): { readonly entry: KeyEntry; readonly key: string } {
    const name = given.name.trim()
    if (name === '' || name.length > LONGEST_NAME)
      throw new InvalidInputError(`A key needs a name of 1 to ${LONGEST_NAME} characters.`)
    const token = makeToken()
    const row = this.#database
      .prepare<unknown[], KeyRow>(
        'INSERT INTO keys (id, name, secret_hash, tenants, users, actions, requests_per_minute, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *',
      )
      .get(
        token.id,
        name,
        hashSecret(token.secret),
        writeNames(given.tenants, 'tenant'),
        writeNames(given.users, 'user'),
        JSON.stringify(readActions(given.actions ?? ['read', 'write'])),
        readRate(given.requestsPerMinute ?? null),
        this.#now(),
      )
    if (row === undefined) throw new Error('SQLite returned no row for the key that it stored.')
    return { entry: asEntry(row), key: writeToken(token) }
  }

  /** All keys, revoked ones too, oldest first. */
  list(): readonly KeyEntry[] {
    return this.#database
      .prepare<[], KeyRow>('SELECT * FROM keys ORDER BY created_at, rowid')
      .all()
      .map(asEntry)
  }

  /** Closes a key for good, from the next request on. @returns `null` when there is none with that id. */
  revoke(id: string): KeyEntry | null {
    this.#database
      .prepare('UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?')
      .run(this.#now(), id)
    const row = this.#find.get(id)
    return row === undefined ? null : asEntry(row)
  }

  /** What a key opens; `null` when it is not known, not whole or revoked, in the same time. */
  verify(key: string): Grant | null {
    const token = readToken(key)
    const row = token === null ? undefined : this.#find.get(token.id)
    const isRight = isSecret(token?.secret ?? '', row?.secret_hash ?? null)
    if (row === undefined || !isRight || row.revoked_at !== null) return null
    this.#noteUse(row)
    return asGrant(row)
  }

  /** How many keys are open. */
  count(): number {
    return Number(this.#database.prepare('SELECT count(*) FROM keys WHERE revoked_at IS NULL').pluck().get())
  }

  close(): void {
    this.#database.close()
  }

  /** Once a minute is exact enough to find keys that nobody uses, and costs a busy server nothing. */
  #noteUse({ id, last_used_at: last }: KeyRow): void {
    const minute = Math.floor(this.#now() / MINUTE_MS) * MINUTE_MS
    if (last !== null && last >= minute) return
    try {
      this.#use.run(minute, id)
    } catch (error) {
      // A full disk must not lock everybody out.
      this.#report(error)
    }
  }
}

/** Opens the keys of a server. @throws InvalidInputError, StoreError when the file cannot be used. */
export function openKeyStore(options: KeyStoreOptions): KeyStore {
  const database = openSideFile({
    path: options.path,
    what: 'the keys',
    application: APPLICATION_ID,
    schema: SCHEMA,
    synchronous: 'full',
    mustExist: options.mustExist ?? false,
  })
  return new KeyStore(database, options)
}

function readActions(actions: readonly Action[]): readonly Action[] {
  if (actions.length === 0 || actions.some((action) => !ACTIONS.includes(action)))
    throw new InvalidInputError(`A key needs actions of ${ACTIONS.join(', ')}.`)
  return ACTIONS.filter((action) => actions.includes(action))
}

function readRate(requests: number | null): number | null {
  if (requests !== null && (!Number.isInteger(requests) || requests < 1))
    throw new InvalidInputError('requestsPerMinute must be a whole number from 1.')
  return requests
}

function writeNames(names: readonly string[] | null | undefined, what: string): string | null {
  if (names === null || names === undefined) return null
  if (names.length === 0 || names.some((name) => name.trim() === ''))
    throw new InvalidInputError(`A key that is limited to ${what}s needs the name of at least one.`)
  return JSON.stringify([...new Set(names)])
}

function asGrant(row: KeyRow): Grant {
  return {
    id: row.id,
    name: row.name,
    tenants: row.tenants === null ? null : (JSON.parse(row.tenants) as string[]),
    users: row.users === null ? null : (JSON.parse(row.users) as string[]),
    actions: JSON.parse(row.actions) as Action[],
    requestsPerMinute: row.requests_per_minute,
  }
}

function asEntry(row: KeyRow): KeyEntry {
  return {
    ...asGrant(row),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}
