// Copies all users of one store into another, and compares both.
import { createHash } from 'node:crypto'
import { NotPossibleError } from '../errors/errors.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Metadata } from '@keepsake/text/names'
import { makeHolder, stateOfHolder, type ProcessHolder } from '../store/process-holder.ts'
import type { NewRecord, Store, StoredRecord, ExportRow } from '../store/store.ts'

/** Number and hash of a user's rows. */
interface RowDigest {
  readonly rows: number
  readonly hash: string
}

/** Reads rows to their end. */
async function drain(rows: AsyncIterable<ExportRow>): Promise<void> {
  for await (const _ of rows);
}

/** Counts and hashes rows. The order of a row's fields does not change the hash, because it differs between stores. */
class RowCounter {
  readonly #hash = createHash('sha256')
  #rows = 0

  /** Passes rows on and counts them. */
  async *count(rows: AsyncIterable<ExportRow>): AsyncGenerator<ExportRow> {
    for await (const row of rows) {
      this.#rows += 1
      this.#hash.update(JSON.stringify(withSortedFields(row)))
      yield row
    }
  }

  digest(): RowDigest {
    return { rows: this.#rows, hash: this.#hash.digest('hex') }
  }
}

function withSortedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedFields)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, withSortedFields(inner)]),
  )
}

export interface MigrateOptions {
  /** The source, which is only read. Users who change during the migration are reported at the end. */
  readonly from: Store
  /** The target: empty, or with an interrupted migration of the same source. It must not be used until the migration ends. */
  readonly to: Store
  /** Name of the source. A continued migration must give the same name. */
  readonly source: string
  /** Collections of records to copy, such as a server's `keys`. Collections whose records expire should not be copied. */
  readonly collections: readonly string[]
  /** Collections whose records contain row numbers of the store, each with a function that replaces them by the target's numbers. */
  readonly numbered?: Readonly<Record<string, MoveRecord>>
  /** Called after each user. */
  readonly onProgress?: (people: number, rows: number) => void
}

/** Converts a record for the target. Returns `null` for a record that is not copied, because its user was erased. */
export type MoveRecord = (
  record: StoredRecord,
  moved: MovedNumbers,
) => Promise<Pick<NewRecord, 'key' | 'value'> | null>

/** The counts of a migration. */
export interface Migrated {
  /** Number of copied users. */
  readonly people: number
  /** Number of users that an earlier run copied, included in `people`. */
  readonly before: number
  readonly rows: number
  readonly records: number
  /** Number of records in `numbered` collections that were not copied, because their user was erased. */
  readonly left: number
  /** Users who were changed at the source after they were read, as `tenant/user`. The target does not have these changes. */
  readonly changed: readonly string[]
}

/** Collection of the record that marks a target as used by a migration. */
const COLLECTION = 'migration'
const MIGRATION_KEY = 'whole'
/** Number of rows that are read or written at a time. */
const PAGE_SIZE = 500

interface MigrationRecord {
  readonly source: string
  readonly holder: string
  readonly isDone: boolean
}

/**
 * Copies all users from one store to another: turns, log, memories, progress of branches, jobs, index documents and records. After each
 * user, the number and hash of the rows are compared with the source. After an interruption, the same call copies the remaining users
 * and compares the others. Claims, receipts of erasures and records that expire are not copied.
 *
 * @throws NotPossibleError if the target contains other data, another process migrates into it, or rows of source and target differ
 */
export async function migrateStore(options: MigrateOptions): Promise<Migrated> {
  const holder = makeHolder()
  try {
    const version = await beginMigration(options, holder)
    const migration = new Migration(options)
    const migrated = await migration.run()
    await endMigration(options, holder, version)
    return migrated
  } finally {
    holder.release()
  }
}

