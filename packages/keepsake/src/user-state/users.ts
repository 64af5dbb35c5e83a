import { LRUCache } from 'lru-cache'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type {
  AppendRequest,
  AppendResult,
  CommitRequest,
  IndexRow,
  NewDocument,
  OwnerVersion,
  ScopeProgress,
  Store,
} from '../stores/store.ts'
import { ANALYSER_VERSION } from '@keepsake/text'
import {
  apply,
  applyInSteps,
  changeOfAppend,
  changeOfCommit,
  changeOfReindex,
  type StateChange,
} from './apply.ts'
import { KeyedLock } from './keyed-lock.ts'
import { UserState, type Visibility } from './user-state.ts'

/** Appends of more turns are applied in steps, so that other calls need not wait for all of them. */
const MAX_TURNS_AT_ONCE = 100
/** A state grows as it is used. It is measured again once in so many loads. */
const LOADS_BETWEEN_MEASURES = 64

export interface UsersOptions extends Visibility {
  readonly store: Store
  readonly embedder: string
  /** Bytes that all states may take before the least recently used are evicted. */
  readonly maxBytes: number
  /** Analyses documents again that another version of the analyser made, and stores the result. */
  readonly analyseAgain: (user: number, rows: readonly IndexRow[]) => Promise<readonly NewDocument[]>
  /** Makes vectors of documents in the background. */
  readonly embedLater: (user: number, documents: readonly string[]) => void
}

/** The users in memory. `load` is the one way to a user's state; it is as new as the store's revision. */
export class Users {
  readonly #options: UsersOptions
  readonly #states: LRUCache<number, UserState>
  readonly #loading = new Map<number, Promise<UserState>>()
  readonly #locks = new KeyedLock()
  #loads = 0

  constructor(options: UsersOptions) {
    this.#options = options
    this.#states = new LRUCache({
      maxSize: options.maxBytes,
      maxEntrySize: Number.MAX_SAFE_INTEGER,
      // One that is larger than the whole budget may still be the only one.
      sizeCalculation: ({ bytes }) => Math.min(options.maxBytes, Math.max(1, bytes)),
    })
  }

  /** Bytes taken now. */
  get bytes(): number {
    return this.#states.calculatedSize
  }

  /**
   * Loads a user, or refreshes the cached state to the store's revision.
   *
   * @param version the store's, where it was read a moment ago
   */
  async load(user: number, version?: OwnerVersion): Promise<UserState> {
    const loading = this.#loading.get(user)
    if (loading !== undefined) {
      await loading.catch(() => undefined)
      return this.load(user)
    }
    const state = this.#states.get(user)
    if (state !== undefined) {
      const { revision, epoch } = version ?? (await this.#options.store.version(user))
      if (revision === state.version.revision && epoch === state.version.epoch) {
        this.#measureNowAndThen(state)
        return state
      }
    }
    return this.#whileLoading(user, () => this.#refresh(user))
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

  /** Applies a commit of this process. */
  applyCommit(request: CommitRequest, version: OwnerVersion): void {
    const state = this.#stateBefore(request.owner, version)
    if (state !== undefined) this.#apply(state, changeOfCommit(state, request, version))
  }

  /** Applies turns that this process appended. */
  async applyAppend(request: AppendRequest, result: AppendResult): Promise<void> {
    if (result.added.length === 0) return
    const { owner: user } = request
    const state = this.#stateBefore(user, result.version)
    if (state === undefined) return
    const change = changeOfAppend(state, request, result)
    if (result.added.length <= MAX_TURNS_AT_ONCE) return this.#apply(state, change)
    await this.#whileLoading(user, async () => {
      await this.#applyInSteps(state, change)
      return state
    })
  }

  /** Applies documents that this process indexed again. */
  applyReindex(user: number, documents: readonly NewDocument[], version: OwnerVersion): void {
    const state = this.#stateBefore(user, version)
    const change = state === undefined ? null : changeOfReindex(state, documents, version)
    if (state !== undefined && change !== null) this.#apply(state, change)
  }

  evict(user: number): void {
    this.#states.delete(user)
  }

  clear(): void {
    this.#states.clear()
  }

  /** The cached state, if it has seen everything but what made this version. */
  #stateBefore(user: number, { epoch, revision }: OwnerVersion): UserState | undefined {
    const state = this.#states.peek(user)
    const isBefore = state?.version.epoch === epoch && state.version.revision === revision - 1
    return isBefore ? state : undefined
  }

  #apply(state: UserState, change: StateChange): void {
    apply(state, change, this.#options.embedder)
    this.#afterChange(state, change.documents.length)
  }

  async #applyInSteps(state: UserState, change: StateChange): Promise<void> {
    await applyInSteps(state, change, this.#options.embedder, yieldToEventLoop)
    this.#afterChange(state, change.documents.length)
  }

  #afterChange(state: UserState, documents: number): void {
    if (state.unembedded.size > 0) this.#options.embedLater(state.user, [...state.unembedded])
    if (documents > 0 && this.#states.peek(state.user) === state) this.#states.set(state.user, state)
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
    const { store } = this.#options
    for (;;) {
      const cached = this.#states.get(user)
      const { revision, epoch } = await store.version(user)
      const state = cached?.version.epoch === epoch ? cached : this.#newState(user)
      const before = state.version.revision
      if (before === revision && state.version.epoch === epoch) return state
      const change = await this.#readChange(state)
      // This process committed meanwhile: what was read is older than the state.
      if (state.version.revision !== before) continue
      await this.#applyInSteps(state, change)
      this.#states.set(user, state)
      return state
    }
  }

  #newState(user: number): UserState {
    return new UserState(user, this.#options)
  }

  /** Reads everything of a user that is newer than the state. */
  async #readChange(state: UserState): Promise<StateChange> {
    const { store } = this.#options
    const { user } = state
    const rows = await store.indexRows(user, state.version.revision)
    const missing = new Set<string>()
    for (const { id, kind } of rows.documents) if (kind === 'turn' && !state.turns.has(id)) missing.add(id)
    const isWhole = state.version.revision === 0
    const ids = isWhole ? undefined : [...missing]
    const turns = missing.size === 0 ? [] : await store.turns({ owner: user, ids })
    const scopes = new Set(state.scopes)
    for (const { scope } of await store.listScopes({ owner: user })) scopes.add(scope)
    const progress: [number, ScopeProgress][] = []
    for (const scope of scopes)
      progress.push([scope, rows.progress?.get(scope) ?? (await store.progress(user, scope))])
    return {
      version: rows.version,
      sessions: scopes.size === 0 ? [] : await store.sessions(user, [...scopes]),
      turns: isWhole ? turns.filter(({ id }) => missing.has(id)) : turns,
      progress,
      memories: rows.memories.map(({ memory }) => memory),
      documents: await this.#withCurrentTerms(user, rows.documents),
    }
  }

  async #withCurrentTerms(user: number, rows: readonly IndexRow[]): Promise<readonly IndexRow[]> {
    const outdated = rows.filter((row) => row.analyser !== ANALYSER_VERSION)
    if (outdated.length === 0) return rows
    const again = await this.#options.analyseAgain(user, outdated)
    const byId = new Map(again.map((document) => [document.id, document]))
    return rows.map((row) => ({ ...row, ...byId.get(row.id) }))
  }
}
