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
import type { Visibility } from './state-parts.ts'
import { UserState } from './user-state.ts'
import { Mutex } from 'async-mutex'

/** After an append of more turns than this, the state is loaded again, because applying them at once would delay other calls. */
const MAX_TURNS_AT_ONCE = 100
/** Maximum number of users whose row number is cached by name. */
const MAX_NAMES = 10_000
/** A state grows as it is used, so its size is measured again after this number of loads. */
const LOADS_BETWEEN_MEASURES = 64

export interface UsersOptions extends Visibility {
  readonly store: Store
  readonly embedder: string
  /** Bytes that all states may take before the least recently used are evicted. */
  readonly maxBytes: number
  /** Analyses documents of another version of the analyser again. */
  readonly analyseAgain: (state: UserState, documents: readonly NewDocument[]) => readonly NewDocument[]
  /** Makes vectors of documents in the background. */
  readonly embedLater: (user: number, documents: readonly string[]) => void
}

/** A user, by tenant and name. */
export interface FoundUser {
  /** The user's scopes; empty for an unknown user. */
  readonly rows: readonly ScopeRow[]
  /** The cached state, if it is as new as the store. */
  readonly state?: UserState
}

/** Caches the states of users. `load` returns a state that is as new as the store. */
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

  /** Bytes of all cached states. */
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
        this.#measureSometimes(state)
        return state
      }
      // Another call may have begun to load meanwhile.
      if (!this.#loading.has(user)) break
    }
    return this.#whileLoading(user, () => this.#refresh(user))
  }

  /** Finds a user's scopes, and the cached state if nothing changed since it was loaded. */
  async find({ tenant, user }: Pick<ScopeRow, 'tenant' | 'user'>): Promise<FoundUser> {
    const { store } = this.#options
    const name = JSON.stringify([tenant, user])
    const state = await this.current(this.#numbers.get(name) ?? 0)
    // The state of an erased user has no scopes. The store may have a new user of the same name.
    if (state !== undefined && state.rows.length > 0) return { rows: state.rows, state }
    const rows = await store.listScopes({ tenant, user })
    if (rows[0] !== undefined) this.#numbers.set(name, rows[0].owner)
    return { rows }
  }

  /** Returns the cached state, if the store has nothing newer. */
  async current(user: number): Promise<UserState | undefined> {
    const state = this.#states.get(user)
    if (state === undefined) return undefined
    // For an erased user the store throws, since it has no revision.
    const revision = await this.#options.store.revision(user).catch(() => null)
    return revision === state.revision ? state : undefined
  }

  /** Returns the cached state, which may be older than the store. */
  cached(user: number): UserState | undefined {
    return this.#states.peek(user)
  }

  /**
   * Runs the decisions and writes of this process for one user one after another. This saves conflicts. Between processes, the revision
   * that a commit names detects conflicts.
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

  /** Stores usage counts, and applies them. */
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

  /** Returns the cached state, if it lacks only the change that made this revision. */
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

  #measureSometimes(state: UserState): void {
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

  /** Loads the rows that are newer than the cached state, or all rows, and applies them. */
  async #refresh(user: number): Promise<UserState> {
    for (;;) {
      const cached = this.#states.get(user)
      const afterRevision = cached?.revision ?? 0
      const rows = await this.#options.store.loadUser({ userId: user, afterRevision })
      // This process committed meanwhile, so the rows are older than the state.
      if (cached !== undefined && cached.revision !== afterRevision) continue
      const state = cached === undefined || rows.isWhole ? new UserState(user, this.#options) : cached
      await this.#applyRows(state, rows)
      this.#states.set(user, state)
      return state
    }
  }

  /** Applies the rows of a load, and yields to the event loop, because there may be many documents. */
  async #applyRows(state: UserState, rows: UserRows): Promise<void> {
    // Turns and memories come first, because outdated documents are analysed again from their words.
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

  /** Analyses documents of another version of the analyser again, and stores them. */
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
        // A read-only store cannot keep them, so they are analysed at each load.
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

/** Locks by key. A lock exists while it is held or awaited. */
export class KeyedLock {
  readonly #locks = new Map<string, { readonly mutex: Mutex; users: number }>()

  /** Number of keys that are held or awaited. */
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
