import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { NotFoundError } from 'keepsake'
import { type Records, type StoredRecord, makeHolder, stateOfHolder } from 'keepsake/store'
import { given } from '@keepsake/text/names'

export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** Longest key taken, as the engine's names. */
export const LONGEST_KEY = 255

/** The answer of an earlier request under the same key. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * What to do with a request. `run`: it is new; `finish` it with its answer and owner, or with `null` to allow a retry. `replay`: answer
 * from the store. `conflict`: another request has the key. `busy`: the same one is running. `note` is the first run's note.
 */
type Begun = BegunRun | BegunReplay | { readonly kind: 'conflict' | 'busy' }

export interface BegunRun {
  readonly kind: 'run'
  readonly note?: string
  readonly finish: (answer: StoredAnswer | null, findOwner?: FindOwner) => Promise<void>
}

export interface BegunReplay {
  readonly kind: 'replay'
  readonly note?: string
  readonly answer: StoredAnswer
}

/** Finds the user of an answer; `null`: none. */
type FindOwner = () => Promise<number | null>

/** The part of a {@link RequestStore} that a server needs. */
export type Idempotency = Pick<RequestStore, 'begin'>

interface StoredRequest {
  readonly fingerprint: string
  /** The process that runs it. */
  readonly holder: string
  /** The run within the holder: an unknown one was cut off in between. */
  readonly run: string
  readonly begunAt: number
  /** Passed from the first run to each retry. */
  readonly note?: string
  readonly answer: SealedAnswer | null
}

/** The store key of a request, and the secret that seals its answer. */
interface Named {
  readonly name: string
  readonly grant: string
  readonly key: string
}

const COLLECTION = 'requests'
const DAY_MS = 24 * 60 * 60 * 1_000
/** After this time, a request running on an unreachable machine may be run again. */
const LEASE_MS = 10 * 60 * 1_000
/** Interval of retries to remove an entry that could not be ended. */
const TAKE_BACK_EVERY_MS = 1_000

/**
 * Stores answers of writing requests by (grant, `Idempotency-Key`) for a day: a repeated request gets the same answer and does nothing;
 * another body under the key is refused (409). A server killed before `finish` leaves a running entry. The next `begin` sees that its
 * process is gone and runs the request again. That doubles nothing: turn ids derive from the key, imports are atomic, and changes of a
 * memory are refused (`not-possible`) or repeat the same value. Entries survive a kill; a power cut may lose the last. An entry written or
 * left while the store was unreachable is removed as soon as possible, so that other servers do not wait for it. Answers are sealed by the
 * key of their request, which is not stored, and are erased with anything of their user.
 */
export class RequestStore {
  readonly #records: Records
  readonly #now: () => number
  readonly #holder = makeHolder()
  readonly #underWay = new Set<string>()
  /** Runs whose entries may still exist, by key. */
  readonly #leftBehind = new Map<string, string>()
  #timer: NodeJS.Timeout | null = null

  /** @param now the clock, for tests: milliseconds since 1970 */
  constructor(records: Records, now: () => number = Date.now) {
    this.#records = records
    this.#now = now
  }

