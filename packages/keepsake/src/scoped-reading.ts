import { requireCallOptions } from './call-options.ts'
import { readConsent, type Consent } from './consent/consent.ts'
import { previewErasure, type ErasePreview } from './erase/preview-erasure.ts'
import type { EraseTarget } from './erase/erase-memories.ts'
import { listStrengths, type StrengthOptions, type Strengths } from './inspect/list-strengths.ts'
import { explainMemory, type Explanation } from './inspect/explain-memory.ts'
import {
  countMemories,
  listMemories,
  listOperations,
  listTurns,
  memoryHistory,
  readPersona,
  readPortrait,
  readStory,
  type CountFilter,
  type LogFilter,
  type MemoryFilter,
  type Portrait,
  type StoryLevel,
  type TurnFilter,
} from './inspect/list-memories.ts'
import { pageOfSessions, pageOfTurns, turnsAround, type TurnPageOptions } from './inspect/list-turns.ts'
import { listJobs, measureScope, type ScopeStats } from './inspect/measure-scope.ts'
import { eachOf, type Page, type PageOptions } from './inspect/page.ts'
import { tellLife, type MemoryLife } from './inspect/tell-life.ts'
import type { Memory } from './memories/memory.ts'
import type { Operation } from './memories/operation.ts'
import type { PersonaSheet } from './persona/persona-sheet.ts'
import type { Profile } from './persona/profile.ts'
import { readProfile } from './read/profile.ts'
import { isUnremembered } from './remember/unremembered-sessions.ts'
import { listPendingRequests, type PendingRequest } from './requests/confirm-request.ts'
import { readScopeKey, requireScopeFields, type ScopeKey } from './scopes/scope.ts'
import type { EraseReceipt, JobRow, SessionRow } from './stores/store.ts'
import type { Turn } from './turns/turn.ts'
import type { Engine } from './work/engine.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'
import { resolveScope, type ResolvedScope } from './work/resolve-scope.ts'

/** Default number of turns on each side. */
const AROUND = 5

/** Reads one user's memory, or the part of it that an agent or app sees. */
export class ScopedReading {
  readonly key: ScopeKey
  /** @internal */
  protected readonly engine: () => Engine

  /** @internal Use `Keepsake.scope()`. */
  constructor(engine: () => Engine, key: ScopeKey) {
    requireScopeFields(key)
    readScopeKey(key)
    this.key = key
    this.engine = engine
  }

  /** Returns the facts about each person by key (MOOM's persona sheet): values, dates and evidence. */
  async persona(): Promise<PersonaSheet> {
    return this.see(readPersona)
  }

  /**
   * Returns the short profile for every conversation: name, health and safety, home, work, family and current events, in at most 150
   * tokens. Each line names its memories and turns. It holds only live memories that are still valid.
   *
   * @example
   * const { lines } = await ana.profile()
   * lines.map(({ slot, text }) => `${slot}: ${text}`) // ['home: residence: Lyon', …]
   */
  async profile(): Promise<Profile> {
    return this.see(readProfile)
  }

  /** Returns the summary of everything (COMEDY's portrait) with its earlier versions, when the preset makes one. */
  async portrait(): Promise<Portrait> {
    return this.see(readPortrait)
  }

  /** Returns the story, level by level (MOOM), and the session summaries. */
  async story(): Promise<readonly StoryLevel[]> {
    return this.see(readStory)
  }

  /** Lists the memories that match a filter, in order of creation; live ones when it names no status. @throws InvalidInputError */
  async memories(filter: MemoryFilter = {}): Promise<readonly Memory[]> {
    requireCallOptions('memories', filter)
    return this.seeUse(listMemories, filter, this.key)
  }

  /**
   * Counts the memories that match a filter; live ones when it names no status. The store counts them without reading them, except for
   * filters on content (`subject`, `key`, `pinned`, `contains`).
   *
   * @throws InvalidInputError
   * @example
   * const pages = Math.ceil((await ana.countMemories({ forms: ['fact'] })) / 50)
   */
  async countMemories(filter: CountFilter = {}): Promise<number> {
    requireCallOptions('countMemories', filter)
    return this.see(countMemories, filter, this.key)
  }

  /**
   * Lists turns in order of arrival, word for word and with their metadata. Erased turns are not included.
   *
   * @param which a session, or a filter; all when absent
   */
  async turns(which: string | TurnFilter = {}): Promise<readonly Turn[]> {
    const filter = typeof which === 'string' ? { session: which } : which
    requireCallOptions('turns', filter)
    return this.see(listTurns, this.key, filter)
  }

  /**
   * Returns one page of the turns and reads no more rows than that.
   *
   * @throws InvalidInputError for a cursor of another list
   * @example
   * const { items, next } = await ana.turnPage({ session: 'monday', newestFirst: true, limit: 50 })
   */
  async turnPage(options: TurnPageOptions = {}): Promise<Page<Turn>> {
    requireCallOptions('turnPage', options)
    return this.see(pageOfTurns, options)
  }

  /**
   * Iterates over the turns, reading page by page.
   *
   * @example
   * for await (const { speaker, text } of ana.eachTurn({ session: 'monday' })) console.log(speaker, text)
   */
  eachTurn(options: Omit<TurnPageOptions, 'cursor'> = {}): AsyncGenerator<Turn> {
    return eachOf((cursor) => this.turnPage({ ...options, ...cursor }))
  }

