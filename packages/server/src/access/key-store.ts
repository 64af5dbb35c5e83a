// Creates, lists, revokes and checks API keys in the records of the store.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { maskSecrets, readId } from '@keepsake/text'
import { InvalidInputError, openSqliteStore } from 'keepsake'
import type { Records } from 'keepsake/store'
import { ACTIONS, type Action, type Grant, type KeyVerifier } from './grant.ts'

const ID_BYTES = 6
/** 256 bits cannot be guessed, so a plain hash is enough to store. */
const SECRET_BYTES = 32
const TOKEN_FORMAT = /^ks_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/

export interface KeyToken {
  /** The public part: keys are listed, logged and revoked by id. */
  readonly id: string
  readonly secret: string
}

/** Makes a new key. It is shown once and never stored. */
function makeToken(): KeyToken {
  return {
    id: randomBytes(ID_BYTES).toString('hex'),
    secret: randomBytes(SECRET_BYTES).toString('base64url'),
  }
}

/** `ks_<id>_<secret>`. */
function writeToken({ id, secret }: KeyToken): string {
  return `ks_${id}_${secret}`
}

/** Parses a key; `null` when it is malformed. */
export function readToken(text: string): KeyToken | null {
  const [, id, secret] = TOKEN_FORMAT.exec(text) ?? []
  return id === undefined || secret === undefined ? null : { id, secret }
}

function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Compares a secret with its stored hash, in constant time. */
function matchesHash(secret: string, storedHash: Buffer): boolean {
  return timingSafeEqual(hashSecret(secret), storedHash)
}

/** The options of a new key. */
export interface NewKey {
  /** A label for people: "support bot". */
  readonly name: string
  /** Allowed tenants. Default: all. */
  readonly tenants?: readonly string[] | null
  /** Allowed users within them. Default: all. */
  readonly users?: readonly string[] | null
  /** Default: `read` and `write`. */
  readonly actions?: readonly Action[]
  /** Requests a minute, from 1. Default: the server's own limit. */
  readonly requestsPerMinute?: number | null
  /** Bytes a minute, from 1. Default: the server's own limit. */
  readonly bytesPerMinute?: number | null
  /** Upstream calls a day. Default: the server's own limit. */
  readonly upstreamPerDay?: number | null
  /** Expiry, in milliseconds since 1970. Default: never. */
  readonly expiresAt?: number | null
}

/** A key as it is listed, without its secret. Times in milliseconds since 1970. */
export interface KeyEntry extends Grant {
  readonly createdAt: number
  /** To the minute; `null`: never. */
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  /** `null`: never. */
  readonly expiresAt: number | null
}

/** Options of a store of keys. */
export interface KeyStoreOptions {
  /** The clock, for tests: milliseconds since 1970. */
  readonly now?: () => number
  /** Called when the time of a key's last use could not be written. */
  readonly report?: (error: unknown) => void
}

/** A stored key, with the SHA-256 of its secret in hexadecimal. */
type StoredKey = Omit<KeyEntry, 'id'> & { readonly secretHash: string }

const COLLECTION = 'keys'
const MINUTE_MS = 60_000
const MAX_NAME_LENGTH = 200

