import { LRUCache } from 'lru-cache'
import type {
  AppendRequest,
  AppendResult,
  CandidateQuestion,
  CommitRequest,
  NewDocument,
  OwnerVersion,
} from '../stores/store.ts'
import { ANALYSER_VERSION } from '@keepsake/text'
import { CacheImages } from './cache-images.ts'
import { CacheReader, type ReaderSettings } from './cache-reader.ts'
import type { GatheredSteps } from './gathered-steps.ts'
import { formatOf } from './image-format.ts'
import { KeyedLock } from './keyed-lock.ts'
import type { OwnerCache } from './owner-cache.ts'
import type { RecentTurns } from './recent-turns.ts'
import type { SaidTurns } from './said-turns.ts'
import {
  noteAppended,
  noteStored,
  takeAppend,
  takeAppendInSteps,
  takeCommit,
  takeReindexed,
  takeUnstored,
  type Committed,
} from './take-stored.ts'

/** Between two images of people who are in memory: those who came together would all be due together, and an image is some 15 ms of work. */
const KEEP_EVERY_MS = 500

/** A prime, so that every person's turn comes. */
const MEASURED_EVERY = 61

export interface CacheSettings extends Omit<ReaderSettings, 'images'> {
  readonly newId: () => string
  /** Runs something off the caller's path. */
  readonly later: (task: () => Promise<unknown>) => void
  /** Bytes that all caches together may take before the least recently used are dropped. */
  readonly budget: number
  /** Turns and memories of a person from which on they are not read whole for a question, where the store gives candidates. */
  readonly candidatesFrom: number
}

/** What a recall sees a person by. */
export type CacheSource = Pick<OwnerCaches, 'get' | 'still'>