  /**
   * Begins a request.
   *
   * @param fingerprint of the whole request
   * @param makeNote makes the note that each retry receives, when the request first begins; without texts
   */
  async begin(
    grant: string,
    key: string,
    fingerprint: string,
    makeNote?: () => Promise<string>,
  ): Promise<Begun> {
    const name = `${grant}/${createHash('sha256').update(key).digest('hex')}`
    const named = { name, grant, key }
    for (;;) {
      const known = await this.#records.getRecord(COLLECTION, name)
      const before = known === null ? null : (known.value as unknown as StoredRequest)
      const begun = before === null ? null : this.#judge(before, fingerprint, named)
      if (begun !== null) return begun
      const note = before === null ? await makeNote?.() : before.note
      const mine = await this.#enter(name, { fingerprint, ...given({ note }) }, known?.version ?? null)
      if (mine !== null)
        return { kind: 'run', ...given({ note }), finish: (answer, of) => this.#end(mine, named, answer, of) }
    }
  }

  /** Ends all runs of this process. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#holder.release()
  }

  /** Judges an existing entry; `null` when the request may run. */
  #judge(known: StoredRequest, wanted: string, { grant, key }: Named): Begun | null {
    const { fingerprint, holder, run, begunAt, note, answer } = known
    if (fingerprint !== wanted) return { kind: 'conflict' }
    // Answers of earlier versions are not sealed: such a request runs again, without double effects.
    if (answer?.sealed !== undefined)
      return { kind: 'replay', ...given({ note }), answer: openAnswer(answer, grant, key) }
    if (holder === this.#holder.name) return this.#underWay.has(run) ? { kind: 'busy' } : null
    const state = stateOfHolder(holder)
    const isUnderWay = state === 'alive' || (state === 'unknown' && begunAt > this.#now() - LEASE_MS)
    return isUnderWay ? { kind: 'busy' } : null
  }

  /** @returns `null` when another request was first */
  async #enter(
    key: string,
    asked: Pick<StoredRequest, 'fingerprint' | 'note'>,
    expect: string | null,
  ): Promise<StoredRecord | null> {
    const run = randomUUID()
    this.#underWay.add(run)
    try {
      const request = { ...asked, holder: this.#holder.name, run, begunAt: this.#now(), answer: null }
      const mine = await this.#put(key, request, expect)
      if (mine === null) this.#underWay.delete(run)
      return mine
    } catch (error) {
      // The write may have succeeded.
      this.#leave(key, run)
      throw error
    }
  }

  async #end(
    mine: StoredRecord,
    { grant, key }: Named,
    answer: StoredAnswer | null,
    findOwner?: FindOwner,
  ): Promise<void> {
    const { run } = mine.value as unknown as StoredRequest
    try {
      const owner = answer === null ? null : await findOwner?.()
      await this.#settle(mine, answer === null ? null : sealAnswer(answer, grant, key), owner ?? null)
      this.#underWay.delete(run)
    } catch (error) {
      this.#leave(mine.key, run)
      throw error
    }
  }

  /** Remembers an abandoned entry that may exist. */
  #leave(key: string, run: string): void {
    this.#underWay.delete(run)
    this.#leftBehind.set(key, run)
    this.#timer ??= setTimeout(() => void this.#takeBack(), TAKE_BACK_EVERY_MS).unref()
  }

  async #takeBack(): Promise<void> {
    for (const [key, run] of this.#leftBehind) {
      try {
        const known = await this.#records.getRecord(COLLECTION, key)
        const request = known?.value as unknown as StoredRequest | undefined
        if (known !== null && request?.run === run && request.answer === null)
          await this.#records.removeRecord(COLLECTION, key, known.version)
        if (this.#leftBehind.get(key) === run) this.#leftBehind.delete(key)
      } catch {
        // Still unreachable: retried later.
        break
      }
    }
    this.#timer = null
    if (this.#leftBehind.size > 0)
      this.#timer = setTimeout(() => void this.#takeBack(), TAKE_BACK_EVERY_MS).unref()
  }

  async #settle(mine: StoredRecord, answer: SealedAnswer | null, owner: number | null): Promise<void> {
    try {
      const request = { ...(mine.value as unknown as StoredRequest), answer }
      if (answer !== null) await this.#put(mine.key, request, mine.version, owner)
      else await this.#records.removeRecord(COLLECTION, mine.key, mine.version)
    } catch (error) {
      // The user was erased meanwhile.
      if (!(error instanceof NotFoundError)) throw error
      await this.#records.removeRecord(COLLECTION, mine.key, mine.version)
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
      isDerived: true,
    })
  }
}

/** An answer that only the holder of its request’s key can read. */
interface SealedAnswer {
  /** Base64: nonce, tag and encrypted answer. */
  readonly sealed: string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts an answer by its request's idempotency key, which the store does not hold. Answers may quote text that was masked before it was
 * remembered; no database, journal or backup holds it in the clear.
 */
function sealAnswer(answer: StoredAnswer, grant: string, key: string): SealedAnswer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, secretOf(grant, key), nonce)
  const said = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()])
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), said]).toString('base64') }
}

/** @throws Error of Node's for another key. */
function openAnswer({ sealed }: SealedAnswer, grant: string, key: string): StoredAnswer {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, secretOf(grant, key), nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const said = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return JSON.parse(said.toString('utf8')) as StoredAnswer
}

/** Derives the secret. It differs from the request's stored name, which is a plain hash of the key. */
function secretOf(grant: string, key: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, grant, 'keepsake: answer of a request', 32))
}
