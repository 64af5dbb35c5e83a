// Ends open streams when their key is revoked or changed.
import { Problem } from '../problem.ts'
import type { Grant, KeyVerifier } from './grant.ts'

/** Revocations take effect within a second, also those of other processes. */
const LOOK_EVERY_MS = 400
const MAX_PER_KEY = 1_000
/** Open streams of one key about the same scope: each event is written to all of them. */
const MAX_ALIKE = 32

/** A stream that stays open after its request is answered. */
interface Watched {
  readonly grant: Grant
  readonly about: string
  readonly onOver: () => void
}

/** Ends streams whose key was revoked, expired or changed, by any process. */
export class GrantWatch {
  readonly #keys: Pick<KeyVerifier, 'standing'> | null
  readonly #report: (error: unknown) => void
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | null = null

  /** @param keys `null` where no key is needed */
  constructor(keys: Pick<KeyVerifier, 'standing'> | null, report: (error: unknown) => void) {
    this.#keys = keys
    this.#report = report
  }

  /**
   * Calls `onOver` once when the grant ends.
   *
   * @param about what the stream is about
   * @returns a function that stops watching
   * @throws Problem 429 `too-many-streams`
   */
  watch(grant: Grant, onOver: () => void, about: string): () => void {
    const standing = this.#keys?.standing
    if (standing === undefined) return () => undefined
    this.#requireRoom(grant, about)
    const entry = { grant, about, onOver }
    this.#watched.add(entry)
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref()
    return () => this.#leave(entry)
  }

  #requireRoom(grant: Grant, about: string): void {
    const own = [...this.#watched].filter((watch) => watch.grant.id === grant.id)
    if (own.length >= MAX_PER_KEY) throw tooMany(MAX_PER_KEY, 'streams')
    if (own.filter((watch) => watch.about === about).length >= MAX_ALIKE)
      throw tooMany(MAX_ALIKE, 'streams about the same')
  }

  #leave(entry: Watched): void {
    this.#watched.delete(entry)
    if (this.#watched.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  async #look(): Promise<void> {
    const now = new Map<string, Grant | null | undefined>()
    for (const { grant } of this.#watched) {
      if (!now.has(grant.id)) now.set(grant.id, await this.#standing(grant.id))
    }
    for (const entry of this.#watched) {
      const standing = now.get(entry.grant.id)
      if (standing === undefined) continue
      if (standing !== null && extentOf(standing) === extentOf(entry.grant)) continue
      this.#leave(entry)
      entry.onOver()
    }
  }

  /** @returns `undefined` when it cannot be read now */
  async #standing(id: string): Promise<Grant | null | undefined> {
    try {
      return await this.#keys?.standing?.(id)
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }
}

/** Serializes the extent of a grant, to detect changes. */
function extentOf({ tenants, users, actions }: Grant): string {
  return JSON.stringify([tenants, users, actions])
}

function tooMany(most: number, what: string): Problem {
  const detail = `This key has ${most} ${what} open: close one first.`
  return new Problem(429, 'too-many-streams', detail, { retryAfter: 1 })
}