/** A question as far as it says what may answer it. */
export type SoughtCandidates = Omit<CandidateQuestion, 'forms' | 'findsKeptTurns' | 'branch' | 'embedder'>

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
  readonly #reader: CacheReader
  /** By whom there stands in somebody's cache what is not stored yet. */
  readonly #unstored = new Map<number, GatheredSteps>()
  /** When an image of somebody in memory was last begun. */
  #keptAt = Number.NEGATIVE_INFINITY
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
    this.#reader = new CacheReader({ ...settings, images: this.#images })
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

  /**
   * The person's cache, as of now.
   *
   * @param told the version that the store told a moment ago, where it did
   * @param by whose steps see what they have not stored yet; for everybody else that is stored first
   */
  async get(owner: number, told?: OwnerVersion, by?: GatheredSteps): Promise<OwnerCache> {
    await this.#unstoredOf(owner, by)?.settle()
    const cached = this.#caches.get(owner)?.cache
    if (cached !== undefined) {
      const version = told ?? (await this.#settings.store.version(owner))
      if (this.#unstoredOf(owner, by) !== undefined) return this.get(owner, undefined, by)
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
  async lately(owner: number, by?: GatheredSteps): Promise<OwnerCache> {
    await this.#unstoredOf(owner, by)?.settle()
    return this.#caches.get(owner)?.cache ?? this.get(owner, undefined, by)
  }

  /** The same, and nothing of a person who is not in memory. */
  async inMemory(owner: number): Promise<OwnerCache | undefined> {
    await this.#unstored.get(owner)?.settle()
    return this.now(owner)
  }

  /** The person's cache as it stands in memory. */
  now(owner: number): OwnerCache | undefined {
    return this.#caches.peek(owner)?.cache
  }

  /** Who has to store first what they gathered: others, and whoever gathered it in a cache that was let go of since. */
  #unstoredOf(owner: number, by: GatheredSteps | undefined): GatheredSteps | undefined {
    const gathered = this.#unstored.get(owner)
    return gathered === by && gathered?.cache === this.now(owner) ? undefined : gathered
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

  /** Whether a question about the person is answered from candidates: one who is in memory is there whole. */
  async isTooLarge(owner: number): Promise<boolean> {
    const { store, candidatesFrom } = this.#settings
    if (store.candidates === undefined || this.#caches.peek(owner) !== undefined) return false
    return store.candidates.isLarge(owner, candidatesFrom)
  }

  /** A cache of the candidates for one question, as of now. It is kept nowhere. */
  async ofCandidates(sought: SoughtCandidates): Promise<OwnerCache> {
    const { store, recalls, keepingBranch, embedder } = this.#settings
    if (store.candidates === undefined) throw new Error('this store gives no candidates')
    const forms = [...new Set([...recalls, 'note'])].filter((form) => form !== 'utterance')
    const findsKeptTurns = recalls.includes('utterance')
    const question = { ...sought, forms, findsKeptTurns, branch: keepingBranch, embedder }
    await store.candidates.keep(question)
    return this.#reader.ofCandidates(sought.owner, await store.candidates.find(question))
  }

  /** Turns of the person that were read lately, by id; what is put in is there for the next who asks. Nothing where no cache is. */
  said(owner: number): SaidTurns | undefined {
    return this.#caches.peek(owner)?.cache.said
  }

  /** The latest turns of a scope, as far as they are at hand. Nothing where no cache is. */
  recent(owner: number, scope: number): RecentTurns | undefined {
    return this.#caches.peek(owner)?.cache.atHand.recentTurns(scope)
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
    await this.#unstored.get(owner)?.settle()
    const cached = this.#caches.peek(owner)?.cache
    if (cached === undefined) return undefined
    const { revision, epoch } = await this.#settings.store.version(owner)
    return revision === cached.version.revision && epoch === cached.version.epoch ? cached : undefined
  }

  /** Takes in what this process stored, so that it is not read again. A cache that had not seen what came before it reads that itself. */
  applyCommit(request: CommitRequest, committed: Committed): void {
    const cache = this.#next(request.owner, committed.version)
    if (cache === undefined) return
    this.#took(cache, takeCommit(cache, request, committed, this.#settings))
  }

  /** Takes a change in that is gathered, for the steps that come after it. */
  takeUnstored(cache: OwnerCache, request: CommitRequest, by: GatheredSteps): void {
    cache.hasUnstored = true
    this.#unstored.set(cache.owner, by)
    takeUnstored(cache, request, this.#settings)
  }

  /** Notes that what was gathered is stored. A cache that was let go of since knows nothing of it. */
  noteStored({ owner, documents }: CommitRequest, committed: Committed): void {
    const cache = this.now(owner)
    const isSame = cache !== undefined && cache === this.#unstored.get(owner)?.cache
    this.#unstored.delete(owner)
    if (!isSame) return
    cache.hasUnstored = false
    noteStored(cache, committed)
    if (this.#next(owner, committed.version) === cache) cache.version = committed.version
    this.#took(cache, documents.length)
  }

  /** Lets go of a cache in which stands what was not stored after all. */
  dropUnstored(cache: OwnerCache): void {
    this.#unstored.delete(cache.owner)
    if (this.now(cache.owner) === cache) this.drop(cache.owner)
  }

  /** The same of turns. Those that were all there already made no version: the latest may be of turns that another process stored. */
  applyAppend(request: AppendRequest, result: AppendResult): void {
    if (result.added.length === 0) return
    const cache = this.#next(request.owner, result.version)
    if (cache === undefined) return
    this.#took(cache, takeAppend(cache, request, result, this.#settings))
    noteAppended(cache, request.scope, result)
  }

  /**
   * The same of many turns, with looks at the event loop between them. Who asks for the cache meanwhile waits until all is taken in;
   * what else was stored meanwhile is read when it is next asked for.
   */
  takeAppend(request: AppendRequest, result: AppendResult): Promise<void> {
    const { owner } = request
    if (result.added.length === 0) return Promise.resolve()
    return this.lock(owner, 'load', async () => {
      const cache = this.#next(owner, result.version)
      if (cache === undefined || !(await takeAppendInSteps(cache, request, result, this.#settings))) return
      this.#took(cache, result.added.length)
      noteAppended(cache, request.scope, result)
    })
  }

  /** The same of documents that were indexed again: where the cache has not seen all before it, it reads them itself. */
  applyReindex(owner: number, documents: readonly NewDocument[], version: OwnerVersion): void {
    const cache = this.#next(owner, version)
    const taken = cache === undefined ? null : takeReindexed(cache, documents, version, this.#settings)
    if (cache !== undefined && taken !== null) this.#took(cache, taken)
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

  #took(cache: OwnerCache, documents: number): void {
    this.#reader.embedLater(cache)
    // Its size is measured anew.
    if (documents > 0) this.#caches.set(cache.owner, { cache })
    this.#keepInTurn(cache)
  }

  drop(owner: number): void {
    this.#caches.delete(owner)
  }

  clear(): void {
    this.#caches.clear()
  }

  async #bringUp(owner: number, told?: OwnerVersion): Promise<OwnerCache> {
    const { store } = this.#settings
    // It was decided over what the cache saw before, so it is stored or refused first, whoever's it is.
    await this.#unstored.get(owner)?.settle()
    const cached = this.#caches.get(owner)?.cache
    // One that came while this waited may be further than what was told before.
    const version = (cached === undefined ? told : undefined) ?? (await store.version(owner))
    const usable = cached !== undefined && cached.version.epoch === version.epoch ? cached : undefined
    if (usable?.version.revision === version.revision) return usable
    if (cached !== undefined && usable === undefined) this.#caches.delete(owner)
    const cache = usable ?? (await this.#reader.open(owner, version))
    try {
      await this.#reader.readInto(cache, version)
    } catch (error) {
      if (usable === undefined) cache.free()
      throw error
    }
    // Erased or made room for meanwhile.
    if (cache.isFree) return this.#bringUp(owner)
    this.#caches.set(owner, { cache })
    if (usable !== undefined) this.#keepInTurn(cache)
    else if (isFarBehind(cache)) this.#keepLater(cache)
    return cache
  }

  /** Whose turn it is not yet is still as much changed at their next change. */
  #keepInTurn(cache: OwnerCache): void {
    if (!isMuchChanged(cache) || performance.now() - this.#keptAt < KEEP_EVERY_MS) return
    this.#keptAt = performance.now()
    this.#keepLater(cache)
  }

  #keepLater(cache: OwnerCache): void {
    if (!this.#images.isDue(cache)) return
    this.#settings.later(async () => {
      if (!cache.isFree && this.#images.isDue(cache)) await this.#images.save(cache)
    })
  }

  /** One that had to make room is kept in the store, where that is due: it may soon be asked for again. */
  #letGo(cache: OwnerCache, isEvicted: boolean): void {
    if (!isEvicted || !this.#images.isDue(cache)) return cache.free()
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
      if (this.#images.isDue(cache)) await this.#images.save(cache).catch(this.#settings.report)
    }
    await Promise.all(this.#leaving)
    this.clear()
  }
}

/**
 * Whether of a person who was just read in so much is newer than their image that the next process had better not read that again. To make
 * an image costs as much as some thousand rows, and whoever moves from one process to another has a few dozen that are new.
 */
function isFarBehind({ changedRows, index }: OwnerCache): boolean {
  return changedRows > index.size / 4
}

/**
 * Whether so much changed that a process which is killed would leave the next one much to read. Otherwise an image is made when
 * its person leaves the memory, not while they are talked with.
 */
function isMuchChanged({ changedRows, index }: OwnerCache): boolean {
  return changedRows > Math.max(500, index.size / 2)
}
