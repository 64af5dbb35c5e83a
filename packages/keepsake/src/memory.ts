// The entry of the library: openMemory() and the object that it returns.
import { consolidateScope } from './consolidate/consolidate-scope.ts'
import { reindexUser } from './work/index-text.ts'
import { retryJobs, retryPostponed, drainAndReport, type DrainResult } from './work/jobs.ts'
import { recallAcross, type AcrossRecall, type AcrossScope } from './read/recall-across.ts'
import type { RecallOptions } from './retrieval/recall-types.ts'
import type { Engine } from './work/engine.ts'
import { ChangeFollower, type FollowOptions } from './inspect/follow-changes.ts'
import { listChanges, readMark, type ChangeMark, type Changes } from './inspect/list-changes.ts'
import {
  listMissed,
  recordReturnedData,
  repeatMissed,
  type UnappliedErasure,
} from './erase/missed-erasures.ts'
import { importLines } from './transfer/transfer.ts'
import { wireEngine } from './wire-engine.ts'
import { admitUpdates } from './extraction/updater-reader.ts'
import { InvalidInputError, TextGate, describeValue, didYouMean, openRules } from '@keepsake/text'
import { requireCallOptions } from './call-options.ts'
import { ClosedError, NotPossibleError } from './errors/errors.ts'
import { awaitProof } from './erase/erase-memories.ts'
import { EVENT_NAMES, type EventMap, type EventName } from './events/event-map.ts'
import type { EngineOptions, OpenOptions } from './open-options.ts'
import { checkOptions, hasReadingModel } from './presets/check-options.ts'
import { readFiling, withOwnKeys, type OwnKeys } from './filing/own-keys.ts'
import { requireAmounts } from './forget/run-forgetting.ts'
import { findPreset } from './presets/find-preset.ts'
import type { Branch, Preset } from './presets/preset.ts'
import { readOptions } from './read-options.ts'
import type { ScopeKey, ScopeRow } from './scopes/scope.ts'
import { ScopedMemory } from './scoped-memory.ts'
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
import type { BackupNote, SqliteStore } from './store/sqlite/sqlite-store.ts'
import type {
  EraseReceipt,
  JobFilter,
  JobRow,
  Records,
  ScopeFilter,
  Store,
  StoreStats,
} from './store/store.ts'

export interface KeepsakeStats extends StoreStats {
  readonly preset: string
  /** Explains how the preset differs from the system after which it is named, if an option that the system needs is missing. */
  readonly notice: string | null
  readonly embedder: string
  readonly cacheBytes: number
}

/** An open memory: all users of one store. Made by {@link openMemory}. */
export class Keepsake<Keys extends OwnKeys = OwnKeys> {
  readonly #engine: Engine
  #closed = false

  /** @internal Use `openMemory()`. */
  constructor(engine: Engine) {
    this.#engine = engine
  }

  get preset(): Preset {
    return this.#engine.preset
  }

  /** Maximum length of a turn's text, in UTF-16 units. */
  get maxTurnLength(): number {
    return this.#engine.maxTurnLength
  }

