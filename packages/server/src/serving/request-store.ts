import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { NotFoundError } from 'keepsake'
import { type Records, type StoredRecord, makeHolder, stateOfHolder } from 'keepsake/store'
import { given } from '@keepsake/text/names'

export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** Maximum length of a key, the same as of the engine's names. */
export const MAX_KEY_LENGTH = 255

/** The answer of an earlier request under the same key. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** `conflict`: the key belongs to another request. `busy`: the same request is running. */
type BeginResult = NewRun | StoredReplay | { readonly kind: 'conflict' | 'busy' }

/** The request may run. The caller runs it and calls `finish`. */
export interface NewRun {
  readonly kind: 'run'
  /** The note of the first run. See {@link RequestStore.begin}. */
  readonly note?: string
  /** Stores the answer; `null`: nothing is stored, and the same request may run again. */
  readonly finish: (answer: StoredAnswer | null, findOwner?: FindOwner) => Promise<void>
}

/** The request was finished before. The caller sends the stored answer. */
export interface StoredReplay {
  readonly kind: 'replay'
  readonly note?: string
  readonly answer: StoredAnswer
}

/** Finds the user of an answer, with whom it is erased; `null`: none. */
type FindOwner = () => Promise<number | null>

/** The part of a {@link RequestStore} that a server needs. */
export type Idempotency = Pick<RequestStore, 'begin'>

interface StoredRequest {
  readonly fingerprint: string
  readonly holder: string
  /** The id of the run. If the process of `holder` does not know it, the run was interrupted. */
  readonly run: string
  readonly begunAt: number
  /** Passed from the first run to each retry. */
  readonly note?: string
  readonly answer: SealedAnswer | null
}

/** The store key of a request, and the secret that seals its answer. */
interface RequestName {
  readonly name: string
  readonly grant: string
  readonly key: string
}

const COLLECTION = 'requests'
const DAY_MS = 24 * 60 * 60 * 1_000
/** Time after which a request of an unreachable machine may run again. */
const LEASE_MS = 10 * 60 * 1_000
/** Interval of attempts to remove an entry that could not be finished. */
const CLEAN_INTERVAL_MS = 1_000

/**
 * Stores answers of writing requests for a day, by grant and `Idempotency-Key`. A repeated request gets the same answer and has no effect. A
 * different body with the same key is refused (409).
 *
 * - If a server crashes before `finish`, its entry stays. The next `begin` finds that the process is dead, and runs the request again. This has
 *   no second effect: turn ids derive from the key, imports are atomic, and changes of a memory are refused or set the same value.
 * - If the store was unreachable, the entry is removed later, so that other servers do not wait for it. A power cut may lose the last entries.
 * - Answers are encrypted with the request's key, which is not stored. They are erased with their user.
 */
export class RequestStore {
  readonly #records: Records
  readonly #now: () => number
  readonly #holder = makeHolder()
  readonly #running = new Set<string>()
  /** Interrupted runs whose entries may still exist, by key. */
  readonly #abandoned = new Map<string, string>()
  #timer: NodeJS.Timeout | null = null

  /** @param now the clock, for tests: milliseconds since 1970 */
  constructor(records: Records, now: () => number = Date.now) {
    this.#records = records
    this.#now = now
  }

