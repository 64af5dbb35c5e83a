// Ends open streams when their key is revoked or changed.
import { Problem } from '../problem.ts'
import type { Grant, KeyVerifier } from './grant.ts'

/** Interval of checks, so that revocations take effect within a second, also those of other processes. */
const CHECK_INTERVAL_MS = 400
const MAX_PER_KEY = 1_000
/** Open streams of one key about the same scope: each event is written to all of them. */
const MAX_PER_SCOPE = 32

/** A stream that stays open after its request is answered. */
interface WatchedStream {
  readonly grant: Grant
  /** Identifies the scope whose events the stream sends. */
  readonly about: string
  readonly onEnd: () => void
}

/** Ends streams whose key was revoked, expired or changed, by any process. */
export class GrantWatch {
  readonly #keys: Pick<KeyVerifier, 'standing'> | null
  readonly #report: (error: unknown) => void
  readonly #streams = new Set<WatchedStream>()
  #timer: NodeJS.Timeout | null = null

  /** @param keys `null` where no key is needed */
  constructor(keys: Pick<KeyVerifier, 'standing'> | null, report: (error: unknown) => void) {
    this.#keys = keys
    this.#report = report
  }

  /** Calls `onEnd` once when the grant of a stream ends. Returns a function that stops watching. @throws Problem 429 */
  watch(grant: Grant, onEnd: () => void, about: string): () => void {
    const standing = this.#keys?.standing
    if (standing === undefined) return () => undefined
    this.#requireBelowLimit(grant, about)
    const entry = { grant, about, onEnd }
    this.#streams.add(entry)
    this.#timer ??= setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref()
    return () => this.#remove(entry)
  }

  #requireBelowLimit(grant: Grant, about: string): void {
    const streamsOfKey = [...this.#streams].filter((stream) => stream.grant.id === grant.id)
    if (streamsOfKey.length >= MAX_PER_KEY) throw tooManyStreams(MAX_PER_KEY, 'streams')
    if (streamsOfKey.filter((stream) => stream.about === about).length >= MAX_PER_SCOPE)
      throw tooManyStreams(MAX_PER_SCOPE, 'streams about the same')
  }

  #remove(entry: WatchedStream): void {
    this.#streams.delete(entry)
    if (this.#streams.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  async #check(): Promise<void> {
    // `null`: the key has ended. `undefined`: its grant could not be read, so the stream stays open.
    const grants = new Map<string, Grant | null | undefined>()
    for (const { grant } of this.#streams) {
      if (!grants.has(grant.id)) grants.set(grant.id, await this.#readGrant(grant.id))
    }
    for (const entry of this.#streams) {
      const standing = grants.get(entry.grant.id)
      if (standing === undefined) continue
      if (standing !== null && serializeExtent(standing) === serializeExtent(entry.grant)) continue
      this.#remove(entry)
      entry.onEnd()
    }
  }

  /** @returns `undefined` when the grant cannot be read now */
  async #readGrant(id: string): Promise<Grant | null | undefined> {
    try {
      return await this.#keys?.standing?.(id)
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }
}

/** Serializes the extent of a grant, to detect changes. */
function serializeExtent({ tenants, users, actions }: Grant): string {
  return JSON.stringify([tenants, users, actions])
}

function tooManyStreams(limit: number, what: string): Problem {
  const detail = `This key has ${limit} open ${what}. Close one first.`
  return new Problem(429, 'too-many-streams', detail, { retryAfter: 1 })
}