/**
 * Stores the keys of a server, in the memory's store or in a file of their own. Secrets are stored as SHA-256 hashes. Every request reads
 * its key, so a revocation takes effect at once.
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

  /** Makes a key. @returns its entry, and the key itself, which is shown only here. @throws InvalidInputError */
  async create(input: NewKey): Promise<{ readonly entry: KeyEntry; readonly key: string }> {
    const name = input.name.trim()
    if (name === '' || name.length > MAX_NAME_LENGTH)
      throw new InvalidInputError(`A key needs a name of 1 to ${MAX_NAME_LENGTH} characters.`)
    if ((await maskSecrets(name)).masked.length > 0)
      throw new InvalidInputError('The name of a key seems to contain a secret. Choose another name.')
    const { id, secret } = makeToken()
    const stored: StoredKey = {
      name,
      secretHash: hashSecret(secret).toString('hex'),
      tenants: readNames(input.tenants, 'tenant'),
      users: readNames(input.users, 'user'),
      actions: readActions(input.actions ?? ['read', 'write']),
      requestsPerMinute: readCount(input.requestsPerMinute ?? null, 'requestsPerMinute', 1),
      bytesPerMinute: readCount(input.bytesPerMinute ?? null, 'bytesPerMinute', 1),
      upstreamPerDay: readCount(input.upstreamPerDay ?? null, 'upstreamPerDay', 0),
      expiresAt: this.#checkExpiry(input.expiresAt ?? null),
      createdAt: this.#now(),
      lastUsedAt: null,
      revokedAt: null,
    }
    await this.#records.putRecord({ collection: COLLECTION, key: id, value: { ...stored }, expect: null })
    return { entry: asEntry(id, stored), key: writeToken({ id, secret }) }
  }

  /** All keys, including revoked ones, oldest first. */
  async list(): Promise<readonly KeyEntry[]> {
    const records = await this.#records.listRecords({ collection: COLLECTION })
    const entries = records.map(({ key, value }) => asEntry(key, asStored(value)))
    return entries.toSorted((a, b) => a.createdAt - b.createdAt)
  }

  /** Revokes a key from the next request on; its streams end within a second. @returns `null` for an unknown id. */
  revoke(id: string): Promise<KeyEntry | null> {
    return this.#change(id, (stored) =>
      stored.revokedAt === null ? { ...stored, revokedAt: this.#now() } : stored,
    )
  }

  /** Makes a key with the same grant. The old one expires after the grace period. `null` for an unknown or ended key. */
  async rotate(
    id: string,
    graceMs: number,
  ): Promise<{ readonly entry: KeyEntry; readonly key: string; readonly old: KeyEntry } | null> {
    const found = await this.#records.getRecord(COLLECTION, id)
    if (found === null || !this.#isValid(asStored(found.value))) return null
    const created = await this.create(asStored(found.value))
    const graceEnd = this.#now() + graceMs
    const old = await this.#change(id, (stored) => ({
      ...stored,
      expiresAt: Math.min(graceEnd, stored.expiresAt ?? graceEnd),
    }))
    return old === null ? null : { ...created, old }
  }

  /** Returns the grant of a key; `null` when the key is unknown, malformed, revoked or expired. */
  async verify(key: string): Promise<Grant | null> {
    const token = readToken(key)
    const found = token === null ? null : await this.#records.getRecord(COLLECTION, token.id)
    if (token === null || found === null) return null
    const stored = asStored(found.value)
    if (!matchesHash(token.secret, Buffer.from(stored.secretHash, 'hex')) || !this.#isValid(stored))
      return null
    await this.#storeLastUse(found.key, stored, found.version)
    return asEntry(found.key, stored)
  }

  /** Returns the present grant of the key with this id; `null` when the key is unknown, revoked or expired. */
  async standing(id: string): Promise<Grant | null> {
    const found = await this.#records.getRecord(COLLECTION, id)
    const stored = found === null ? null : asStored(found.value)
    return stored === null || !this.#isValid(stored) ? null : asEntry(id, stored)
  }

  /** Counts the keys that are neither revoked nor expired. */
  async count(): Promise<number> {
    return (await this.list()).filter((entry) => this.#isValid(entry)).length
  }

  #isValid({ revokedAt, expiresAt }: Pick<StoredKey, 'revokedAt' | 'expiresAt'>): boolean {
    return revokedAt === null && (expiresAt === null || expiresAt > this.#now())
  }

  #checkExpiry(expiresAt: number | null): number | null {
    if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > this.#now()))
      throw new InvalidInputError('expiresAt must be a time in the future, in milliseconds since 1970.')
    return expiresAt
  }

  /** @returns the changed key; `null` for an unknown id */
  async #change(id: string, change: (stored: StoredKey) => StoredKey): Promise<KeyEntry | null> {
    for (;;) {
      const found = await this.#records.getRecord(COLLECTION, id)
      if (found === null) return null
      const stored = asStored(found.value)
      const changed = change(stored)
      if (changed === stored || (await this.#put(id, changed, found.version))) return asEntry(id, changed)
    }
  }

  /** Records the last use to the minute, which is exact enough to find unused keys and costs little. */
  async #storeLastUse(id: string, stored: StoredKey, version: string): Promise<void> {
    const minute = Math.floor(this.#now() / MINUTE_MS) * MINUTE_MS
    if (stored.lastUsedAt !== null && stored.lastUsedAt >= minute) return
    try {
      // Fails without effect when the key was changed meanwhile.
      await this.#put(id, { ...stored, lastUsedAt: minute }, version, true)
    } catch (error) {
      // A full disk must not block all requests.
      this.#report(error)
    }
  }

  /** @returns whether the version still matched. */
  async #put(id: string, stored: StoredKey, version: string, isDerived = false): Promise<boolean> {
    const record = { collection: COLLECTION, key: id, value: { ...stored }, expect: version, isDerived }
    return (await this.#records.putRecord(record)) !== null
  }
}

/** The keys of an open file. */
export interface OpenKeys {
  readonly keys: KeyStore
  /** Closes the file of the keys. */
  readonly close: () => Promise<void>
}

/** Opens the keys in a file, which is created when missing. @throws StoreError */
export async function openKeys(path: string, options: KeyStoreOptions = {}): Promise<OpenKeys> {
  const store = await openSqliteStore({ path })
  return { keys: new KeyStore(store, options), close: () => store.close() }
}

function readActions(actions: readonly Action[]): readonly Action[] {
  if (actions.length === 0 || actions.some((action) => !ACTIONS.includes(action)))
    throw new InvalidInputError(`A key needs actions of ${ACTIONS.join(', ')}.`)
  return ACTIONS.filter((action) => actions.includes(action))
}

function readCount(count: number | null, field: string, minimum: number): number | null {
  if (count !== null && (!Number.isInteger(count) || count < minimum))
    throw new InvalidInputError(`${field} must be a whole number from ${minimum}.`)
  return count
}

function readNames(names: readonly string[] | null | undefined, what: string): readonly string[] | null {
  if (names === null || names === undefined) return null
  if (names.length === 0 || names.some((name) => name.trim() === ''))
    throw new InvalidInputError(`A key that is limited to ${what}s needs at least one name.`)
  return [...new Set(names.map((name) => readId(name, what)))]
}

/** Reads a stored key, with defaults for the fields that earlier versions did not store. */
function asStored(value: object): StoredKey {
  return { bytesPerMinute: null, upstreamPerDay: null, expiresAt: null, ...value } as StoredKey
}

function asEntry(id: string, { secretHash: _secretHash, ...entry }: StoredKey): KeyEntry {
  return { id, ...entry }
}

/** A key that is not stored and ends with the process. */
export interface PassingKey {
  /** `ks_…`, for the user who started the server. */
  readonly key: string
  readonly keys: KeyVerifier
}

/** Makes a key for this process's life that is stored in no file. It may do everything unless actions are given. */
export function makePassingKey(actions: readonly Action[] = ACTIONS): PassingKey {
  const token = makeToken()
  const hash = hashSecret(token.secret)
  const grant: Grant = {
    id: token.id,
    name: 'of this process',
    tenants: null,
    users: null,
    actions,
    requestsPerMinute: null,
  }
  return {
    key: writeToken(token),
    keys: {
      verify: (key) => {
        const presented = readToken(key)
        return presented?.id === token.id && matchesHash(presented.secret, hash) ? grant : null
      },
    },
  }
}
