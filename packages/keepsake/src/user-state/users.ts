// Caches the states of users, loads them from the store and refreshes them.
import { StoreError } from '../errors/errors.ts'
import { LRUCache } from 'lru-cache'
import { ANALYSER_VERSION } from '@keepsake/text'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type {
  AppendRequest,
  AppendResult,
  Change,
  NewDocument,
  Store,
  UsageCount,
  UserRows,
} from '../store/store.ts'
import {
  applyChange,
  applyDocument,
  applyUsage,
  applyUserRows,
  changeOfAppend,
  changeOfCommit,
  inOrder,
  type StateChange,
} from './apply.ts'
import { UserState, type Visibility } from './user-state.ts'
import { Mutex } from 'async-mutex'

/** After an append of more turns, the state is loaded again, so that other calls need not wait for all of them. */
const MAX_TURNS_AT_ONCE = 100
/** Users whose number is known without the store. */
const MAX_NAMES = 10_000
/** A state grows as it is used. It is measured again once in this number of loads. */
const LOADS_BETWEEN_MEASURES = 64

export interface UsersOptions extends Visibility {
  readonly store: Store
  readonly embedder: string
  /** Bytes that all states may take before the least recently used are evicted. */
  readonly maxBytes: number
  /** Analyses documents again that another version of the analyser made. */
  readonly analyseAgain: (state: UserState, documents: readonly NewDocument[]) => readonly NewDocument[]
  /** Makes vectors of documents in the background. */
  readonly embedLater: (user: number, documents: readonly string[]) => void
}

/** A user, by tenant and name. */
export interface FoundUser {
  /** None of a user who is not known. */
  readonly rows: readonly ScopeRow[]
  /** Present where it is in memory and as new as the store. */
  readonly state?: UserState
}

/** The users in memory. `load` is the one way to a user's state; it is as new as the store's revision. */
export class Users {
  readonly #options: UsersOptions
  readonly #states: LRUCache<number, UserState>
  /** Numbers of users by tenant and name. */
  readonly #numbers = new LRUCache<string, number>({ maxSize: MAX_NAMES, sizeCalculation: () => 1 })
  readonly #loading = new Map<number, Promise<UserState>>()
  readonly #locks = new KeyedLock()
  #loads = 0

