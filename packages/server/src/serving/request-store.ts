import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { NotFoundError, type Records, type StoredRecord } from 'keepsake'
import { makeHolder, stateOfHolder } from 'keepsake/store-kit'
import { given } from '../given.ts'

/** What an earlier request under the same key was answered. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * What is to be done of a request. `run`: it is new, go on, and `finish` with its answer and how to find whom it concerns, or with `null`, so
 * that it may be made again. `replay`: it was done. `conflict`: another request has the key. `busy`: the same one is under way. `note` is what its
 * first run noted.
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

/** Whom an answer concerns; `null`: nobody. */
type FindOwner = () => Promise<number | null>

/** The part of a {@link RequestStore} that a server needs. */
export type Idempotency = Pick<RequestStore, 'begin'>

/** A request as it is kept. */
interface StoredRequest {
  readonly fingerprint: string
  /** Who works on it; of no matter once it was answered. */
  readonly holder: string
  /** Which of the holder's: one that it does not know of any more was begun, or ended, over a connection that was cut. */
  readonly run: string
  readonly begunAt: number
  /** Passed from the first run to each further run. */
  readonly note?: string
  readonly answer: SealedAnswer | null
}

/** A request by what it is called in the store, and what its answer is sealed by. */
interface Named {
  readonly name: string
  readonly grant: string
  readonly key: string
}

const COLLECTION = 'requests'
const DAY_MS = 24 * 60 * 60 * 1_000
/** After which a request under way on another machine, of which nothing can be known, may be begun again. */
const LEASE_MS = 10 * 60 * 1_000
/** How often it is tried to take back an entry that could not be ended. */
const TAKE_BACK_EVERY_MS = 1_000

/**
 * Answers of writing requests by (grant, `Idempotency-Key`), kept for a day with the memory: the same request again gets the same
 * answer and does nothing; another body under the same key is refused (409).
 *
 * A server that is killed between its write to the memory and `finish` leaves an entry that is under way for ever. The next
 * `begin` sees that its process is gone and lets the request run again. Nothing doubles by that: turns get ids from the
 * idempotency key, so that the memory knows them; imports are all or none; and changes of a memory are refused as done
 * (`not-possible`) or set the same again. So an acknowledged request is never run twice, and a request of which nobody knows the
 * end may be, without harm. Entries survive a kill; a power cut may lose the last, which is the same case.
 *
 * The same goes for an entry that was written, or could not be taken back, while the store was out of reach: this process knows
 * what it has under way, lets the rest run again, and takes it back as soon as it can, so that other servers do not wait for it.
 *
 * Answers are sealed by the key of their request, which is not stored, and go with any erasure of something of their person's.
 */
export class RequestStore {
  readonly #records: Records
  readonly #now: () => number
  readonly #holder = makeHolder()
  readonly #underWay = new Set<string>()
  /** Runs by the key of their entries, which may still be there. */
  readonly #leftBehind = new Map<string, string>()
  #timer: NodeJS.Timeout | null = null

  /** @param now the clock, for tests: milliseconds since 1970 */
  constructor(records: Records, now: () => number = Date.now) {
    this.#records = records
    this.#now = now
  }

  /**
   * Asks whether a request is to be done.
   *
   * @param fingerprint of all that it says
   * @param makeNote what each further run of it is told, made when it is begun for the first time; without words of a talk
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

  /** Says that nothing is under way here any more. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#holder.release()
  }

  /** What an entry that is there makes of a request; `null` when it may run. */
  #judge(known: StoredRequest, wanted: string, { grant, key }: Named): Begun | null {
    const { fingerprint, holder, run, begunAt, note, answer } = known
    if (fingerprint !== wanted) return { kind: 'conflict' }
    // Those of earlier versions are not sealed: such a request runs again, which does nothing twice.
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
      // It may be there all the same.
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

  /** An entry that nobody works on, and that may be there. */
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
        // Still out of reach: this is tried again.
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
      // The person was erased meanwhile: nothing of what was done stands.
      if (!(error instanceof NotFoundError)) throw error
      await this.#records.removeRecord(COLLECTION, mine.key, mine.version)
    }
  }

  /** @returns `null` when another version is there than was expected. */
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

/** An answer that only who brings its request’s key can read. */
interface SealedAnswer {
  /** Base64: nonce, tag, and the answer, encrypted. */
  readonly sealed: string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts an answer by the key under which its request came, which the store does not hold: answers may quote a talk, also what was masked
 * before it was remembered, and a database, a journal or a backup holds none of it so.
 */
function sealAnswer(answer: StoredAnswer, grant: string, key: string): SealedAnswer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, secretOf(grant, key), nonce)
  const said = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()])
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), said]).toString('base64') }
}

/** @throws Error of Node's for what was sealed by another key. */
function openAnswer({ sealed }: SealedAnswer, grant: string, key: string): StoredAnswer {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, secretOf(grant, key), nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const said = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return JSON.parse(said.toString('utf8')) as StoredAnswer
}

/** Another one than the name by which a request is found, which is a plain hash of its key. */
function secretOf(grant: string, key: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, grant, 'keepsake: answer of a request', 32))
}
