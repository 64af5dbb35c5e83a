import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { giveWay } from '../give-way.ts'
import { DocumentIndex } from '../retrieval/document-index.ts'
import type {
  AppendRequest,
  AppendResult,
  CommitRequest,
  CommitResult,
  IndexRow,
  IndexRows,
  NewDocument,
  OwnerVersion,
  ScopeProgress,
  Store,
} from '../stores/store.ts'
import { ANALYSER_VERSION } from '../text/analyse-text.ts'
import type { Memory, MemoryForm } from '../memories/memory.ts'
import { CacheImages } from './cache-images.ts'
import { formatOf } from './image-format.ts'
import type { Turn } from '../turns/turn.ts'
import { KeyedLock } from './keyed-lock.ts'
import { OwnerCache } from './owner-cache.ts'
import type { RecentTurns } from './recent-turns.ts'
import { share } from './said-turns.ts'

/** A prime, so that every person's turn comes. */
const MEASURED_EVERY = 61

export interface CacheSettings {
  readonly store: Store
  readonly recalls: readonly MemoryForm[]
  readonly keepingBranch: string
  readonly embedder: string
  readonly newId: () => string
  /** Is told of what failed in keeping an image, which is worth no more than telling. */
  readonly report: (error: unknown) => void
  /** Runs something off the caller's path. */
  readonly later: (task: () => Promise<unknown>) => void
  /** Bytes that all caches together may take before the least recently used are dropped. */
  readonly budget: number
  /** Analyses documents again whose analyser is of another version, and stores what comes out. */
  readonly analyseAgain: (owner: number, rows: readonly IndexRow[]) => Promise<readonly NewDocument[]>
  /** Is told of documents without a vector of this embedder; makes them in the background. */
  readonly embedLater: (owner: number, documents: readonly string[]) => void
}

/**
 * The caches of the people asked about lately, within a budget of memory. A cache is brought up to the
 * store's version before each use, so that what other processes wrote is seen.
 */
export class OwnerCaches {
  readonly #settings: CacheSettings
  readonly #caches: LRUCache<number, { readonly cache: OwnerCache }>
  readonly #locks = new KeyedLock()
  #gets = 0
  readonly #images: CacheImages
  /** Caches that take in much in several goes: not to be kept as they are. */
  readonly #taking = new Set<OwnerCache>()
  /** Caches that are being kept in the store, on their way out. */
  readonly #leaving = new Set<Promise<unknown>>()