  /** Begins a request by its fingerprint. `makeNote` makes a note without texts at the first run, which each retry receives. */
  async begin(
    grant: string,
    key: string,
    fingerprint: string,
    makeNote?: () => Promise<string>,
  ): Promise<BeginResult> {
    const name = `${grant}/${createHash('sha256').update(key).digest('hex')}`
    const requestName = { name, grant, key }
    for (;;) {
      const record = await this.#records.getRecord(COLLECTION, name)
      const existing = record === null ? null : (record.value as unknown as StoredRequest)
      const result = existing === null ? null : this.#checkExisting(existing, fingerprint, requestName)
      if (result !== null) return result
      const note = existing === null ? await makeNote?.() : existing.note
      const entry = await this.#createEntry(
        name,
        { fingerprint, ...given({ note }) },
        record?.version ?? null,
      )
      if (entry !== null)
        return {
          kind: 'run',
          ...given({ note }),
          finish: (answer, findOwner) => this.#finishRun(entry, requestName, answer, findOwner),
        }
    }
  }

  /** Ends all runs of this process. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#holder.release()
  }

  /** Compares a request with the existing entry of its key. @returns `null` if the request may run (again) */
  #checkExisting(
    existing: StoredRequest,
    fingerprint: string,
    { grant, key }: RequestName,
  ): BeginResult | null {
    const { holder, run, begunAt, note, answer } = existing
    if (existing.fingerprint !== fingerprint) return { kind: 'conflict' }
    // Earlier versions stored answers that are not sealed. Such a request runs again, without a second effect.
    if (answer?.sealed !== undefined)
      return { kind: 'replay', ...given({ note }), answer: openAnswer(answer, grant, key) }
    return this.#isRunning(holder, run, begunAt) ? { kind: 'busy' } : null
  }

  /** Whether a run is not yet finished, in this or another process. */
  #isRunning(holder: string, run: string, begunAt: number): boolean {
    if (holder === this.#holder.name) return this.#running.has(run)
    const state = stateOfHolder(holder)
    // The state of a process on another machine is unknown.
    return state === 'alive' || (state === 'unknown' && begunAt > this.#now() - LEASE_MS)
  }

  /** @returns `null` when another request was first */
  async #createEntry(
    key: string,
    fields: Pick<StoredRequest, 'fingerprint' | 'note'>,
    expect: string | null,
  ): Promise<StoredRecord | null> {
    const run = randomUUID()
    this.#running.add(run)
    try {
      const request = { ...fields, holder: this.#holder.name, run, begunAt: this.#now(), answer: null }
      const entry = await this.#put(key, request, expect)
      if (entry === null) this.#running.delete(run)
      return entry
    } catch (error) {
      // The write may have reached the store before it failed here.
      this.#abandon(key, run)
      throw error
    }
  }

  async #finishRun(
    entry: StoredRecord,
    { grant, key }: RequestName,
    answer: StoredAnswer | null,
    findOwner?: FindOwner,
  ): Promise<void> {
    const { run } = entry.value as unknown as StoredRequest
    try {
      const owner = answer === null ? null : await findOwner?.()
      const sealedAnswer = answer === null ? null : sealAnswer(answer, grant, key)
      await this.#storeAnswer(entry, sealedAnswer, owner ?? null)
      this.#running.delete(run)
    } catch (error) {
      this.#abandon(entry.key, run)
      throw error
    }
  }

  /** Schedules the removal of an entry that may exist in the store. */
  #abandon(key: string, run: string): void {
    this.#running.delete(run)
    this.#abandoned.set(key, run)
    this.#timer ??= setTimeout(() => void this.#removeAbandoned(), CLEAN_INTERVAL_MS).unref()
  }

  async #removeAbandoned(): Promise<void> {
    for (const [key, run] of this.#abandoned) {
      try {
        const record = await this.#records.getRecord(COLLECTION, key)
        const request = record?.value as unknown as StoredRequest | undefined
        if (record !== null && request?.run === run && request.answer === null)
          await this.#records.removeRecord(COLLECTION, key, record.version)
        if (this.#abandoned.get(key) === run) this.#abandoned.delete(key)
      } catch {
        // The store is still unreachable: retries later.
        break
      }
    }
    this.#timer = null
    if (this.#abandoned.size > 0)
      this.#timer = setTimeout(() => void this.#removeAbandoned(), CLEAN_INTERVAL_MS).unref()
  }

  async #storeAnswer(entry: StoredRecord, answer: SealedAnswer | null, owner: number | null): Promise<void> {
    try {
      const request = { ...(entry.value as unknown as StoredRequest), answer }
      if (answer !== null) await this.#put(entry.key, request, entry.version, owner)
      else await this.#records.removeRecord(COLLECTION, entry.key, entry.version)
    } catch (error) {
      // The user was erased meanwhile, so the answer is not stored.
      if (!(error instanceof NotFoundError)) throw error
      await this.#records.removeRecord(COLLECTION, entry.key, entry.version)
    }
  }

  /** @returns `null` when the expected version is gone. */
  #put(key: string, request: StoredRequest, expect: string | null, owner: number | null = null) {
    const answer = request.answer === null ? null : { ...request.answer }
    const value = { ...request, answer }
    return this.#records.putRecord({
      collection: COLLECTION,
      key,
      value,
      expect,
      owner,
      lastsMs: DAY_MS,
      // A power failure may lose the entry.
      isDerived: true,
    })
  }
}

/** An encrypted answer, which only a caller with the request’s key can read. */
interface SealedAnswer {
  /** Base64: nonce, tag and encrypted answer. */
  readonly sealed: string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts an answer with the key of its request, which is not stored. An answer may quote secrets that are masked in memory. */
function sealAnswer(answer: StoredAnswer, grant: string, key: string): SealedAnswer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, secretOf(grant, key), nonce)
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()])
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64') }
}

/** Decrypts an answer. @throws Error of Node's for another key. */
function openAnswer({ sealed }: SealedAnswer, grant: string, key: string): StoredAnswer {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, secretOf(grant, key), nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const encrypted = Buffer.concat([
    decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ])
  return JSON.parse(encrypted.toString('utf8')) as StoredAnswer
}

/** Derives the secret. It differs from the request's stored name, which is a plain hash of the key. */
function secretOf(grant: string, key: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, grant, 'keepsake: answer of a request', 32))
}
