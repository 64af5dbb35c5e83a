import { randomBytes, createHash, scrypt } from 'node:crypto'
import type { EraseReceipt, EraseRequest, Store } from '../store/store.ts'
import { open } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { z } from 'zod'

/**
 * An append-only file of erasures beside the store, a JSON line each, which survives restoring an older store.
 * Readable by the owner only (0600).
 */
class LedgerFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Reads every entry in order, each id once; none without a file. */
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

  /** Appends entries and syncs them. Ends an unfinished line of an earlier write first. */
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
    // Empty or truncated: the store has the entry and rewrites it.
    return null
  }
}

/** Entries among the store's own records, so that a backup says which erasures it has heard of. */
const COLLECTION = 'erasures'
/** What was erased before an export that was read back here was made is there again: by erasure and person. */
const RETURNED = 'erasures-returned'
const PAGE = 1_000

interface Whose {
  readonly owner: number
  readonly tenant: string
  readonly user: string
}

/** An erasure that the stored data may not reflect. */
export interface UnheardErasure {
  readonly entry: ErasureEntry
  /** The user found in an import; `null` when it must be looked up. */
  readonly owner: number | null
}

/**
 * The erasure log, kept in the store and in a file outside it. A restored backup lacks the later erasures, and the file still has them.
 */
export class ErasureLedger {
  readonly #store: Store
  readonly #file: LedgerFile | null
  readonly #report: (error: unknown) => void
  #salt: string | null = null
  /** Ids of erasures made during the check after opening, which ignores them; `null` afterwards. */
  #beside: Set<string> | null = null
  #background: Promise<void> = Promise.resolve()

  /** @param path of the file; `null` for none */
  constructor(store: Store, path: string | null, report: (error: unknown) => void) {
    this.#store = store
    this.#file = path === null ? null : new LedgerFile(path)
    this.#report = report
  }

  /**
   * Erases and records the erasure: in the same transaction, then in the file, before it is acknowledged. If the file
   * cannot be written, reports it and adds the entry at the next opening.
   */
  async erase(whose: Whose, request: EraseRequest): Promise<EraseReceipt> {
    const entry = await this.#entryOf(whose, request)
    this.#beside?.add(entry.id)
    const receipt = await this.#store.erase({ ...request, record: recordOf(entry), salt: entry.salt })
    await this.#file?.add([entry]).catch(this.#report)
    return receipt
  }

  async #entryOf(whose: Whose, { id, userId: owner, at, target }: EraseRequest): Promise<ErasureEntry> {
    const salt = await this.salt()
    if (target === 'user')
      return { id, at, owner, salt, person: await digestPerson(salt, whose), turns: [], memories: [] }
    const digests = (ids: readonly string[]): string[] => ids.map((id) => digestId(salt, whose, id))
    return {
      id,
      at,
      owner,
      salt,
      person: null,
      turns: digests(target.turns),
      memories: digests(target.memories),
    }
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

