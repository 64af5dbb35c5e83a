import { stat } from 'node:fs/promises'
import { InvalidInputError, openSqliteStore, type Records } from 'keepsake'
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
  /** The clock, for tests: milliseconds since 1970. */
  readonly now?: () => number
  /** Told when the time of a key's last use could not be written. */
  readonly report?: (error: unknown) => void
}

/** A key as it is kept: of its secret the SHA-256, in hexadecimal. */
type StoredKey = Omit<KeyEntry, 'id'> & { readonly secretHash: string }

const COLLECTION = 'keys'
const MINUTE_MS = 60_000
const LONGEST_NAME = 200

/**
 * The keys of a server, kept with the memory it serves or in a file of their own. Of a secret only its SHA-256 is kept. Every
 * request reads its key's record, which takes microseconds: what another process revokes is closed at once.
 *
 * @example
 * const keys = new KeyStore(keepsake.records)
 * const { key } = await keys.create({ name: 'support bot', tenants: ['acme'] })
 * ;(await keys.verify(key))?.name // 'support bot'
 */
export class KeyStore {
  readonly #records: Records
  readonly #now: () => number
  readonly #report: (error: unknown) => void

  constructor(records: Records, { now = Date.now, report = () => undefined }: KeyStoreOptions = {}) {
    this.#records = records
    this.#now = now
    this.#report = report
  }

  /** Makes a key. @returns its entry, and the key itself, which cannot be had again. @throws InvalidInputError */
  async create(given: NewKey): Promise<{ readonly entry: KeyEntry; readonly key: string }> {
    const name = given.name.trim()
    if (name === '' || name.length > LONGEST_NAME)
      throw new InvalidInputError(`A key needs a name of 1 to ${LONGEST_NAME} characters.`)
    const { id, secret } = makeToken()
    const stored: StoredKey = {
      name,
      secretHash: hashSecret(secret).toString('hex'),
      tenants: readNames(given.tenants, 'tenant'),
      users: readNames(given.users, 'user'),
      actions: readActions(given.actions ?? ['read', 'write']),
      requestsPerMinute: readRate(given.requestsPerMinute ?? null),
      createdAt: this.#now(),
      lastUsedAt: null,
      revokedAt: null,
    }
    await this.#records.putRecord({ collection: COLLECTION, key: id, value: { ...stored }, expect: null })
    return { entry: asEntry(id, stored), key: writeToken({ id, secret }) }
  }

  /** All keys, revoked ones too, oldest first. */
  async list(): Promise<readonly KeyEntry[]> {
    const records = await this.#records.records({ collection: COLLECTION })
    const entries = records.map(({ key, value }) => asEntry(key, asStored(value)))
    return entries.toSorted((one, other) => one.createdAt - other.createdAt)
  }

  /** Closes a key for good, from the next request on. @returns `null` when there is none with that id. */
  async revoke(id: string): Promise<KeyEntry | null> {
    for (;;) {
      const found = await this.#records.record(COLLECTION, id)
      if (found === null) return null
      const stored = asStored(found.value)
      if (stored.revokedAt !== null) return asEntry(id, stored)
      const revoked = { ...stored, revokedAt: this.#now() }
      if (await this.#put(id, revoked, found.version)) return asEntry(id, revoked)
    }
  }

  /** What a key opens; `null` when it is not known, not whole or revoked, in the same time. */
  async verify(key: string): Promise<Grant | null> {
    const token = readToken(key)
    const found = token === null ? null : await this.#records.record(COLLECTION, token.id)
    const stored = found === null ? null : asStored(found.value)
    const hash = stored === null ? null : Buffer.from(stored.secretHash, 'hex')
    const isRight = isSecret(token?.secret ?? '', hash)
    if (found === null || stored === null || !isRight || stored.revokedAt !== null) return null
    await this.#noteUse(found.key, stored, found.version)
    return asGrant(found.key, stored)
  }

  /** How many keys are open. */
  async count(): Promise<number> {
    return (await this.list()).filter(({ revokedAt }) => revokedAt === null).length
  }

  /** Once a minute is exact enough to find keys that nobody uses, and costs a busy server nothing. */
  async #noteUse(id: string, stored: StoredKey, version: string): Promise<void> {
    const minute = Math.floor(this.#now() / MINUTE_MS) * MINUTE_MS
    if (stored.lastUsedAt !== null && stored.lastUsedAt >= minute) return
    try {
      // One that was changed meanwhile keeps the change.
      await this.#put(id, { ...stored, lastUsedAt: minute }, version, false)
    } catch (error) {
      // A full disk must not lock everybody out.
      this.#report(error)
    }
  }

  /** @returns whether it still was of that version. */
  async #put(id: string, stored: StoredKey, version: string, flush = true): Promise<boolean> {
    const record = { collection: COLLECTION, key: id, value: { ...stored }, expect: version, flush }
    return (await this.#records.putRecord(record)) !== null
  }
}

/** Keys in a file, and how to let go of it. */
export interface OpenKeys {
  readonly keys: KeyStore
  readonly close: () => Promise<void>
}

/**
 * Opens the keys that a file holds: a memory's own, or one that is for keys alone.
 *
 * @param mustExist for commands that only look: never makes the file
 * @throws InvalidInputError, StoreError when the file cannot be used.
 */
export async function openKeys(
  path: string,
  { mustExist = false, ...options }: KeyStoreOptions & { readonly mustExist?: boolean } = {},
): Promise<OpenKeys> {
  if (mustExist && path !== ':memory:' && (await stat(path).catch(() => null)) === null)
    throw new InvalidInputError(`There is no file ${path} with keys.`)
  const store = await openSqliteStore({ path })
  return { keys: new KeyStore(store, options), close: () => store.close() }
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

function readNames(names: readonly string[] | null | undefined, what: string): readonly string[] | null {
  if (names === null || names === undefined) return null
  if (names.length === 0 || names.some((name) => name.trim() === ''))
    throw new InvalidInputError(`A key that is limited to ${what}s needs the name of at least one.`)
  return [...new Set(names)]
}

/** Nothing but this writes into the collection. */
function asStored(value: object): StoredKey {
  return value as StoredKey
}

function asGrant(id: string, { name, tenants, users, actions, requestsPerMinute }: StoredKey): Grant {
  return { id, name, tenants, users, actions, requestsPerMinute }
}

function asEntry(id: string, stored: StoredKey): KeyEntry {
  const { createdAt, lastUsedAt, revokedAt } = stored
  return { ...asGrant(id, stored), createdAt, lastUsedAt, revokedAt }
}
