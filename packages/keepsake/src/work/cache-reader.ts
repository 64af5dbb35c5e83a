import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MemoryForm } from '../memories/memory.ts'
import { DocumentIndex } from '../retrieval/document-index.ts'
import type {
  FoundCandidates,
  IndexRow,
  IndexRows,
  NewDocument,
  OwnerVersion,
  ScopeProgress,
  Store,
} from '../stores/store.ts'
import { ANALYSER_VERSION } from '@keepsake/text'
import type { CacheImages } from './cache-images.ts'
import { OwnerCache } from './owner-cache.ts'
import { putInSteps } from './put-row.ts'

export interface ReaderSettings {
  readonly store: Store
  readonly images: CacheImages
  readonly recalls: readonly MemoryForm[]
  readonly keepingBranch: string
  readonly embedder: string
  /** Is told of what failed in keeping or reading an image, which is worth no more than telling. */
  readonly report: (error: unknown) => void
  /** Analyses documents again whose analyser is of another version, and stores what comes out. */
  readonly analyseAgain: (owner: number, rows: readonly IndexRow[]) => Promise<readonly NewDocument[]>
  /** Is told of documents without a vector of this embedder; makes them in the background. */
  readonly embedLater: (owner: number, documents: readonly string[]) => void
}

/** Fills a person's cache from the store: from their image, and from the rows that are newer. */
export class CacheReader {
  readonly #settings: ReaderSettings

  constructor(settings: ReaderSettings) {
    this.#settings = settings
  }

  /** The cache as its image has it, or an empty one. */
  async open(owner: number, version: OwnerVersion): Promise<OwnerCache> {
    const { images, report } = this.#settings
    const cache = this.#empty(owner)
    try {
      if (await images.load(cache, version)) return cache
    } catch (error) {
      // One that cannot be read is none: everything is in the rows.
      report(error)
    }
    return cache.index.size === 0 && cache.version.revision === 0 ? cache : this.#empty(owner)
  }

  /** Takes in what is newer. Everything is read before anything is changed. */
  async readInto(cache: OwnerCache, version: OwnerVersion): Promise<void> {
    const { store, embedder } = this.#settings
    const before = cache.version.revision
    const isThere = before === version.revision && cache.version.epoch === version.epoch
    if (isThere) return this.embedLater(cache)
    const rows = await store.indexRows(cache.owner, before)
    await nextTurn()
    const renewed = await this.#renew(cache.owner, rows.documents)
    const progress = await this.#progressOf(cache, rows)
    // What this process stored meanwhile was taken in already: these rows are older than the cache.
    if (cache.version.revision !== before) return
    for (const [scope, reached] of progress) cache.setProgress(scope, reached)
    for (const known of rows.memories) cache.setMemory(known)
    if (!(await putInSteps(cache, rows.documents, embedder, renewed))) return
    cache.settle()
    cache.version = rows.version
    this.embedLater(cache)
  }

  /** A cache of candidates alone, which knows how rare words are in the whole. */
  async ofCandidates(owner: number, { rows, whole }: FoundCandidates): Promise<OwnerCache> {
    const { recalls, keepingBranch, embedder } = this.#settings
    const renewed = await this.#renew(owner, rows.documents)
    const cache = new OwnerCache(owner, new DocumentIndex(whole), recalls, keepingBranch)
    for (const [scope, reached] of await this.#progressOf(cache, rows)) cache.setProgress(scope, reached)
    for (const known of rows.memories) cache.setMemory(known)
    await putInSteps(cache, rows.documents, embedder, renewed)
    cache.settle()
    cache.version = rows.version
    this.embedLater(cache)
    return cache
  }

  /** Has vectors made of the documents that have none of this embedder. */
  embedLater({ owner, unembedded }: OwnerCache): void {
    if (unembedded.size > 0) this.#settings.embedLater(owner, [...unembedded])
  }

  #empty(owner: number): OwnerCache {
    const { recalls, keepingBranch } = this.#settings
    return new OwnerCache(owner, new DocumentIndex(), recalls, keepingBranch)
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
