import { createHash } from 'node:crypto'
import { NotPossibleError } from '../errors/errors.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Metadata } from '@keepsake/text/names'
import { makeHolder, stateOfHolder, type ProcessHolder } from '../store/process-holder.ts'
import type { NewRecord, Store, StoredRecord, ExportRow } from '../store/store.ts'

/** Rows of a person, counted and hashed as they go by. */
interface Tally {
  readonly rows: number
  readonly hash: string
}

/** Reads rows to their end. */
async function drain(rows: AsyncIterable<ExportRow>): Promise<void> {
  for await (const _ of rows);
}

/** Counts rows and hashes what they say, in whatever order a store gives their fields. */
class RowCounter {
  readonly #hash = createHash('sha256')
  #rows = 0

  async *over(rows: AsyncIterable<ExportRow>): AsyncGenerator<ExportRow> {
    for await (const row of rows) {
      this.#rows += 1
      this.#hash.update(JSON.stringify(inOrder(row)))
      yield row
    }
  }

  tally(): Tally {
    return { rows: this.#rows, hash: this.#hash.digest('hex') }
  }
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, inOrder(inner)]),
  )
}

export interface MigrateOptions {
  /** The source, which is only read. Users changed meanwhile are reported at the end. */
  readonly from: Store
  /** The target: empty, or an interrupted migration of the same source. It must not be used until finished. */
  readonly to: Store
  /** Name of the source, the same for each continuation. */
  readonly source: string
  /** Collections of records that go along: such as a server's `keys`. Those that last only for a while stay behind. */
  readonly collections: readonly string[]
  /** Collections whose keys and values hold numbers of the store, each with what makes a record of the target's numbers of it. */
  readonly numbered?: Readonly<Record<string, MoveRecord>>
  /** Called after each user. */
  readonly onProgress?: (people: number, rows: number) => void
}

/** A record as it is in the target; `null`: it means nothing there, and stays behind. */
export type MoveRecord = (
  record: StoredRecord,
  moved: MovedNumbers,
) => Promise<Pick<NewRecord, 'key' | 'value'> | null>

/** What was brought over. */
export interface Migrated {
  readonly people: number
  /** Of these, brought over by an earlier run. */
  readonly before: number
  readonly rows: number
  readonly records: number
  /** Of the numbered ones, those about people who were erased since: they stayed behind. */
  readonly left: number
  /** People who were changed at the source after they were read, as `tenant/user`. The target has them as they were. */
  readonly changed: readonly string[]
}

const COLLECTION = 'migration'
/** The record of the whole; the others are one a person. */
const WHOLE = 'whole'
const PAGE = 500

interface Whole {
  readonly source: string
  readonly holder: string
  readonly isDone: boolean
}

/**
 * Copies all users from one store to another: turns, the log with its memories, how far each
 * branch has read, jobs, index rows with their vectors, and records. Each person is brought over whole and compared, by the counts and
 * hashes of all their rows, before the next. After an interruption, the same call continues with the remaining users.
 *
 * Claims, receipts of erasures and records that expire stay behind.
 *
 * @throws NotPossibleError when the target holds anything else, or another process migrates into it; when rows do not come out as they went in.
 */
export async function migrateStore(options: MigrateOptions): Promise<Migrated> {
  const holder = makeHolder()
  try {
    const version = await begin(options, holder)
    const migration = new Migration(options)
    const migrated = await migration.run()
    await endMigration(options, holder, version)
    return migrated
  } finally {
    holder.release()
  }
}

/** Takes the target, or what an earlier run left in it. @returns the version of its record */
async function begin({ to, source }: MigrateOptions, holder: ProcessHolder): Promise<string> {
  const found = await to.getRecord(COLLECTION, WHOLE)
  if (found === null && (await to.listScopes({ limit: 1 })).length > 0)
    throw new NotPossibleError(
      `${to.name} holds memories already. Migrate into an empty store, or into one that a migration was broken off in.`,
    )
  if (found !== null) requireOurs(found.value as unknown as Whole, to.name, source)
  const value: Metadata = { source, holder: holder.name, isDone: false }
  const put = await to.putRecord({
    collection: COLLECTION,
    key: WHOLE,
    value,
    expect: found?.version ?? null,
  })
  if (put === null) throw busy(to.name)
  return put.version
}

function requireOurs(whole: Whole, name: string, source: string): void {
  if (whole.source !== source)
    throw new NotPossibleError(`${name} holds a migration of ${whole.source}, not of ${source}.`)
  if (whole.isDone)
    throw new NotPossibleError(`${name} holds all of ${source} already: the migration is done.`)
  if (stateOfHolder(whole.holder) === 'alive') throw busy(name)
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
  if ((await to.putRecord({ collection: COLLECTION, key: WHOLE, value, expect })) === null)
    throw busy(to.name)
  for (;;) {
    const people = await to.listRecords({ collection: COLLECTION, prefix: 'person/', limit: PAGE })
    if (people.length === 0) return
    for (const { key } of people) await to.removeRecord(COLLECTION, key)
  }
}

class Migration {
  readonly #options: MigrateOptions
  readonly #changed: string[] = []
  /** People's numbers in the target, by those in the source. */
  readonly #owners = new Map<number, number>()
  #people = 0
  #before = 0
  #rows = 0

  constructor(options: MigrateOptions) {
    this.#options = options
  }

