import { Mutex } from 'async-mutex'
import { LRUCache } from 'lru-cache'
import type { VectorArena } from '../retrieval/vector/vector-arena.ts'
import { DocumentIndex } from '../retrieval/document-index.ts'
import type { IndexRow, IndexRows, NewDocument, Store } from '../stores/store.ts'
import { ANALYSER_VERSION } from '../text/analyse-text.ts'
import type { Memory, MemoryForm } from '../operations/memory.ts'
import { OwnerCache } from './owner-cache.ts'

export interface CacheSettings {
  readonly store: Store
  readonly arena: VectorArena
  readonly recalls: readonly MemoryForm[]
  readonly gate: string
  readonly embedder: string
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
  readonly #locks = new Map<string, Mutex>()

  constructor(settings: CacheSettings) {
    this.#settings = settings
    this.#caches = new LRUCache({
      maxSize: settings.budget,
      maxEntrySize: Number.MAX_SAFE_INTEGER,
      // One larger than the whole budget may still be the only one.
      sizeCalculation: ({ cache }) => Math.min(settings.budget, Math.max(1, cache.bytes)),
      // Set again under its key only to have its size measured anew, a cache stays in use.
      noDisposeOnSet: true,
      dispose: ({ cache }) => cache.index.free(),
    })
  }

  /** Bytes taken now. */
  get bytes(): number {
    return this.#caches.calculatedSize
  }

  /** The person's cache, as of now. */
  async get(owner: number): Promise<OwnerCache> {
    const cached = this.#caches.get(owner)?.cache
    if (cached !== undefined) {
      const version = await this.#settings.store.version(owner)
      if (version.revision === cached.version.revision && version.epoch === cached.version.epoch)
        return cached
    }
    return this.lock(owner, 'load').runExclusive(() => this.#bringUp(owner))
  }

  /** Serialises what reads, decides and writes for one person within this process. */
  lock(owner: number, what: 'load' | 'write' | 'consolidate'): Mutex {
    const key = `${owner}:${what}`
    const lock = this.#locks.get(key) ?? new Mutex()
    this.#locks.set(key, lock)
    return lock
  }

  drop(owner: number): void {
    this.#caches.delete(owner)
  }

  clear(): void {
    this.#caches.clear()
  }

  async #bringUp(owner: number): Promise<OwnerCache> {
    const { store } = this.#settings
    const cached = this.#caches.get(owner)?.cache
    const version = await store.version(owner)
    const usable = cached !== undefined && cached.version.epoch === version.epoch ? cached : undefined
    if (usable?.version.revision === version.revision) return usable
    if (cached !== undefined && usable === undefined) this.#caches.delete(owner)
    const cache = usable ?? this.#empty(owner)
    const rows = await store.indexRows(owner, cache.version.revision)
    await this.#apply(cache, rows)
    this.#caches.set(owner, { cache })
    return cache
  }

  #empty(owner: number): OwnerCache {
    const { arena, recalls, gate } = this.#settings
    return new OwnerCache(owner, new DocumentIndex(arena), recalls, gate)
  }

  async #apply(cache: OwnerCache, rows: IndexRows): Promise<void> {
    const { store, embedder } = this.#settings
    const renewed = new Map<string, NewDocument>()
    const outdated = rows.documents.filter((row) => row.analyser !== ANALYSER_VERSION)
    if (outdated.length > 0) {
      for (const row of await this.#settings.analyseAgain(cache.owner, outdated)) renewed.set(row.id, row)
    }
    const memories = new Map(rows.memories.map(({ memory }) => [memory.id, memory]))
    for (const row of rows.documents) {
      const memory = memories.get(row.id) ?? cache.known(row.id)?.memory
      addRow(cache, { ...row, ...subjectOf(memory), ...renewed.get(row.id) }, embedder)
    }
    for (const id of rows.removed) cache.index.remove(id)
    const unembedded = rows.documents.filter((row) => row.embedder !== embedder).map((row) => row.id)
    if (unembedded.length > 0) this.#settings.embedLater(cache.owner, unembedded)
    const scopes = new Set(rows.documents.map((row) => row.scope))
    for (const { memory } of rows.memories) scopes.add(memory.scope)
    for (const scope of scopes) cache.setProgress(scope, await store.progress(cache.owner, scope))
    for (const known of rows.memories) cache.setMemory(known)
    cache.judgeTurns(rows.documents.filter((row) => row.kind === 'turn').map((row) => row.id))
    cache.version = rows.version
  }
}

/** A statement counts as its subject's own words, so that a question about somebody finds what is known of them. */
function subjectOf(memory: Memory | undefined): Partial<Pick<IndexRow, 'role' | 'speaker'>> {
  if (memory === undefined || memory.form === 'utterance') return {}
  const { subject } = memory
  if (subject === 'user' || subject === 'agent') return { role: subject }
  return { role: 'user', speaker: subject }
}

/** Puts a row into the cache; a vector of another embedder counts as none, so that dimensions never mix. */
function addRow(cache: OwnerCache, row: IndexRow, embedder: string): void {
  if (row.kind === 'turn') cache.addTurn(row)
  const vector = row.embedder === embedder ? row.vector : null
  cache.index.upsert({ ...row, vector })
}
