// Records which key did what, for the audit log.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Keepsake, ScopeKey } from 'keepsake'
import type { Records } from 'keepsake/store'
import type { ServerEnv, Protocol } from '../server-context.ts'
import type { Action } from './grant.ts'

/** An action or attempt of a key, without texts, names, questions or answers. */
export interface AuditEntry {
  readonly at: number
  readonly key: string
  /** The protocol of the request. The stored name is older. */
  readonly door: Protocol
  readonly action: Action
  /** The user's row number, which does not identify an erased user; `null` without a known user. */
  readonly owner: number | null
  readonly status: number
}

/** An access that was granted or refused. */
interface Access {
  readonly action: Action
  readonly scope: ScopeKey | undefined
  /** Read before the request runs, because an erased user has no row afterwards. */
  readonly owner: Promise<number | null>
}

type NoteAccess = (action: Action, scope: ScopeKey | undefined) => void

const COLLECTION = 'audit'
/** Entries are written in batches, this long after the first. */
const BATCH_DELAY_MS = 200
const MAX_BATCH_SIZE = 500
const DAY_MS = 24 * 60 * 60 * 1_000
const PAGE_SIZE = 200

const currentRequest = new AsyncLocalStorage<NoteAccess>()

/** Reports an access check to the audit of the current request, if any. */
export const noteAccess: NoteAccess = (action, scope) => currentRequest.getStore()?.(action, scope)

/** Audit log by key, stored with the memory for some days. Entries are written within 200 ms, which a crash may lose. */
export class AuditLog {
  readonly #keepsake: Pick<Keepsake, 'records' | 'scopes'>
  readonly #days: number
  readonly #report: (error: unknown) => void
  #batch: AuditEntry[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(
    keepsake: Pick<Keepsake, 'records' | 'scopes'>,
    { days, report }: { readonly days: number; readonly report: (error: unknown) => void },
  ) {
    this.#keepsake = keepsake
    this.#days = days
    this.#report = report
  }

  /** Records the accesses of each request. */
  middleware(now: () => number): MiddlewareHandler<ServerEnv> {
    return async (c, next) => {
      const accesses: Access[] = []
      const note: NoteAccess = (action, scope) =>
        accesses.push({ action, scope, owner: this.#ownerOf(scope) })
      await currentRequest.run(note, next)
      if (accesses.length === 0) return
      const common = { at: now(), key: c.get('grant').id, door: c.get('protocol'), status: c.res.status }
      const recordedKeys = new Set<string>()
      for (const { action, scope, owner: ownerBefore } of accesses) {
        // A user who had no row before may have been created by the request.
        const owner = (await ownerBefore) ?? (await this.#ownerOf(scope))
        if (!recordedKeys.has(`${action}/${owner}`)) this.#add({ ...common, action, owner })
        recordedKeys.add(`${action}/${owner}`)
      }
    }
  }

  async close(): Promise<void> {
    this.#write()
    await this.#writing
  }

  async #ownerOf(scope: ScopeKey | undefined): Promise<number | null> {
    if (scope === undefined) return null
    const { tenant = 'default', user } = scope
    try {
      return (await this.#keepsake.scopes({ tenant, user }))[0]?.owner ?? null
    } catch (error) {
      this.#report(error)
      return null
    }
  }

  #add(entry: AuditEntry): void {
    this.#batch.push(entry)
    if (this.#batch.length >= MAX_BATCH_SIZE) this.#write()
    else this.#timer ??= setTimeout(() => this.#write(), BATCH_DELAY_MS).unref()
  }

  #write(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const entries = this.#batch
    this.#batch = []
    const [first] = entries
    if (first === undefined) return
    const record = {
      collection: COLLECTION,
      key: `${String(first.at).padStart(15, '0')}-${randomUUID()}`,
      value: { entries: entries.map((entry) => ({ ...entry })) },
      lastsMs: this.#days * DAY_MS,
      isDerived: true,
    }
    this.#writing = this.#writing
      .then(() => this.#keepsake.records.putRecord(record))
      .then(() => undefined, this.#report)
  }
}

/** Reads the entries of the audit log, oldest first. */
export async function* readAudit(
  records: Pick<Records, 'listRecords'>,
  since = 0,
): AsyncGenerator<AuditEntry> {
  // A record's key is the time of its first entry; later entries follow within the batch delay.
  let after = String(Math.max(0, since - BATCH_DELAY_MS)).padStart(15, '0')
  for (;;) {
    const page = await records.listRecords({ collection: COLLECTION, after, limit: PAGE_SIZE })
    for (const { value } of page) {
      const { entries } = value as unknown as { readonly entries: readonly AuditEntry[] }
      yield* entries.filter(({ at }) => at >= since)
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = last.key
  }
}