  async run(): Promise<Migrated> {
    for await (const row of scopesOf(this.#options.from))
      if (!this.#owners.has(row.owner)) await this.#bring(row)
    const unseen = new Set(this.#owners.keys())
    for await (const row of scopesOf(this.#options.from))
      if (unseen.delete(row.owner)) await this.#lookAgain(row)
    const records = await this.#bringRecords()
    const [people, before, rows, changed] = [this.#people, this.#before, this.#rows, this.#changed]
    return { people, before, rows, ...records, changed }
  }

  async #bring(row: ScopeRow): Promise<void> {
    const { from, to, onProgress } = this.#options
    const known = await to.getRecord(COLLECTION, journalKey(row))
    if (known === null) {
      const revision = await from.revision(row.owner)
      const tally = await this.#copy(row)
      const value: Metadata = { revision, ...tally }
      await to.putRecord({ collection: COLLECTION, key: journalKey(row), value, isDerived: true })
      this.#rows += tally.rows
    } else {
      this.#before += 1
      this.#rows += Number(known.value['rows'])
    }
    this.#owners.set(row.owner, await this.#targetOf(row))
    this.#people += 1
    onProgress?.(this.#people, this.#rows)
  }

  /** All of a person's rows, then what the index reads of them, then both compared. */
  async #copy(row: ScopeRow): Promise<Tally> {
    const { from, to } = this.#options
    const { tenant, user } = row
    const counter = new RowCounter()
    const isThere = (await to.listScopes({ tenant, user, limit: 1 })).length > 0
    if (!isThere) await to.importUser(counter.over(from.exportUser(row.owner)))
    // A run that was killed after it had brought them over left them here; they are compared like any others.
    else await drain(counter.over(from.exportUser(row.owner)))
    const target = await this.#targetOf(row)
    await this.#copyIndex(row.owner, target)
    const copied = new RowCounter()
    await drain(copied.over(to.exportUser(target)))
    const [first, second] = [counter.tally(), copied.tally()]
    if (first.rows !== second.rows)
      throw differs(row, `${first.rows} rows went in and ${second.rows} came out`)
    if (first.hash !== second.hash) throw differs(row, 'they say something else')
    return first
  }

  async #targetOf(row: ScopeRow): Promise<number> {
    const { tenant, user } = row
    const [target] = await this.#options.to.listScopes({ tenant, user, limit: 1 })
    if (target === undefined) throw differs(row, 'they are not there')
    return target.owner
  }

  async #copyIndex(owner: number, target: number): Promise<void> {
    const { from, to } = this.#options
    const { documents } = await from.loadUser({ userId: owner, afterRevision: 0 })
    for (let start = 0; start < documents.length; start += PAGE)
      await to.saveDocuments(target, documents.slice(start, start + PAGE))
  }

  async #lookAgain(row: ScopeRow): Promise<void> {
    const { from, to } = this.#options
    const known = await to.getRecord(COLLECTION, journalKey(row))
    const revision = await from.revision(row.owner)
    if (known?.value['revision'] !== revision) this.#changed.push(`${row.tenant}/${row.user}`)
  }

  async #bringRecords(): Promise<{ readonly records: number; readonly left: number }> {
    const { from, to, collections, numbered = {} } = this.#options
    const moved = new MovedNumbers(from, to, this.#owners)
    let [records, left] = [0, 0]
    for (const collection of [...collections, ...Object.keys(numbered)])
      for await (const record of recordsOf(from, collection)) {
        const move = numbered[collection]
        const there = move === undefined ? record : await move(record, moved)
        if (there === null) {
          left += 1
          continue
        }
        const { key, value } = there
        const owner = record.owner === null ? null : (this.#owners.get(record.owner) ?? null)
        await to.putRecord({ collection, key, value, owner, isDerived: true })
        records += 1
      }
    return { records, left }
  }
}

async function* scopesOf(store: Store): AsyncGenerator<ScopeRow> {
  for (let after = 0; ;) {
    const page = await store.listScopes({ after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.scope
  }
}

async function* recordsOf(store: Store, collection: string): AsyncGenerator<StoredRecord> {
  for (let after: string | undefined; ;) {
    const page = await store.listRecords({
      collection,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    })
    yield* page
    after = page.at(-1)?.key
    if (page.length < PAGE) return
  }
}

/** Hashes names, because record keys are limited and exclude NUL. */
function journalKey({ tenant, user }: ScopeRow): string {
  return `person/${createHash('sha256')
    .update(JSON.stringify([tenant, user]))
    .digest('hex')}`
}

function differs({ tenant, user }: ScopeRow, how: string): NotPossibleError {
  return new NotPossibleError(
    `The rows of ${tenant}/${user} are not in the target as they are in the source: ${how}. The source is untouched; empty the target and begin again.`,
  )
}

/**
 * Maps the numbers of a migrated store to the new ones: users and scopes are renumbered, and so are the places
 * of a log that has gaps.
 */
export class MovedNumbers {
  readonly #from: Store
  readonly #to: Store
  readonly #owners: ReadonlyMap<number, number>
  /** Of the person who was asked for last: records are asked for person by person. */
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
    const there = await this.#to.listScopes({ owner: target })
    const rows = await this.#from.listScopes({ owner })
    return new Map(
      rows.flatMap(({ scope, agent, app }) => {
        const same = there.find((row) => row.agent === agent && row.app === app)
        return same === undefined ? [] : [[scope, same.scope] as const]
      }),
    )
  }

  /** A place in a person's log: as many operations lie before it as did before. */
  async sequence(owner: number, sequence: number): Promise<number> {
    if (this.#log?.owner !== owner) this.#log = { owner, sequences: await this.#sequencesOf(owner) }
    return this.#log.sequences.filter((one) => one <= sequence).length
  }

  async #sequencesOf(owner: number): Promise<readonly number[]> {
    const sequences: number[] = []
    for (;;) {
      const afterSequence = sequences.at(-1) ?? 0
      const page = await this.#from.listOperations({ userId: owner, afterSequence, limit: PAGE })
      sequences.push(...page.map(({ sequence }) => sequence))
      if (page.length < PAGE) return sequences
    }
  }
}