  constructor(settings: CacheSettings) {
    this.#settings = settings
    const { store, newId, embedder, recalls, keepingBranch } = settings
    this.#images = new CacheImages({
      store,
      newId,
      format: formatOf([ANALYSER_VERSION, embedder, recalls, keepingBranch]),
    })
    this.#caches = new LRUCache({
      maxSize: settings.budget,
      maxEntrySize: Number.MAX_SAFE_INTEGER,
      // One larger than the whole budget may still be the only one.
      sizeCalculation: ({ cache }) => Math.min(settings.budget, Math.max(1, cache.bytes)),
      // Set again under its key only to have its size measured anew, a cache stays in use.
      noDisposeOnSet: true,
      dispose: ({ cache }, _owner, reason) => this.#letGo(cache, reason === 'evict'),
    })
  }

  /** Bytes taken now. */
  get bytes(): number {
    return this.#caches.calculatedSize
  }

  /** The person's cache, as of now. @param told the version that the store told a moment ago, where it did */
  async get(owner: number, told?: OwnerVersion): Promise<OwnerCache> {
    const cached = this.#caches.get(owner)?.cache
    if (cached !== undefined) {
      const version = told ?? (await this.#settings.store.version(owner))
      if (version.revision === cached.version.revision && version.epoch === cached.version.epoch) {
        this.#measureAgain(owner, cached)
        return cached
      }
    }
    return this.lock(owner, 'load', () => this.#bringUp(owner, cached === undefined ? told : undefined))
  }

  /**
   * The person's cache as it was last seen to be, without asking whether there is anything newer: for whoever asked a moment ago, and
   * whose commit is refused where what it rests on has changed since.
   */
  async lately(owner: number): Promise<OwnerCache> {
    return this.#caches.get(owner)?.cache ?? this.get(owner)
  }

  /** What is read of a person makes their cache larger: now and then it is measured. */
  #measureAgain(owner: number, cache: OwnerCache): void {
    this.#gets += 1
    if (this.#gets % MEASURED_EVERY === 0) this.#caches.set(owner, { cache })
  }

  /** The cache that was got a moment ago, or the one in its place. @param waited whether something from elsewhere was waited for since */
  async still(cache: OwnerCache, waited: boolean): Promise<OwnerCache> {
    return waited || cache.isFree ? this.get(cache.owner) : cache
  }

  /** Turns of the person that were read lately, by id; what is put in is there for the next who asks. Nothing where no cache is. */
  said(owner: number): Map<string, Turn> | undefined {
    return this.#caches.peek(owner)?.cache.said
  }

  /** The latest turns of a scope, as far as they are at hand. Nothing where no cache is. */
  recent(owner: number, scope: number): RecentTurns | undefined {
    return this.#caches.peek(owner)?.cache.recentTurns(scope)
  }

  /**
   * Runs what reads, decides and writes for one person one after another within this process. It only saves deciding again:
   * between processes the expectations of a commit see to that.
   */
  lock<Result>(
    owner: number,
    what: 'load' | 'write' | 'append',
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.#locks.runExclusive(`${owner}:${what}`, work)
  }

  /** Whether somebody changes the person's memories, or waits to. */
  isWriting(owner: number): boolean {
    return this.#locks.isHeld(`${owner}:write`)
  }

  /** The person's cache where there is one that is as the store is. Reads nobody's rows. */
  async peek(owner: number): Promise<OwnerCache | undefined> {
    const cached = this.#caches.peek(owner)?.cache
    if (cached === undefined) return undefined
    const { revision, epoch } = await this.#settings.store.version(owner)
    return revision === cached.version.revision && epoch === cached.version.epoch ? cached : undefined
  }

  /** Takes in what this process stored, so that it is not read again. A cache that had not seen what came before it reads that itself. */
  applyCommit(request: CommitRequest, { version, operations }: Committed): void {
    const cache = this.#next(request.owner, version)
    if (cache === undefined) return
    const sequences = new Map<string, number>()
    for (const { memory, touched, sequence } of operations)
      for (const id of memory === null ? touched.map((one) => one.memory) : [memory])
        sequences.set(id, sequence)
    const memories = request.memories.map((memory) => ({ memory, sequence: sequences.get(memory.id) ?? 0 }))
    const made = new Map(request.memories.map((memory) => [memory.id, memory]))
    const documents = request.documents.flatMap((document) => {
      const memory = made.get(document.id) ?? cache.known(document.id)?.memory
      return memory === undefined ? [] : [rowOfMemory(document, memory)]
    })
    const known = cache.progress(request.scope)
    const branches = Object.fromEntries(request.progress.map(({ branch, to }) => [branch, to]))
    const progress = { ...known, branches: { ...known.branches, ...branches } }
    this.#take(cache, { version, documents, memories }, [[request.scope, progress]])
  }

  /** The same of turns. */
  applyAppend(request: AppendRequest, result: AppendResult): void {
    const cache = this.#next(request.owner, result.version)
    if (cache === undefined) return
    const { documents, progress } = rowsOfTurns(cache, request, result)
    this.#take(cache, { version: result.version, documents, memories: [] }, progress)
    this.#noteTurns(cache, request.scope, result)
  }

  /**
   * The same of many turns, with looks at the event loop between them. Who asks for the cache meanwhile waits until all is taken in;
   * what else was stored meanwhile is read when it is next asked for.
   */
  takeAppend(request: AppendRequest, result: AppendResult): Promise<void> {
    const { owner } = request
    return this.lock(owner, 'load', async () => {
      const cache = this.#next(owner, result.version)
      if (cache === undefined) return
      const { documents, progress } = rowsOfTurns(cache, request, result)
      if (!(await this.#putInSteps(cache, documents))) return
      this.#take(cache, { version: result.version, documents: [], memories: [] }, progress)
      this.#caches.set(owner, { cache })
      this.#noteTurns(cache, request.scope, result)
    })
  }

  /**
   * Puts documents in, with looks at the event loop between them, within the lock of loading. Who has the cache already may meet some of them and not
   * yet others, as they would had these been stored one by one.
   *
   * @returns whether all are in; not where the cache was let go of meanwhile
   */
  async #putInSteps(
    cache: OwnerCache,
    rows: readonly IndexRow[],
    renewed: ReadonlyMap<string, NewDocument> = new Map(),
  ): Promise<boolean> {
    this.#taking.add(cache)
    try {
      for (const row of rows) {
        if (cache.isFree) return false
        this.#put(cache, row, renewed.get(row.id) ?? row)
        await giveWay()
      }
      return !cache.isFree
    } finally {
      this.#taking.delete(cache)
    }
  }

  #noteTurns(cache: OwnerCache, scope: number, { added, session }: AppendResult): void {
    const [first, last] = [added[0], added.at(-1)]
    if (first === undefined || last === undefined) return
    cache.noteLastSession(scope, session.number)
    cache.sessionNumbers(scope).set(session.id, session.number)
    cache.recentTurns(scope).take(first.position - 1, last.position, added)
    // What is drawn from them begins with reading them.
    for (const turn of added) share(cache.said, turn)
  }

  /** The cache that has seen everything up to this version but what made it. */
  #next(owner: number, version: OwnerVersion): OwnerCache | undefined {
    const cache = this.#caches.peek(owner)?.cache
    const isNext =
      cache !== undefined &&
      cache.version.epoch === version.epoch &&
      cache.version.revision === version.revision - 1
    return isNext ? cache : undefined
  }

  #take(cache: OwnerCache, rows: IndexRows, progress: Iterable<readonly [number, ScopeProgress]>): void {
    for (const [scope, reached] of progress) cache.setProgress(scope, reached)
    for (const known of rows.memories) cache.setMemory(known)
    for (const row of rows.documents) this.#put(cache, row, row)
    cache.settle()
    cache.version = rows.version
    this.#embedLater(cache)
    // Its size is measured anew.
    if (rows.documents.length > 0) this.#caches.set(cache.owner, { cache })
    if (isMuchChanged(cache)) this.#keepLater(cache)
  }

  drop(owner: number): void {
    this.#caches.delete(owner)
  }

  clear(): void {
    this.#caches.clear()
  }

  async #bringUp(owner: number, told?: OwnerVersion): Promise<OwnerCache> {
    const { store } = this.#settings
    const cached = this.#caches.get(owner)?.cache
    // One that came while this waited may be further than what was told before.
    const version = (cached === undefined ? told : undefined) ?? (await store.version(owner))
    const usable = cached !== undefined && cached.version.epoch === version.epoch ? cached : undefined
    if (usable?.version.revision === version.revision) return usable
    if (cached !== undefined && usable === undefined) this.#caches.delete(owner)
    const cache = usable ?? (await this.#open(owner, version))
    try {
      await this.#readInto(cache, version)
    } catch (error) {
      if (usable === undefined) cache.free()
      throw error
    }
    // Erased or made room for meanwhile.
    if (cache.isFree) return this.#bringUp(owner)
    this.#caches.set(owner, { cache })
    if (usable === undefined || isMuchChanged(cache)) this.#keepLater(cache)
    return cache
  }

  /** The cache as its image has it, or an empty one. */
  async #open(owner: number, version: OwnerVersion): Promise<OwnerCache> {
    const cache = this.#empty(owner)
    try {
      if (await this.#images.load(cache, version)) return cache
    } catch (error) {
      // One that cannot be read is none: everything is in the rows.
      this.#settings.report(error)
    }
    return cache.index.size === 0 && cache.version.revision === 0 ? cache : this.#empty(owner)
  }

  #isDue(cache: OwnerCache): boolean {
    return !this.#taking.has(cache) && this.#images.isDue(cache)
  }

  #keepLater(cache: OwnerCache): void {
    if (!this.#isDue(cache)) return
    this.#settings.later(async () => {
      if (!cache.isFree && this.#isDue(cache)) await this.#images.save(cache)
    })
  }

  /** One that had to make room is kept in the store, where that is due: it may soon be asked for again. */
  #letGo(cache: OwnerCache, isEvicted: boolean): void {
    if (!isEvicted || !this.#isDue(cache)) return cache.free()
    const leaving: Promise<unknown> = this.#images
      .save(cache)
      .catch(this.#settings.report)
      .finally(() => {
        cache.free()
        this.#leaving.delete(leaving)
      })
    this.#leaving.add(leaving)
  }

  /** Keeps what is in memory and changed, and lets go of all of it. */
  async close(): Promise<void> {
    for (const { cache } of this.#caches.values()) {
      if (this.#isDue(cache)) await this.#images.save(cache).catch(this.#settings.report)
    }
    await Promise.all(this.#leaving)
    this.clear()
  }

  #empty(owner: number): OwnerCache {
    const { recalls, keepingBranch } = this.#settings
    return new OwnerCache(owner, new DocumentIndex(), recalls, keepingBranch)
  }

  /** Takes in what is newer. Everything is read before anything is changed. */
  async #readInto(cache: OwnerCache, version: OwnerVersion): Promise<void> {
    const before = cache.version.revision
    const isThere = before === version.revision && cache.version.epoch === version.epoch
    if (isThere) return this.#embedLater(cache)
    const rows = await this.#settings.store.indexRows(cache.owner, before)
    await nextTurn()
    const renewed = await this.#renew(cache.owner, rows.documents)
    const progress = await this.#progressOf(cache, rows)
    // What this process stored meanwhile was taken in already: these rows are older than the cache.
    if (cache.version.revision !== before) return
    for (const [scope, reached] of progress) cache.setProgress(scope, reached)
    for (const known of rows.memories) cache.setMemory(known)
    if (!(await this.#putInSteps(cache, rows.documents, renewed))) return
    cache.settle()
    cache.version = rows.version
    this.#embedLater(cache)
  }

  #put(cache: OwnerCache, row: IndexRow, document: Pick<NewDocument, 'terms' | 'traits'>): void {
    const { embedder } = this.#settings
    addRow(cache, row, document, embedder)
    if (row.embedder === embedder) cache.unembedded.delete(row.id)
    else cache.unembedded.add(row.id)
  }

  #embedLater({ owner, unembedded }: OwnerCache): void {
    if (unembedded.size > 0) this.#settings.embedLater(owner, [...unembedded])
  }

  async #renew(owner: number, rows: readonly IndexRow[]): Promise<Map<string, NewDocument>> {
    const outdated = rows.filter((row) => row.analyser !== ANALYSER_VERSION)
    if (outdated.length === 0) return new Map()
    const renewed = await this.#settings.analyseAgain(owner, outdated)
    return new Map(renewed.map((document) => [document.id, document]))
  }

  async #progressOf(cache: OwnerCache, rows: IndexRows): Promise<Map<number, ScopeProgress>> {
    const scopes = new Set(cache.scopes)
    for (const row of rows.documents) scopes.add(row.scope)
    for (const { memory } of rows.memories) scopes.add(memory.scope)
    const progress = new Map<number, ScopeProgress>()
    for (const scope of scopes)
      progress.set(
        scope,
        rows.progress?.get(scope) ?? (await this.#settings.store.progress(cache.owner, scope)),
      )
    return progress
  }
}

