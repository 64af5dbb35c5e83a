import { consolidateScope } from './consolidate/consolidate-scope.ts'
import { indexAll } from './work/renew-index.ts'
import { tellFailure } from './work/report-failure.ts'
import { retryJobs } from './work/retry-jobs.ts'
import { drainTelling, type Drained } from './work/drained.ts'
import { recallAcross, type AcrossRecall, type AcrossScope } from './read/recall-across.ts'
import type { RecallOptions } from './retrieval/recall-types.ts'
import type { Engine } from './work/engine.ts'
import { ChangeFollower, type Following } from './inspect/follow-changes.ts'
import { listChanges, readMark, type ChangeMark, type Changes } from './inspect/list-changes.ts'
import { listMissed, noteReturned, repeatMissed, type MissedErasure } from './erase/missed-erasures.ts'
import { importLines } from './transfer/transfer.ts'
import { wireEngine } from './wire-engine.ts'
import { admitUpdates } from './extraction/updater-reader.ts'
import { InvalidInputError, TextGate, didYouMean, openRules } from '@keepsake/text'
import { requireCallOptions } from './call-options.ts'
import { ClosedError } from './errors/closed-error.ts'
import { EVENT_NAMES, type EventMap, type EventName } from './events/event-map.ts'
import type { EngineOptions, OpenOptions } from './open-options.ts'
import { checkOptions } from './presets/check-options.ts'
import { findPreset } from './presets/find-preset.ts'
import type { Branch, Preset } from './presets/preset.ts'
import { hasReadingModel } from './presets/tasks-of-preset.ts'
import { readOptions } from './read-options.ts'
import { requireNode } from './require-node.ts'
import type { ScopeKey, ScopeRow } from './scopes/scope.ts'
import { ScopedMemory } from './scoped-memory.ts'
import { openSqliteStore } from './stores/sqlite/open-sqlite-store.ts'
import type {
  BackupNote,
  EraseReceipt,
  JobFilter,
  JobRow,
  Records,
  ScopeFilter,
  Store,
  StoreStats,
} from './stores/store.ts'

export interface KeepsakeStats extends StoreStats {
  readonly preset: string
  /** Where it is not the system whose name it bears, since what that needs was not given: what it is instead. */
  readonly notice: string | null
  readonly embedder: string
  readonly cacheBytes: number
}

/** An open memory: all people's, on one store. Made by {@link openMemory}. */
export class Keepsake {
  readonly #engine: Engine
  #closed = false

  /** @internal Use `openMemory()`. */
  constructor(engine: Engine) {
    this.#engine = engine
  }

  get preset(): Preset {
    return this.#engine.preset
  }