  /**
   * Returns the memory of one user, or the part of it that one agent or app may see.
   * @throws InvalidInputError when the key names no user; ClosedError once the memory is closed.
   */
  scope(key: ScopeKey): ScopedMemory<Keys> {
    this.#open()
    return new ScopedMemory<Keys>(() => this.#open(), key)
  }

  /**
   * Recalls from several users' memories for a shared conversation. Each returned memory names its user, and the context has a section per
   * user. Each scope is searched separately; nothing is copied from one user to another.
   *
   * @param scopes the users, each with the name that the context shows (the user id when absent)
   * @param options the options of a recall; the token budget is shared by all of them
   * @throws InvalidInputError for an empty list, a scope named twice, or an unknown option
   * @example
   * const { context } = await keepsake.recallAcross(
   *   [{ user: 'u1', name: 'Ana' }, { user: 'u2', name: 'Ben' }],
   *   'What can we cook for both?',
   * )
   */
  async recallAcross(
    scopes: readonly AcrossScope[],
    question: string,
    options: RecallOptions = {},
  ): Promise<AcrossRecall> {
    const engine = this.#open()
    const recallOf = (key: ScopeKey, query: RecallOptions) => this.scope(key).recall(question, query)
    return recallAcross({ scopes, question, recallOf, countTokens: engine.countTokens }, options)
  }

  /** Lists the scopes in order of creation, without erased users. `after` (a row's `scope`) and `limit` select a page. */
  async scopes(filter: ScopeFilter = {}): Promise<readonly ScopeRow[]> {
    requireCallOptions('scopes', filter)
    return this.#open().store.listScopes(filter)
  }

  /** Counts rows and bytes, and reports the settings. */
  async stats(): Promise<KeepsakeStats> {
    const { store, preset, embedding, users } = this.#open()
    return {
      ...(await store.stats()),
      preset: preset.name,
      notice: preset.notice ?? null,
      embedder: embedding.id,
      cacheBytes: users.bytes,
    }
  }

  /** Small records that an application, such as a server, stores in the same store. The engine does not read them. */
  get records(): Records {
    return this.#open().store
  }

  /**
   * Lists what happened to a user after a mark. The marks can be stored, so a reader that restarts misses nothing. Start with {@link
   * Keepsake.changeMark} for new changes only, or with `FIRST_MARK` for all of them.
   *
   * @param owner the user's row number, as `scopes` returns it; for an erased user it reports the erasure
   * @param limit the maximum number of turns and of log entries
   * @example
   * let mark = await keepsake.changeMark(owner)
   * const { changes } = await keepsake.changes(owner, mark)
   * for (const change of changes) mark = change.mark
   */
  async changes(owner: number, after: ChangeMark, limit = 100): Promise<Changes> {
    return listChanges(this.#open(), owner, after, limit)
  }

  /** Returns the user's current mark. `changes` after this mark lists later changes only. */
  async changeMark(owner: number): Promise<ChangeMark> {
    return readMark(this.#open(), owner)
  }

  /**
   * Reports changes made by other processes that share this store, shortly after each commit, on stores that notify (Postgres). Changes of
   * one user arrive in order. Changes of this process may be among them; use their ids to skip them.
   *
   * @returns a function that stops it
   * @example
   * const stop = keepsake.follow({ onChange: (change) => console.log(change.event), filter: (user) => user?.user === 'ana' })
   */
  follow(following: FollowOptions): () => void {
    return new ChangeFollower(this.#open(), following).stop
  }

  /** Lists pending jobs, and dead letters with the reason of their failure: all of them, or a page. */
  async jobs(filter: JobFilter = {}): Promise<readonly JobRow[]> {
    requireCallOptions('jobs', filter)
    return this.#open().store.listJobs(filter)
  }

  /** Retries failed jobs now: dead letters, and jobs that wait for their next try. @returns the number of jobs. */
  async retryJobs(): Promise<number> {
    const engine = this.#open()
    return retryJobs(engine, await engine.store.listJobs())
  }

  /**
   * Returns an erasure's current receipt, waiting up to `patienceMs` milliseconds until its bytes are gone. `null` for an unknown id.
   */
  async erasure(id: string, patienceMs = 0): Promise<EraseReceipt | null> {
    const engine = this.#open()
    const owner = await engine.ledger.ownerOf(id)
    return owner === null ? null : awaitProof(engine, { owner, id }, patienceMs)
  }

  /**
   * Writes a consistent copy to another file while the memory is in use.
   * @throws StoreError when that file exists; NotPossibleError for a store that is no file.
   */
  async backup(path: string): Promise<void> {
    const engine = this.#open()
    if (typeof path !== 'string' || path === '')
      throw new InvalidInputError(`backup() takes the path of a file, but got ${describeValue(path)}.`)
    await engine.usage.write()
    await engine.modelAccounts.write()
    await requireFile(engine.store).backup(path)
  }

  /**
   * Rebuilds the search index of all turns and memories of a user, for example after damage.
   * @param owner the user's row number, as `examineFile` reports it
   */
  async rebuildIndex(owner: number): Promise<void> {
    await reindexUser(this.#open(), owner)
  }

  /** Lists the backups of this file, each with the number of later erasures. Erased text may still be in these backups. */
  async backups(): Promise<readonly BackupNote[]> {
    const { store } = this.#open()
    return isFile(store) ? store.listBackups() : []
  }

  /**
   * Lists erasures that the stored data does not have: those made after a restored backup (known from `erasureLog`), and those of users
   * whose older export was imported. Each entry counts the data that is present again.
   *
   * @example
   * for (const { at, user, turns } of await keepsake.erasuresSinceBackup()) console.log(new Date(at), user, turns)
   * await keepsake.reapplyErasures()
   */
  async erasuresSinceBackup(): Promise<readonly UnappliedErasure[]> {
    return listMissed(this.#open())
  }

  /**
   * Repeats the erasures of `erasuresSinceBackup` in their original order. For an erased user who has returned, only data from before the
   * erasure is erased.
   * @returns the receipts
   */
  async reapplyErasures(): Promise<readonly EraseReceipt[]> {
    return repeatMissed(this.#open())
  }

  /** Imports an export (JSON lines), all or nothing. @throws InvalidInputError; NotPossibleError when the user has rows already. */
  async import(lines: AsyncIterable<string> | Iterable<string>): Promise<readonly ScopeRow[]> {
    const engine = this.#open()
    const rows = await importLines(engine, lines)
    for (const owner of new Set(rows.map((row) => row.owner))) {
      await recordReturnedData(engine, owner)
      await reindexUser(engine, owner)
    }
    for (const row of rows) engine.worker.later(() => consolidateScope(engine, row))
    return rows
  }

  /**
   * Waits until everything recorded in this process is consolidated, as far as possible, and returns the failures. It throws only when the
   * memory is closed.
   *
   * @example
   * const { failed } = await keepsake.drain()
   * for (const { reason } of failed) console.warn(reason)
   */
  async drain(): Promise<DrainResult> {
    const engine = this.#open()
    return drainAndReport(
      engine,
      () => engine.worker.drain(),
      () => engine.store.listJobs(),
    )
  }

  /** Listens to an event of this process. */
  on<Name extends EventName>(event: Name, listener: (...args: EventMap[Name]) => void): this {
    requireEvent(event)
    if (typeof listener !== 'function')
      throw new InvalidInputError(`on() takes a function, but got ${describeValue(listener)}.`)
    this.#open().events.on<EventName>(event, listener as (...args: EventMap[EventName]) => void)
    return this
  }

  /** Stops listening to an event. Does nothing on a closed memory, which emits no events. */
  off<Name extends EventName>(event: Name, listener: (...args: EventMap[Name]) => void): this {
    if (this.#closed) return this
    this.#engine.events.off<EventName>(event, listener as (...args: EventMap[EventName]) => void)
    return this
  }

  /**
   * Finishes the running work and closes the file. Does not wait for an open call to a language model. Pending jobs run after the next
   * open. Closing twice does nothing.
   */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#engine.life.abort(new ClosedError())
    await this.#engine.worker.stop()
    this.#engine.users.clear()
    await this.#engine.ledger.settle()
    await this.#engine.store.close()
  }

  /** Closes the memory at the end of `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #open(): Engine {
    if (this.#closed) throw new ClosedError()
    return this.#engine
  }
}

/** @throws InvalidInputError for an unknown event, with a suggestion */
function requireEvent(event: EventName): void {
  if (EVENT_NAMES.includes(event)) return
  throw new InvalidInputError(`There is no event "${event}". ${didYouMean(event, EVENT_NAMES)}`)
}

async function openStore(options: EngineOptions): Promise<Store> {
  if (options.store !== undefined) return options.store
  if (options.path === undefined) {
    throw new InvalidInputError(
      'openMemory() needs a path such as "memory.db" (or ":memory:" to keep nothing), or a store.',
    )
  }
  const { path, synchronous, busyTimeoutMs, connect, readOnly } = options
  return openSqliteStore({ path, synchronous, busyTimeoutMs, connect, readOnly })
}

/**
 * Opens a memory on a file, with a preset. It loads no model and reads no user's rows until the first call that needs them. Work left by an
 * earlier process continues in the background.
 *
 * @throws StoreError when the file cannot be used (the message says what to do); InvalidInputError for an option.
 * @example
 * import { openMemory } from 'keepsake'
 * const keepsake = await openMemory({ path: 'memory.db' })
 * const ana = keepsake.scope({ user: 'ana' })
 * await ana.remember({ role: 'user', text: 'My sister Mia is allergic to peanuts.' })
 * console.log((await ana.recall('What can Mia not eat?')).context.text)
 * await keepsake.close()
 */
export async function openMemory<const Keys extends OwnKeys = OwnKeys>(
  given: OpenOptions<Keys>,
): Promise<Keepsake<Keys>> {
  requireNode(process.versions.node)
  const options = readOptions(given)
  const textGate = new TextGate({ maskSecrets: options.maskSecrets !== false })
  const foundPreset = findPreset(options.preset ?? 'keepsake', {
    model: hasReadingModel(options),
    updater: options.updater && admitUpdates(options.updater, textGate),
  })
  const filing = readFiling(options.categories, options.keys)
  const keyTable = withOwnKeys(foundPreset.keyTable, filing)
  const retention = options.retention ?? foundPreset.retention
  requireAmounts('retention', retention)
  const preset = withCadence({ ...foundPreset, keyTable, retention }, options.exchangesPerExtraction)
  checkOptions(preset, options)
  const rules = await openRules(options.rules ?? [], preset.keyTable)
  const store = await openStore(options)
  const engine = wireEngine(options, preset, store, rules)
  engine.events.on('model-called', (call) => engine.modelAccounts.note(call))
  if (options.readOnly !== true) {
    engine.worker.begin(store)
    if (engine.language !== null) engine.worker.later(() => retryPostponed(engine))
    engine.ledger.begin()
  }
  return new Keepsake(engine)
}

function isFile(store: Store): store is SqliteStore {
  return 'backup' in store && 'listBackups' in store
}

/** @throws NotPossibleError for a store that is no file */
function requireFile(store: Store): SqliteStore {
  if (isFile(store)) return store
  throw new NotPossibleError(`${store.name} is no file. Make its backups with the database's own tools.`)
}

/** Returns the preset with another cadence for fact branches that call a model. */
function withCadence(preset: Preset, rounds: number | undefined): Preset {
  if (rounds === undefined) return preset
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new InvalidInputError(`exchangesPerExtraction must be a whole number from 1, but it is ${rounds}.`)
  const branches = preset.branches.map((branch): Branch =>
    branch.kind === 'facts' && branch.extractor.prompt !== undefined
      ? { ...branch, every: { rounds }, isEven: false }
      : branch,
  )
  return { ...preset, branches }
}

const MIN_NODE_VERSION = [22, 18] as const

/** Refuses an old version of Node. A native module would fail with a less clear message. */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor, minMinor] = MIN_NODE_VERSION
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return
  throw new NotPossibleError(
    `Keepsake needs Node ${MIN_NODE_VERSION.join('.')} or newer, but this is Node ${version}. Install a current Node and start again.`,
    {
      node: version,
    },
  )
}
