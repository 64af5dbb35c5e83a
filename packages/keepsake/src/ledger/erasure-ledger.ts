// Records erasures in the store and in a file outside of it.
import { randomBytes, createHash, scrypt } from 'node:crypto'
import type { EraseReceipt, EraseRequest, Store } from '../store/store.ts'
import { open } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { z } from 'zod'

/** An append-only file with a JSON line per erasure, kept when an older store is restored. Only its owner may read it. */
class LedgerFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Reads all entries in order, each id once; none without a file. */
  async read(): Promise<readonly ErasureEntry[]> {
    const entries = new Map<string, ErasureEntry>()
    try {
      const lines = createInterface({ input: createReadStream(this.path, 'utf8'), crlfDelay: Infinity })
      for await (const line of lines) {
        const entry = readEntry(parse(line))
        if (entry !== null && !entries.has(entry.id)) entries.set(entry.id, entry)
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
    return [...entries.values()]
  }

  /** Appends entries durably. The line break before each ends a truncated line of an earlier write. */
  async add(entries: readonly ErasureEntry[]): Promise<void> {
    if (entries.length === 0) return
    const file = await open(this.path, 'a', 0o600)
    try {
      await file.write(entries.map((entry) => `\n${JSON.stringify(entry)}\n`).join(''))
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // The line is empty or truncated. The store has the entry, which is written again.
    return null
  }
}

/** The collection of entries in the store. A restored backup contains only entries of earlier erasures. */
const COLLECTION = 'erasures'
/** The collection of erasures whose data an import brought back, by user and erasure. */
const RETURNED = 'erasures-returned'
const PAGE_SIZE = 1_000

interface ErasedUser {
  readonly owner: number
  readonly tenant: string
  readonly user: string
}

/** An erasure that the stored data may not reflect. */
export interface MissedErasure {
  readonly entry: ErasureEntry
  /** The user found in an import; `null` when it must be looked up. */
  readonly owner: number | null
}

/**
 * Records erasures in the store and in a file outside of it. If a backup is restored, only the file has the later erasures.
 */
export class ErasureLedger {
  readonly #store: Store
  readonly #file: LedgerFile | null
  readonly #report: (error: unknown) => void
  #salt: string | null = null
  /** Ids of erasures during the check after opening, which ignores them; `null` after the check. */
  #madeDuringCheck: Set<string> | null = null
  #background: Promise<void> = Promise.resolve()

  /** @param path of the file; `null` for none */
  constructor(store: Store, path: string | null, report: (error: unknown) => void) {
    this.#store = store
    this.#file = path === null ? null : new LedgerFile(path)
    this.#report = report
  }

  /** Erases, and records the erasure in the same transaction, then in the file. If the file fails, the next opening adds the entry. */
  async erase(user: ErasedUser, request: EraseRequest): Promise<EraseReceipt> {
    const entry = await this.#entryOf(user, request)
    this.#madeDuringCheck?.add(entry.id)
    const receipt = await this.#store.erase({ ...request, record: recordOf(entry), salt: entry.salt })
    await this.#file?.add([entry]).catch(this.#report)
    return receipt
  }

  async #entryOf(user: ErasedUser, { id, userId: owner, at, target }: EraseRequest): Promise<ErasureEntry> {
    const salt = await this.salt()
    const entry = { id, at, owner, salt }
    if (target === 'user') return { ...entry, person: await digestUser(salt, user), turns: [], memories: [] }
    const digests = (ids: readonly string[]): string[] => ids.map((id) => digestId(salt, user, id))
    return { ...entry, person: null, turns: digests(target.turns), memories: digests(target.memories) }
  }

  /** Returns the salt of the store's first erasure, which copies of the store share. */
  async salt(): Promise<string> {
    this.#salt ??= await this.#readSalt()
    return this.#salt
  }

  async #readSalt(): Promise<string> {
    const [first] = await this.#store.listRecords({ collection: COLLECTION, limit: 1 })
    return readEntry(first?.value)?.salt ?? randomBytes(16).toString('base64url')
  }

  /** Returns all known erasures, oldest first. */
  async all(): Promise<readonly ErasureEntry[]> {
    const entries = new Map<string, ErasureEntry>()
    // The file is read first, because each entry was in the store before.
    for (const entry of (await this.#file?.read()) ?? []) entries.set(entry.id, entry)
    for (const entry of await this.#listStored()) entries.set(entry.id, entry)
    return [...entries.values()].toSorted((a, b) => a.at - b.at)
  }

  async #listStored(): Promise<readonly ErasureEntry[]> {
    const entries: ErasureEntry[] = []
    for (let after: string | undefined; ;) {
      const page = await this.#store.listRecords({
        collection: COLLECTION,
        limit: PAGE_SIZE,
        ...(after === undefined ? {} : { after }),
      })
      for (const { value } of page) {
        const entry = readEntry(value)
        if (entry !== null) entries.push(entry)
      }
      after = page.at(-1)?.key
      if (page.length < PAGE_SIZE) return entries
    }
  }

  /** Lists the erasures that the stored data does not have, by the file or by imports, oldest first. */
  async listMissed(): Promise<readonly MissedErasure[]> {
    const missed: MissedErasure[] = []
    const stored = new Set((await this.#listStored()).map(({ id }) => id))
    for (const entry of (await this.#file?.read()) ?? [])
      if (!stored.has(entry.id) && !(await this.#hasReceipt(entry))) missed.push({ entry, owner: null })
    for (const { value, owner } of await this.#store.listRecords({ collection: RETURNED })) {
      const entry = readEntry(value)
      if (entry !== null && owner !== null) missed.push({ entry, owner })
    }
    return missed.toSorted((a, b) => a.entry.at - b.entry.at)
  }

  /** Returns the row number of an erasure's user. */
  async ownerOf(id: string): Promise<number | null> {
    return readEntry((await this.#store.getRecord(COLLECTION, id))?.value)?.owner ?? null
  }

  async #hasReceipt({ id, owner }: ErasureEntry): Promise<boolean> {
    return (await this.#store.listErasures(owner)).some((receipt) => receipt.id === id)
  }

  /** Records that an erasure was repeated, or that none of its data is present. */
  async markRepeated({ entry, owner }: MissedErasure): Promise<void> {
    if (owner === null) await this.#store.putRecord(recordOf(entry))
    else await this.#store.removeRecord(RETURNED, `${owner}/${entry.id}`)
  }

  /** Records that an import brought erased data back. */
  async recordReturn(entry: ErasureEntry, owner: number): Promise<void> {
    const record = { collection: RETURNED, key: `${owner}/${entry.id}`, value: { ...entry }, owner }
    await this.#store.putRecord(record)
  }

  /** Compares file and store after opening: adds missing entries, and warns of erasures that the stored data lacks. */
  begin(): void {
    this.#madeDuringCheck = new Set()
    this.#background = this.#compare()
      .catch(this.#report)
      .finally(() => (this.#madeDuringCheck = null))
  }

  /** Waits for the check after opening. */
  async settle(): Promise<void> {
    await this.#background
  }

  async #compare(): Promise<void> {
    const file = this.#file
    if (file === null) return
    const written = new Set((await file.read()).map(({ id }) => id))
    await file.add(await this.#listUnwritten(written))
    const missed = await this.listMissed()
    if (missed.length === 0) return
    const isEmpty = (await this.#store.listScopes({ limit: 1 })).length === 0
    if (isEmpty) for (const erasure of missed) await this.markRepeated(erasure)
    else process.emitWarning(warningOf(missed.length, this.#store.name, file.path), WARNING)
  }

  /** Lists stored entries with a receipt that are missing in the file. */
  async #listUnwritten(written: ReadonlySet<string>): Promise<ErasureEntry[]> {
    const missing: ErasureEntry[] = []
    for (const entry of await this.#listStored()) {
      if (written.has(entry.id) || this.#madeDuringCheck?.has(entry.id) === true) continue
      if (await this.#hasReceipt(entry)) missing.push(entry)
    }
    return missing
  }
}

const recordOf = (entry: ErasureEntry) => ({ collection: COLLECTION, key: entry.id, value: { ...entry } })

const WARNING = { code: 'KEEPSAKE_ERASED_SINCE' }

function warningOf(count: number, store: string, file: string): string {
  const what = count === 1 ? 'One erasure was' : `${count} erasures were`
  return `${what} made after what "${store}" holds was stored, by the ledger "${file}": a backup stands in its place, or an export was read back. What was erased may be there again. "keepsake erasures" lists it, and "keepsake erasures --repeat" erases it again.`
}

/** The schema of an entry. It names users, turns and memories only by digests, so that it contains no personal data. */
const entrySchema = z.object({
  id: z.string(),
  at: z.number(),
  /** The user's row number in the erased store. */
  owner: z.number(),
  /** The same for a store and all of its copies. */
  salt: z.string(),
  /** The user's digest when the whole user was erased; otherwise `null`. */
  person: z.string().nullable(),
  turns: z.array(z.string()),
  memories: z.array(z.string()),
})

export type ErasureEntry = Readonly<z.infer<typeof entrySchema>>

/** Reads an entry; `null` for anything else, such as a line that a full disk truncated. */
function readEntry(value: unknown): ErasureEntry | null {
  return entrySchema.safeParse(value).data ?? null
}

/** The user whom an id belongs to. */
interface UserName {
  readonly tenant: string
  readonly user: string
}

const scryptAsync = promisify(scrypt) as (secret: string, salt: Buffer, length: number) => Promise<Buffer>

/** Hashes a user's name. The hash is slow, because names are easily guessed. */
export async function digestUser(salt: string, { tenant, user }: UserName): Promise<string> {
  const digest = await scryptAsync(JSON.stringify([tenant, user]), Buffer.from(salt, 'base64url'), 16)
  return digest.toString('base64url')
}

/** Hashes the id of a turn or memory, differently for each user. */
export function digestId(salt: string, { tenant, user }: UserName, id: string): string {
  const hash = createHash('sha256').update(JSON.stringify([salt, tenant, user, id]))
  return hash.digest('base64url').slice(0, 16)
}