  /**
   * One person's memory, or what one agent or app sees of it.
   * @throws InvalidInputError when the key names no user.
   */
  scope(key: ScopeKey): ScopedMemory {
    return new ScopedMemory(() => this.#open(), key)
  }

  /**
   * What several people's memories hold on one question, for a talk that they share: each memory says whose it is, and the context
   * has a part for each. Nothing of one gets into another's: they are asked one by one, and only what they return stands side by side.
   *
   * @param scopes whose, each with the name by which the context calls them (the user's when absent)
   * @param options as of a recall; the budget of tokens is for all of them together
   * @throws InvalidInputError for no scope, one named twice, and an option that there is not
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
    const recallOf = (key: ScopeKey, asked: RecallOptions) => this.scope(key).recall(question, asked)
    return recallAcross({ scopes, question, recallOf, countTokens: engine.countTokens }, options)
  }

  /** Whose memories there are, in order of making; with `after` (a row's `scope`) and `limit` a page of them. Erased people are not listed. */
  async scopes(filter: ScopeFilter = {}): Promise<readonly ScopeRow[]> {
    requireCallOptions('scopes', filter)
    return this.#open().store.listScopes(filter)
  }

  /** Rows, bytes and settings. */
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

  /** Small rows of whoever serves this memory, kept with it: see {@link Records}. The engine knows nothing of what they say. */
  get records(): Records {
    return this.#open().store
  }

  /**
   * What happened to a person after a mark, read from what is kept: whoever keeps the mark misses nothing, whatever was killed
   * meanwhile. With {@link Keepsake.changeMark} one begins from now, with `FIRST_MARK` from the beginning.
   *
   * @param owner the person's row number, as `scopes` gives it; of an erased one it tells the erasure
   * @param limit turns and entries of the log at most, each
   * @example
   * let mark = await keepsake.changeMark(owner)
   * const { changes } = await keepsake.changes(owner, mark)
   * for (const change of changes) mark = change.mark
   */
  async changes(owner: number, after: ChangeMark, limit = 100): Promise<Changes> {
    return listChanges(this.#open(), owner, after, limit)
  }

  /** Where a person stands now: `changes` after it are what happens from here on. */
  async changeMark(owner: number): Promise<ChangeMark> {
    return readMark(this.#open(), owner)
  }

  /**
   * Tells what other processes that share the memory do from now on, as far as it is kept (see {@link Keepsake.changes}): a moment after
   * it is done, from stores that hear of it (Postgres). Each person's in order. What this process does itself may be among it; changes have ids.
   *
   * @returns what ends it
   * @example
   * const stop = keepsake.follow({ tell: (change) => console.log(change.event), wants: (person) => person?.user === 'ana' })
   */
  follow(following: Following): () => void {
    return new ChangeFollower(this.#open(), following).stop
  }

  /** Jobs that wait, and those parked with the reason they failed: all of them, or a page. */
  async jobs(filter: JobFilter = {}): Promise<readonly JobRow[]> {
    requireCallOptions('jobs', filter)
    return this.#open().store.jobs(filter)
  }

  /** Tries what failed again now: parked jobs, after what made them fail was mended, and those that wait for their next try. @returns how many. */
  async retryJobs(): Promise<number> {
    const engine = this.#open()
    return retryJobs(engine, await engine.store.jobs())
  }

  /**
   * An erasure's receipt as it stands, waiting so many milliseconds for its proof; `null` when there is none of that id, or
   * the store keeps none.
   */
  async erasure(id: string, patienceMs = 0): Promise<EraseReceipt | null> {
    return (await this.#open().store.proven?.(id, patienceMs)) ?? null
  }

  /** A consistent copy in another file, while in use. @throws StoreError when that file exists. */
  async backup(path: string): Promise<void> {
    const engine = this.#open()
    await engine.usage.write()
    await engine.modelAccounts.write()
    await engine.store.backup(path)
  }

  /** Indexes all of a person's turns and memories anew, as after damage. @param owner their row number, as `examineFile` names it */
  async renewIndex(owner: number): Promise<void> {
    await indexAll(this.#open(), owner)
  }

  /** Backups that were made of this file, with how many erasures each has not heard of: what was erased since may still stand there. */
  async backups(): Promise<readonly BackupNote[]> {
    return (await this.#open().store.backups?.()) ?? []
  }

  /**
   * Erasures that came after what is stored here was: those of a backup that was put back, by the ledger (`erasureLedger`), and those of people
   * whose older export was read back. With what of each stands here again.
   *
   * @example
   * for (const { at, user, turns } of await keepsake.missedErasures()) console.log(new Date(at), user, turns)
   * await keepsake.repeatErasures()
   */
  async missedErasures(): Promise<readonly MissedErasure[]> {
    return listMissed(this.#open())
  }

  /**
   * Makes those erasures again, in their order. Of a person who was erased and has talked since, what was said until then goes.
   * @returns the receipts of what was erased
   */
  async repeatErasures(): Promise<readonly EraseReceipt[]> {
    return repeatMissed(this.#open())
  }

  /** Reads an export (lines of JSON) back, all or none. @throws InvalidInputError; NotPossibleError when the person has rows already. */
  async import(lines: AsyncIterable<string> | Iterable<string>): Promise<readonly ScopeRow[]> {
    const engine = this.#open()
    const rows = await importLines(engine, lines)
    for (const owner of new Set(rows.map((row) => row.owner))) {
      await noteReturned(engine, owner)
      await indexAll(engine, owner)
    }
    for (const row of rows) engine.worker.later(() => consolidateScope(engine, row))
    return rows
  }

  /**
   * Resolves when everything recorded so far in this process is consolidated, as far as it could be, with what failed of it: nothing is
   * thrown but that the memory is closed.
   *
   * @example
   * const { failed } = await keepsake.drain()
   * for (const { reason } of failed) console.warn(reason)
   */
  async drain(): Promise<Drained> {
    const engine = this.#open()
    return drainTelling(
      engine,
      () => engine.worker.drain(),
      () => engine.store.jobs(),
    )
  }

  on<Name extends EventName>(event: Name, listener: (...args: EventMap[Name]) => void): this {
    requireEvent(event)
    this.#open().events.on<EventName>(event, listener as (...args: EventMap[EventName]) => void)
    return this
  }

  /** Once closed nothing is told any more, and there is nothing to take off. */
  off<Name extends EventName>(event: Name, listener: (...args: EventMap[Name]) => void): this {
    if (this.#closed) return this
    this.#engine.events.off<EventName>(event, listener as (...args: EventMap[EventName]) => void)
    return this
  }

  /**
   * Finishes what runs and lets go of the file. A language model that is being asked is not waited for. What still
   * waits is done after the next open. Closing twice does nothing.
   */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#engine.language?.stop(new ClosedError())
    await this.#engine.worker.stop()
    this.#engine.users.clear()
    await this.#engine.ledger.settle()
    await this.#engine.store.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #open(): Engine {
    if (this.#closed) throw new ClosedError()
    return this.#engine
  }
}

/** @throws InvalidInputError for an event that is never told, with the one that was likely meant */
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
  const { synchronous, busyTimeoutMs, connect } = options
  return openSqliteStore({
    path: options.path,
    ...(synchronous === undefined ? {} : { synchronous }),
    ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
    ...(connect === undefined ? {} : { connect }),
  })
}

/**
 * Opens a memory on a file, with a preset. Loads no model and reads no person's rows until they are asked
 * for; work that an earlier process left behind goes on in the background.
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
export async function openMemory(given: OpenOptions): Promise<Keepsake> {
  requireNode(process.versions.node)
  const options = readOptions(given)
  const textGate = new TextGate({ maskSecrets: options.maskSecrets !== false })
  const found = findPreset(options.preset ?? 'keepsake', {
    model: hasReadingModel(options),
    updater: options.updater && admitUpdates(options.updater, textGate),
  })
  const preset = withReading(
    options.retention === undefined ? found : { ...found, retention: options.retention },
    options.readEvery,
  )
  checkOptions(preset, options)
  const rules = await openRules(options.rules ?? [], preset.keyTable)
  const store = await openStore(options)
  const engine = wireEngine(options, preset, store, rules)
  tellErasures(engine)
  engine.events.on('model-called', (call) => engine.modelAccounts.note(call))
  engine.worker.begin(store)
  engine.ledger.begin()
  return new Keepsake(engine)
}

function tellErasures({ store, events }: Engine): void {
  store.watchErasures?.((news) => {
    if ('proven' in news) events.emit('erasure-proven', { receipt: news.proven })
    else tellFailure({ events }, news.failed)
  })
}

/** The preset with another cadence for what a model reads. */
function withReading(preset: Preset, rounds: number | undefined): Preset {
  if (rounds === undefined) return preset
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new InvalidInputError(`readEvery must be a whole number of rounds from 1, but it is ${rounds}.`)
  const branches = preset.branches.map((branch): Branch =>
    branch.kind === 'facts' && branch.extractor.prompt !== undefined
      ? { ...branch, every: { rounds }, isEven: false }
      : branch,
  )
  return { ...preset, branches }
}