  constructor(options: UsersOptions) {
    this.#options = options
    this.#states = new LRUCache({
      maxSize: options.maxBytes,
      maxEntrySize: Number.MAX_SAFE_INTEGER,
      // A state larger than the whole budget is kept if it is the only one.
      sizeCalculation: ({ bytes }) => Math.min(options.maxBytes, Math.max(1, bytes)),
    })
  }

  /** Bytes taken now. */
  get bytes(): number {
    return this.#states.calculatedSize
  }

  /** Loads a user, or refreshes the cached state to the store's revision. */
  async load(user: number): Promise<UserState> {
    for (;;) {
      const loading = this.#loading.get(user)
      if (loading !== undefined) {
        await loading.catch(() => undefined)
        continue
      }
      const state = this.#states.get(user)
      if (state === undefined) break
      if ((await this.#options.store.revision(user)) === state.revision) {
        this.#measureNowAndThen(state)
        return state
      }
      // Another call may have begun to load meanwhile.
      if (!this.#loading.has(user)) break
    }
    return this.#whileLoading(user, () => this.#refresh(user))
  }

  /** A user's scopes and state, from memory where nothing changed since they were loaded; else the scopes alone. */
  async find({ tenant, user }: Pick<ScopeRow, 'tenant' | 'user'>): Promise<FoundUser> {
    const { store } = this.#options
    const name = JSON.stringify([tenant, user])
    const state = await this.current(this.#numbers.get(name) ?? 0)
    // The state of an erased user has no scopes. A new user of the same name may be stored since: ask the store.
    if (state !== undefined && state.rows.length > 0) return { rows: state.rows, state }
    const rows = await store.listScopes({ tenant, user })
    if (rows[0] !== undefined) this.#numbers.set(name, rows[0].owner)
    return { rows }
  }

  /** The state in memory, if the store has nothing newer. */
  async current(user: number): Promise<UserState | undefined> {
    const state = this.#states.get(user)
    if (state === undefined) return undefined
    // The store has no revision of an erased user and throws.
    const revision = await this.#options.store.revision(user).catch(() => null)
    return revision === state.revision ? state : undefined
  }

  /** The state as it is in memory, which may be behind the store. */
  cached(user: number): UserState | undefined {
    return this.#states.peek(user)
  }

  /**
   * Runs what decides and writes for one user one after another within this process. It only saves deciding again: between processes
   * the revision that a commit names sees to that.
   */
  lock<Result>(user: number, work: () => Promise<Result>): Promise<Result> {
    return this.#locks.runExclusive(String(user), work)
  }

  applyCommit(change: Change, revision: number): void {
    const state = this.#stateBefore(change.userId, revision)
    if (state !== undefined) this.#apply(state, changeOfCommit(state, change, revision))
  }

  /** Applies turns that this process appended. */
  applyAppend(request: AppendRequest, result: AppendResult): void {
    const state = this.#stateBefore(request.userId, result.revision)
    if (state === undefined || result.added.length === 0) return
    if (result.added.length > MAX_TURNS_AT_ONCE) this.evict(request.userId)
    else this.#apply(state, changeOfAppend(state, request, result))
  }

  /** Stores documents that were analysed or embedded again, and applies them. */
  async saveDocuments(user: number, documents: readonly NewDocument[]): Promise<void> {
    await this.lock(user, async () => {
      const revision = await this.#options.store.saveDocuments(user, documents)
      const state = this.#stateBefore(user, revision)
      if (state !== undefined) this.#apply(state, { ...NO_ROWS, revision, documents })
    })
  }

  /** Stores what recalls counted, and applies it. */
  async addUsage(user: number, counts: readonly UsageCount[]): Promise<void> {
    await this.#options.store.addUsage(user, counts)
    const state = this.#states.peek(user)
    if (state !== undefined) applyUsage(state, counts)
  }

  evict(user: number): void {
    this.#states.delete(user)
  }

  clear(): void {
    this.#states.clear()
  }

  /** The cached state, if it has seen everything but what made this revision. */
  #stateBefore(user: number, revision: number): UserState | undefined {
    const state = this.#states.peek(user)
    return state?.revision === revision - 1 ? state : undefined
  }

  #apply(state: UserState, change: StateChange): void {
    applyChange(state, change, this.#options.embedder)
    this.#embedMissing(state)
    const hasGrown = change.documents.length > 0
    if (hasGrown && this.#states.peek(state.user) === state) this.#states.set(state.user, state)
  }

  #embedMissing(state: UserState): void {
    if (state.unembedded.size > 0) this.#options.embedLater(state.user, [...state.unembedded])
  }

  #measureNowAndThen(state: UserState): void {
    this.#loads += 1
    if (this.#loads % LOADS_BETWEEN_MEASURES === 0) this.#states.set(state.user, state)
  }

  async #whileLoading(user: number, work: () => Promise<UserState>): Promise<UserState> {
    const loading = work()
    this.#loading.set(user, loading)
    try {
      return await loading
    } finally {
      this.#loading.delete(user)
    }
  }

  /** Reads what is newer than the cached state, or everything, and applies it. */
  async #refresh(user: number): Promise<UserState> {
    for (;;) {
      const cached = this.#states.get(user)
      const afterRevision = cached?.revision ?? 0
      const rows = await this.#options.store.loadUser({ userId: user, afterRevision })
      // This process committed meanwhile: what was read is older than the state.
      if (cached !== undefined && cached.revision !== afterRevision) continue
      const state = cached === undefined || rows.isWhole ? new UserState(user, this.#options) : cached
      await this.#applyRows(state, rows)
      this.#states.set(user, state)
      return state
    }
  }

  /** Applies the rows of a load, and yields to the event loop, because there may be many documents. */
  async #applyRows(state: UserState, rows: UserRows): Promise<void> {
    // A document is analysed again from the words of its turn or memory.
    applyUserRows(state, rows)
    const { documents, revision } = await this.#withCurrentTerms(state, rows.revision, inOrder(rows))
    for (const document of documents) {
      applyDocument(state, document, this.#options.embedder)
      await yieldToEventLoop()
    }
    state.settle()
    state.revision = revision
    this.#embedMissing(state)
  }

  /** Documents of another version of the analyser are made again, and stored. */
  async #withCurrentTerms(
    state: UserState,
    revision: number,
    documents: readonly NewDocument[],
  ): Promise<Pick<StateChange, 'documents' | 'revision'>> {
    const outdated = documents.filter((document) => document.analyser !== ANALYSER_VERSION)
    if (outdated.length === 0) return { revision, documents }
    const again = new Map(
      this.#options.analyseAgain(state, outdated).map((document) => [document.id, document]),
    )
    const saved = await this.#options.store
      .saveDocuments(state.user, [...again.values()])
      .catch((error: unknown) => {
        // They are analysed at each load.
        if (error instanceof StoreError && error.code === 'store-read-only') return revision
        throw error
      })
    return {
      revision: saved === revision + 1 ? saved : revision,
      documents: documents.map((document) => again.get(document.id) ?? document),
    }
  }
}

const NO_ROWS = { sessions: [], turns: [], progress: [], memories: [] } as const

/** A lock for each key, kept while it is held or awaited. */
export class KeyedLock {
  readonly #locks = new Map<string, { readonly mutex: Mutex; users: number }>()

  /** Keys that are held now. */
  get size(): number {
    return this.#locks.size
  }

  /** Runs work of the same key one after another, in order of arrival. */
  async runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const lock = this.#locks.get(key) ?? { mutex: new Mutex(), users: 0 }
    this.#locks.set(key, lock)
    lock.users += 1
    try {
      return await lock.mutex.runExclusive(work)
    } finally {
      lock.users -= 1
      if (lock.users === 0) this.#locks.delete(key)
    }
  }
}
