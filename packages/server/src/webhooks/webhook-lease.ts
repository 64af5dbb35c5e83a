import type { Keepsake, StoredRecord } from 'keepsake'
import { makeHolder, stateOfHolder } from 'keepsake/store-kit'

const COLLECTION = 'webhook-leases'
/** After which what another machine holds, of which nothing can be known, may be taken. Renewed in a third of it. */
const LEASE_MS = 30_000

/**
 * By it one process has a webhook to itself, among all that share the store. A killed process of this machine is known to be gone;
 * that of another lets go when its lease lapses.
 */
export class WebhookLease {
  readonly #keepsake: Keepsake
  readonly #holder = makeHolder()

  constructor(keepsake: Keepsake) {
    this.#keepsake = keepsake
  }

  /** Does work while nobody else does it for the same name. @returns whether it was this one's to do. */
  async alone(name: string, work: (holds: () => boolean) => Promise<void>): Promise<boolean> {
    let held = await this.#take(name)
    if (held === null) return false
    const renew = async (): Promise<void> => {
      held = held === null ? null : await this.#put(name, held.version).catch(() => held)
    }
    const timer = setInterval(() => void renew(), LEASE_MS / 3).unref()
    try {
      await work(() => held !== null)
    } finally {
      clearInterval(timer)
      if (held !== null) await this.#keepsake.records.removeRecord(COLLECTION, name, held.version)
    }
    return true
  }

  /** Says that nothing is held here any more. */
  close(): void {
    this.#holder.release()
  }

  async #take(name: string): Promise<StoredRecord | null> {
    const found = await this.#keepsake.records.record(COLLECTION, name)
    const { holder } = (found?.value ?? {}) as { readonly holder?: string }
    const isFree = holder === undefined || stateOfHolder(holder) === 'dead'
    return isFree ? this.#put(name, found?.version ?? null) : null
  }

  #put(name: string, expect: string | null): Promise<StoredRecord | null> {
    const value = { holder: this.#holder.name }
    const record = { collection: COLLECTION, key: name, value, expect, lastsMs: LEASE_MS, flush: false }
    return this.#keepsake.records.putRecord(record)
  }
}