  /** Returns a turn with up to `count` turns of its session on each side, in order. @throws NotFoundError */
  async turnsAround(turn: string, count: number = AROUND): Promise<readonly Turn[]> {
    return this.see(turnsAround, turn, count)
  }

  /** Lists the sessions in order. */
  async sessions(): Promise<readonly SessionRow[]> {
    const engine = this.engine()
    const resolved = await this.readable(engine)
    return resolved === null ? [] : engine.store.sessions(resolved.owner, resolved.scopes)
  }

  /** Returns one page of the sessions and reads no more rows than that. @throws InvalidInputError for a cursor of another list */
  async sessionPage(options: PageOptions = {}): Promise<Page<SessionRow>> {
    requireCallOptions('sessionPage', options)
    return this.see(pageOfSessions, options)
  }

  /** Iterates over the sessions, reading page by page. */
  eachSession(options: Omit<PageOptions, 'cursor'> = {}): AsyncGenerator<SessionRow> {
    return eachOf((cursor) => this.sessionPage({ ...options, ...cursor }))
  }

  /** Counts this user's rows, and reports how far consolidation has read and which jobs are pending or failed. */
  async stats(): Promise<ScopeStats> {
    return this.see(measureScope)
  }

  /** Lists this user's pending jobs, and the dead letters with their reasons. */
  async jobs(): Promise<readonly JobRow[]> {
    return this.see(listJobs)
  }

  /** Lists the operations on this scope's memories after a sequence number in the user's log, oldest first. */
  async log(filter: LogFilter = {}): Promise<readonly Operation[]> {
    requireCallOptions('log', filter)
    return this.seeUse(listOperations, filter)
  }

  /** Lists every operation on a memory, oldest first, with the values before and after. @throws NotFoundError */
  async history(memory: string): Promise<readonly Operation[]> {
    return this.seeUse(memoryHistory, memory)
  }

  /** Explains why a memory was kept or forgotten: the parts of its strength, its rank, and its history. @throws NotFoundError */
  async explain(memory: string): Promise<Explanation> {
    return this.seeUse(explainMemory, memory)
  }

  /**
   * Returns the life of a memory: its evidence turns, every recall of it, and for each forgetting policy its strength over time, its rank,
   * and when it would be forgotten. @throws NotFoundError
   */
  async life(memory: string): Promise<MemoryLife> {
    return this.seeUse(tellLife, memory)
  }

  /**
   * Ranks memories by a forgetting policy, the weakest first, and marks those that a share or a capacity would remove. It previews
   * `forgetting`.
   *
   * @throws InvalidInputError for an unknown policy, or a share or capacity out of its range
   * @example
   * const { items, kept } = await ana.strengths({ policy: 'lufy', capacity: { memories: 500 }, limit: 20 })
   */
  async strengths(options: StrengthOptions = {}): Promise<Strengths> {
    requireCallOptions('strengths', options)
    return this.seeUse(listStrengths, options)
  }

  /** Previews `erase` of the same target without removing anything: the whole user when no target is given. @throws NotFoundError */
  async previewErasure(target?: EraseTarget): Promise<ErasePreview> {
    if (target !== undefined) requireCallOptions('erase', target)
    return this.see(previewErasure, target)
  }

  /**
   * Lists the receipts of this user's erasures, oldest first, each with the time its bytes left the file. Erasing the user erases them too.
   */
  async erasures(): Promise<readonly EraseReceipt[]> {
    const engine = this.engine()
    const resolved = await this.readable(engine)
    return resolved === null ? [] : engine.store.receipts(resolved.owner)
  }

  /**
   * Returns whether this user's data may be used for training (see `setConsent`). A refusal for the whole user or for this scope counts.
   */
  async consent(): Promise<Consent> {
    const engine = this.engine()
    const [row] = (await this.readable(engine))?.rows ?? []
    return row === undefined ? 'unasked' : readConsent(engine.store, row)
  }

  /** Checks whether turns of a session are stored: see `setRemembered`. */
  async isRemembered(session: string): Promise<boolean> {
    const engine = this.engine()
    const row = await engine.store.findScope(readScopeKey(this.key))
    return row === null || !(await isUnremembered(engine.store, row, session))
  }

  /**
   * Lists pending requests to forget everything (“forget everything you know about me”). They run only after the user's next turn confirms,
   * or `confirmRequest` does. Requests in turns not yet consolidated are returned by `remember`.
   */
  async pendingRequests(): Promise<readonly PendingRequest[]> {
    return this.see(listPendingRequests)
  }

  /** Runs a step over the memories that this handle sees. @internal */
  protected async see<Given extends unknown[], Result>(
    step: (engine: Engine, resolved: ResolvedScope | null, ...given: Given) => Promise<Result>,
    ...given: Given
  ): Promise<Result> {
    const engine = this.engine()
    // A call that finds everything in memory never waits: others that wait for the disk go on first.
    await yieldToEventLoop()
    return step(engine, await this.readable(engine), ...given)
  }

  /** Runs a step that reads usage counters; pending counters are flushed first. @internal */
  protected async seeUse<Given extends unknown[], Result>(
    step: (engine: Engine, resolved: ResolvedScope | null, ...given: Given) => Promise<Result>,
    ...given: Given
  ): Promise<Result> {
    const engine = this.engine()
    const resolved = await this.readable(engine)
    if (resolved !== null) await engine.usage.write(resolved.owner)
    return step(engine, resolved, ...given)
  }

  /** @internal */
  protected async readable(engine: Engine): Promise<ResolvedScope | null> {
    return resolveScope(engine.store, readScopeKey(this.key))
  }
}