  async #keep(entry: ErasureEntry): Promise<void> {
    await this.#store.putRecord(recordOf(entry))
  }

  async all(): Promise<readonly ErasureEntry[]> {
    const entries = new Map<string, ErasureEntry>()
    // Reads the file first: its entries were in the store before.
    for (const entry of (await this.#file?.read()) ?? []) entries.set(entry.id, entry)
    for (const entry of await this.#kept()) entries.set(entry.id, entry)
    return [...entries.values()].toSorted((a, b) => a.at - b.at)
  }

  async #kept(): Promise<readonly ErasureEntry[]> {
    const entries: ErasureEntry[] = []
    for (let after: string | undefined; ;) {
      const page = await this.#store.listRecords({
        collection: COLLECTION,
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      })
      for (const { value } of page) {
        const entry = readEntry(value)
        if (entry !== null) entries.push(entry)
      }
      after = page.at(-1)?.key
      if (page.length < PAGE) return entries
    }
  }

  /** Lists erasures of the file or imports that the stored data does not reflect, oldest first. */
  async unheard(): Promise<readonly UnheardErasure[]> {
    const unheard: UnheardErasure[] = []
    const kept = new Set((await this.#kept()).map(({ id }) => id))
    for (const entry of (await this.#file?.read()) ?? [])
      if (!kept.has(entry.id) && !(await this.#hasReceipt(entry))) unheard.push({ entry, owner: null })
    for (const { value, owner } of await this.#store.listRecords({ collection: RETURNED })) {
      const entry = readEntry(value)
      if (entry !== null && owner !== null) unheard.push({ entry, owner })
    }
    return unheard.toSorted((a, b) => a.entry.at - b.entry.at)
  }

  async ownerOf(id: string): Promise<number | null> {
    return readEntry((await this.#store.getRecord(COLLECTION, id))?.value)?.owner ?? null
  }

  async #hasReceipt({ id, owner }: ErasureEntry): Promise<boolean> {
    return (await this.#store.listErasures(owner)).some((receipt) => receipt.id === id)
  }

  /** Records that an erasure was repeated, or concerns no stored data. */
  async hear({ entry, owner }: UnheardErasure): Promise<void> {
    if (owner === null) await this.#keep(entry)
    else await this.#store.removeRecord(RETURNED, `${owner}/${entry.id}`)
  }

  /** Records that an import contains erased data. */
  async noteReturned(entry: ErasureEntry, owner: number): Promise<void> {
    await this.#store.putRecord({
      collection: RETURNED,
      key: `${owner}/${entry.id}`,
      value: { ...entry },
      owner,
    })
  }

  /**
   * Compares file and store in the background after opening: adds missing entries to the file, and warns of unapplied
   * erasures. An empty store has none.
   */
  begin(): void {
    this.#beside = new Set()
    this.#background = this.#compare()
      .catch(this.#report)
      .finally(() => (this.#beside = null))
  }

  async settle(): Promise<void> {
    await this.#background
  }

  async #compare(): Promise<void> {
    const file = this.#file
    if (file === null) return
    const written = new Set((await file.read()).map(({ id }) => id))
    await file.add(await this.#unwritten(written))
    const unheard = await this.unheard()
    if (unheard.length === 0) return
    const isEmpty = (await this.#store.listScopes({ limit: 1 })).length === 0
    if (isEmpty) for (const erasure of unheard) await this.hear(erasure)
    else process.emitWarning(warningOf(unheard.length, this.#store.name, file.path), WARNING)
  }

  /** Lists stored entries with a receipt that the file lacks. */
  async #unwritten(written: ReadonlySet<string>): Promise<ErasureEntry[]> {
    const missing: ErasureEntry[] = []
    for (const entry of await this.#kept()) {
      if (written.has(entry.id) || this.#beside?.has(entry.id) === true) continue
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

/**
 * What the ledger holds of an erasure: what it was, by digests from which no name, id or word can be read. Who holds it can confirm a guess of an
 * id together with the person it belongs to, and of a person slowly.
 */
const entrySchema = z.object({
  id: z.string(),
  at: z.number(),
  /** The user's row number in the erased store. */
  owner: z.number(),
  /** One for a store, and for all that is copied from it. */
  salt: z.string(),
  /** The user's digest when the whole user was erased; otherwise `null`. */
  person: z.string().nullable(),
  turns: z.array(z.string()),
  memories: z.array(z.string()),
})

export type ErasureEntry = Readonly<z.infer<typeof entrySchema>>

/** @returns `null` for what is no entry: a line that was cut off by a full disk, for example */
function readEntry(value: unknown): ErasureEntry | null {
  return entrySchema.safeParse(value).data ?? null
}

/** The user that an id belongs to. */
interface Person {
  readonly tenant: string
  readonly user: string
}

const scryptLater = promisify(scrypt) as (secret: string, salt: Buffer, length: number) => Promise<Buffer>

/** Slow on purpose: names are easily guessed. */
export async function digestPerson(salt: string, { tenant, user }: Person): Promise<string> {
  const digest = await scryptLater(JSON.stringify([tenant, user]), Buffer.from(salt, 'base64url'), 16)
  return digest.toString('base64url')
}

/** Hashes the id of a turn or memory, differently for each user. */
export function digestId(salt: string, { tenant, user }: Person, id: string): string {
  const hash = createHash('sha256').update(JSON.stringify([salt, tenant, user, id]))
  return hash.digest('base64url').slice(0, 16)
}