/** Marks the target as used by this migration. @returns the version of the migration's record */
async function beginMigration({ to, source }: MigrateOptions, holder: ProcessHolder): Promise<string> {
  const found = await to.getRecord(COLLECTION, MIGRATION_KEY)
  if (found === null && (await to.listScopes({ limit: 1 })).length > 0)
    throw new NotPossibleError(
      `${to.name} holds memories already. Migrate into an empty store, or into one that a migration was broken off in.`,
    )
  if (found !== null) requireContinuable(found.value as unknown as MigrationRecord, to.name, source)
  const value: Metadata = { source, holder: holder.name, isDone: false }
  const expect = found?.version ?? null
  const put = await to.putRecord({ collection: COLLECTION, key: MIGRATION_KEY, value, expect })
  if (put === null) throw busy(to.name)
  return put.version
}

/** Refuses to continue another source's migration, a finished one, or one that another process runs. */
function requireContinuable(found: MigrationRecord, name: string, source: string): void {
  if (found.source !== source)
    throw new NotPossibleError(`${name} holds a migration of ${found.source}, not of ${source}.`)
  if (found.isDone)
    throw new NotPossibleError(`${name} holds all of ${source} already: the migration is done.`)
  if (stateOfHolder(found.holder) === 'alive') throw busy(name)
}

function busy(name: string): NotPossibleError {
  return new NotPossibleError(`Another process migrates into ${name} now.`)
}

async function endMigration(
  { to, source }: MigrateOptions,
  holder: ProcessHolder,
  expect: string,
): Promise<void> {
  const value: Metadata = { source, holder: holder.name, isDone: true }
  if ((await to.putRecord({ collection: COLLECTION, key: MIGRATION_KEY, value, expect })) === null)
    throw busy(to.name)
}

/** A copied user: the row number in the target, and the source's revision that was copied. */
interface CopiedUser {
  readonly target: number
  readonly revision: number
}

class Migration {
  readonly #options: MigrateOptions
  readonly #changed = new Set<string>()
  /** Copied users by their row number in the source. */
  readonly #users = new Map<number, CopiedUser>()
  #before = 0
  #rows = 0

  constructor(options: MigrateOptions) {
    this.#options = options
  }

