import { Problem } from '../problem.ts'
import type { Grant } from './access.ts'
import type { KeyVerifier } from './authenticate.ts'

/** So that what was revoked is over within a second, also when it was revoked in another process. */
const LOOK_EVERY_MS = 400
/** Streams and sessions of one key that may be open at a time, of each kind. */
const MOST_PER_KEY = 1_000
/** Of those, streams about the same person or the same: each event is written to every one of them. */
const MOST_ALIKE = 32

/** Something that stays open after its request was answered: an event stream, a session of MCP. */
interface Watched {
  readonly grant: Grant
  readonly about: string | null
  readonly onOver: () => void
}

/**
 * Ends what stays open when its key no longer opens what it did: revoked, expired or changed, by whichever process. A request is checked
 * when it comes; a stream has to be checked while it lasts.
 */
export class GrantWatch {
  readonly #keys: Pick<KeyVerifier, 'standing'> | null
  readonly #report: (error: unknown) => void
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | null = null

  /** @param keys `null` where nobody needs a key */
  constructor(keys: Pick<KeyVerifier, 'standing'> | null, report: (error: unknown) => void) {
    this.#keys = keys
    this.#report = report
  }

  /**
   * Calls `onOver` once when the grant no longer stands.
   *
   * @param about what the stream is about; absent for sessions, which are told nothing
   * @returns what ends the watching
   * @throws Problem 429 `too-many-streams`
   */
  watch(grant: Grant, onOver: () => void, about: string | null = null): () => void {
    const standing = this.#keys?.standing
    if (standing === undefined) return () => undefined
    this.#requireRoom(grant, about)
    const entry = { grant, about, onOver }
    this.#watched.add(entry)
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref()
    return () => this.#leave(entry)
  }

  #requireRoom(grant: Grant, about: string | null): void {
    let [open, alike] = [0, 0]
    for (const one of this.#watched) {
      if (one.grant.id !== grant.id) continue
      open += 1
      if (one.about === about) alike += 1
    }
    if (open >= MOST_PER_KEY) throw tooMany(MOST_PER_KEY, 'streams or sessions')
    if (about !== null && alike >= MOST_ALIKE) throw tooMany(MOST_ALIKE, 'streams about the same')
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

  /** `undefined`: it cannot be told now. */
  async #standing(id: string): Promise<Grant | null | undefined> {
    try {
      return await this.#keys?.standing?.(id)
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }
}

/** Everything a grant opens, to see whether it has changed. */
export function extentOf({ tenants, users, actions }: Grant): string {
  return JSON.stringify([tenants, users, actions])
}

function tooMany(most: number, what: string): Problem {
  const detail = `This key has ${most} ${what} open: close one first.`
  return new Problem(429, 'too-many-streams', detail, { retryAfter: 1 })
}
