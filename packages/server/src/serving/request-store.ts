import { createHash } from 'node:crypto'
import { NotFoundError, type Records, type StoredRecord } from 'keepsake'
import { makeHolder, stateOfHolder } from 'keepsake/store-kit'

/** What an earlier request under the same key was answered. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
  readonly contentType: string
}

/**
 * What is to be done of a request. `run`: it is new, go on, and `finish` with its answer and the person it concerns, or with `null`, so
 * that it may be made again. `replay`: it was done. `conflict`: another request has the key. `busy`: the same one is under way.
 */
type Begun =
  | {
      readonly kind: 'run'
      readonly finish: (answer: StoredAnswer | null, owner?: number | null) => Promise<void>
    }
  | { readonly kind: 'replay'; readonly answer: StoredAnswer }
  | { readonly kind: 'conflict' | 'busy' }

/** What a server asks of whoever remembers the answers of writing requests. */
export type Idempotency = Pick<RequestStore, 'begin'>

/** A request as it is kept. */
interface StoredRequest {
  readonly fingerprint: string
  /** Who works on it; of no matter once it was answered. */
  readonly holder: string
  readonly begunAt: number
  readonly answer: StoredAnswer | null
}

const COLLECTION = 'requests'
const DAY_MS = 24 * 60 * 60 * 1_000
/** After which a request under way on another machine, of which nothing can be known, may be begun again. */
const LEASE_MS = 10 * 60 * 1_000

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
 * Answers are stored as they are and go with their person: routes whose answers quote a conversation are not to use it,
 * because erasing a part of one does not reach here.
 */
export class RequestStore {
  readonly #records: Records
  readonly #now: () => number
  readonly #holder = makeHolder()

  /** @param now the clock, for tests: milliseconds since 1970 */
  constructor(records: Records, now: () => number = Date.now) {
    this.#records = records
    this.#now = now
  }

  /** Asks whether a request is to be done. @param fingerprint of all that it says */
  async begin(grant: string, key: string, fingerprint: string): Promise<Begun> {
    const name = `${grant}/${createHash('sha256').update(key).digest('hex')}`
    for (;;) {
      const known = await this.#records.record(COLLECTION, name)
      const begun = known === null ? null : this.#judge(known.value as unknown as StoredRequest, fingerprint)
      if (begun !== null) return begun
      const request = { fingerprint, holder: this.#holder.name, begunAt: this.#now(), answer: null }
      const mine = await this.#put(name, request, known?.version ?? null)
      if (mine !== null) return { kind: 'run', finish: (answer, owner) => this.#end(mine, answer, owner) }
    }
  }

  /** Says that nothing is under way here any more. */
  close(): void {
    this.#holder.release()
  }

  /** What an entry that is there makes of a request; `null` when it may run. */
  #judge({ fingerprint, holder, begunAt, answer }: StoredRequest, wanted: string): Begun | null {
    if (fingerprint !== wanted) return { kind: 'conflict' }
    if (answer !== null) return { kind: 'replay', answer }
    const state = stateOfHolder(holder)
    const isUnderWay = state === 'alive' || (state === 'unknown' && begunAt > this.#now() - LEASE_MS)
    return isUnderWay ? { kind: 'busy' } : null
  }

  async #end(mine: StoredRecord, answer: StoredAnswer | null, owner: number | null = null): Promise<void> {
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
      flush: false,
    })
  }
}