  async run(): Promise<Migrated> {
    const { from, onProgress } = this.#options
    for await (const row of scopesOf(from)) {
      if (this.#users.has(row.owner)) continue
      this.#users.set(row.owner, await this.#copyUser(row))
      onProgress?.(this.#users.size, this.#rows)
    }
    for await (const row of scopesOf(from)) {
      const copied = this.#users.get(row.owner)
      if (copied !== undefined && copied.revision !== (await from.revision(row.owner)))
        this.#changed.add(nameOf(row))
    }
    const records = await this.#copyRecords()
    return {
      people: this.#users.size,
      before: this.#before,
      rows: this.#rows,
      ...records,
      changed: [...this.#changed],
    }
  }

  /** Copies all rows and index documents of a user, and compares the rows of source and target. */
  async #copyUser(row: ScopeRow): Promise<CopiedUser> {
    const { from, to } = this.#options
    const { tenant, user, owner } = row
    const revision = await from.revision(owner)
    const sourceCounter = new RowCounter()
    const sourceRows = sourceCounter.count(from.exportUser(owner))
    // An interrupted run imported the user, whose rows are then only compared. An import is stored whole or not at all.
    const isImported = (await to.listScopes({ tenant, user, limit: 1 })).length > 0
    await (isImported ? drain(sourceRows) : to.importUser(sourceRows))
    if (isImported) this.#before += 1
    const [targetRow] = await to.listScopes({ tenant, user, limit: 1 })
    if (targetRow === undefined) throw differs(row, 'they are not there')
    const target = targetRow.owner
    await this.#copyIndex(owner, target)
    const targetCounter = new RowCounter()
    await drain(targetCounter.count(to.exportUser(target)))
    const expected = sourceCounter.digest()
    const copied = targetCounter.digest()
    this.#rows += expected.rows
    if (expected.hash === copied.hash) return { target, revision }
    if (isImported) this.#changed.add(nameOf(row))
    else if (expected.rows === copied.rows) throw differs(row, 'they say something else')
    else throw differs(row, `${expected.rows} rows went in and ${copied.rows} came out`)
    return { target, revision }
  }

  async #copyIndex(owner: number, target: number): Promise<void> {
    const { from, to } = this.#options
    const { documents } = await from.loadUser({ userId: owner, afterRevision: 0 })
    for (let start = 0; start < documents.length; start += PAGE_SIZE)
      await to.saveDocuments(target, documents.slice(start, start + PAGE_SIZE))
  }

  async #copyRecords(): Promise<{ readonly records: number; readonly left: number }> {
    const { from, to, collections, numbered = {} } = this.#options
    const owners = new Map(Array.from(this.#users, ([owner, { target }]) => [owner, target]))
    const moved = new MovedNumbers(from, to, owners)
    let records = 0
    let left = 0
    for (const collection of [...collections, ...Object.keys(numbered)])
      for await (const record of recordsOf(from, collection)) {
        const convert = numbered[collection]
        const converted = convert === undefined ? record : await convert(record, moved)
        if (converted === null) {
          left += 1
          continue
        }
        const { key, value } = converted
        const owner = record.owner === null ? null : (owners.get(record.owner) ?? null)
        await to.putRecord({ collection, key, value, owner, isDerived: true })
        records += 1
      }
    return { records, left }
  }
}

async function* scopesOf(store: Store): AsyncGenerator<ScopeRow> {
  for (let after = 0; ;) {
    const page = await store.listScopes({ after, limit: PAGE_SIZE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_SIZE) return
    after = last.scope
  }
}

async function* recordsOf(store: Store, collection: string): AsyncGenerator<StoredRecord> {
  for (let after: string | undefined; ;) {
    const page = await store.listRecords({
      collection,
      limit: PAGE_SIZE,
      ...(after === undefined ? {} : { after }),
    })
    yield* page
    after = page.at(-1)?.key
    if (page.length < PAGE_SIZE) return
  }
}

function nameOf({ tenant, user }: ScopeRow): string {
  return `${tenant}/${user}`
}

function differs(row: ScopeRow, how: string): NotPossibleError {
  return new NotPossibleError(
    `The rows of ${nameOf(row)} are not in the target as they are in the source: ${how}. The source is untouched; empty the target and begin again.`,
  )
}

/** Maps row numbers of users and scopes, and sequences of the log, from the source to the target. */
export class MovedNumbers {
  readonly #from: Store
  readonly #to: Store
  readonly #owners: ReadonlyMap<number, number>
  /** Sequences of one user's log. Only the last user is cached, because records are converted user by user. */
  #log: { readonly owner: number; readonly sequences: readonly number[] } | null = null

  constructor(from: Store, to: Store, owners: ReadonlyMap<number, number>) {
    this.#from = from
    this.#to = to
    this.#owners = owners
  }

  owner(owner: number): number | undefined {
    return this.#owners.get(owner)
  }

  async scopes(owner: number): Promise<ReadonlyMap<number, number>> {
    const target = this.owner(owner)
    if (target === undefined) return new Map()
    const targetRows = await this.#to.listScopes({ owner: target })
    const rows = await this.#from.listScopes({ owner })
    return new Map(
      rows.flatMap(({ scope, agent, app }) => {
        const same = targetRows.find((row) => row.agent === agent && row.app === app)
        return same === undefined ? [] : [[scope, same.scope] as const]
      }),
    )
  }

  /** Returns an operation's sequence in the target. An import numbers operations without gaps, so this is a count. */
  async sequence(owner: number, sequence: number): Promise<number> {
    if (this.#log?.owner !== owner) this.#log = { owner, sequences: await this.#sequencesOf(owner) }
    return this.#log.sequences.filter((earlier) => earlier <= sequence).length
  }

  async #sequencesOf(owner: number): Promise<readonly number[]> {
    const sequences: number[] = []
    for (;;) {
      const afterSequence = sequences.at(-1) ?? 0
      const page = await this.#from.listOperations({ userId: owner, afterSequence, limit: PAGE_SIZE })
      sequences.push(...page.map(({ sequence }) => sequence))
      if (page.length < PAGE_SIZE) return sequences
    }
  }
}