/**
 * Whether so much changed that a process which is killed would leave the next one much to read. Otherwise an image is made when
 * its person leaves the memory, not while they are talked with.
 */
function isMuchChanged({ changedRows, index }: OwnerCache): boolean {
  return changedRows > Math.max(500, index.size / 2)
}

/** What a cache takes in of turns that were stored. */
function rowsOfTurns(
  cache: OwnerCache,
  { scope, turns }: AppendRequest,
  { added }: AppendResult,
): { readonly documents: IndexRow[]; readonly progress: [[number, ScopeProgress]] } {
  const documents = new Map(turns.map(({ id, document }) => [id, document]))
  const rows = added.flatMap((turn): IndexRow[] => {
    const document = documents.get(turn.id)
    return document === undefined ? [] : [{ ...turn, ...document, kind: 'turn' }]
  })
  const known = cache.progress(scope)
  const lastPosition = Math.max(known.lastPosition, added.at(-1)?.position ?? 0)
  return { documents: rows, progress: [[scope, { ...known, lastPosition }]] }
}

type Committed = Extract<CommitResult, { outcome: 'committed' }>

/** A memory's row as a store gives it. */
function rowOfMemory(document: NewDocument, { scope, session, learnedAt: at }: Memory): IndexRow {
  return { ...document, scope, session, position: 0, role: 'other', speaker: null, at }
}

/** Puts a row into the cache; a vector of another embedder counts as none, so that dimensions never mix. */
function addRow(
  cache: OwnerCache,
  row: IndexRow,
  { terms, traits }: Pick<NewDocument, 'terms' | 'traits'>,
  embedder: string,
): void {
  if (row.kind === 'turn') cache.addTurn(row)
  const { id, kind, scope, session, position, at } = row
  const { role, speaker } = speakerOf(row, cache.known(id)?.memory)
  const vector = row.embedder === embedder ? row.vector : null
  cache.putDocument({ id, kind, scope, session, position, role, speaker, at, terms, traits, vector })
}

/** A statement counts as its subject's own words, so that a question about somebody finds what is known of them. */
function speakerOf(row: IndexRow, memory: Memory | undefined): Pick<IndexRow, 'role' | 'speaker'> {
  if (memory === undefined || memory.form === 'utterance') return row
  const { subject } = memory
  if (subject === 'user' || subject === 'agent') return { role: subject, speaker: row.speaker }
  return { role: 'user', speaker: subject }
}
