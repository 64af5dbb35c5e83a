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
import { listHeldRequests, type HeldRequest } from './requests/confirm-request.ts'
import { readScopeKey, requireScopeFields, type ScopeKey } from './scopes/scope.ts'
import type { EraseReceipt, JobRow, SessionRow } from './stores/store.ts'
import type { Turn } from './turns/turn.ts'
import type { Engine } from './work/engine.ts'
import { resolveScope, type ResolvedScope } from './work/resolve-scope.ts'

/** Turns on each side of one that is looked at, where nobody says how many. */
const AROUND = 5

/** What can be seen of one person's memory, or of the part of it that an agent or app sees. */
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

  /** What is known of each person, by key (MOOM's persona sheet): values, since when, and on what evidence. */
  async persona(): Promise<PersonaSheet> {
    return this.see(readPersona)
  }

  /**
   * The little that should be known in every talk: name, health and safety, home, work, family, what goes on now, in at most 150
   * tokens; each line with the memories and turns it rests on. Made of what is live: nothing forgotten, withdrawn or over is in it.
   *
   * @example
   * const { lines } = await ana.profile()
   * lines.map(({ slot, text }) => `${slot}: ${text}`) // ['home: residence: Lyon', …]
   */
  async profile(): Promise<Profile> {
    return this.see(readProfile)
  }

  /** The compressed whole (COMEDY's portrait), with its earlier versions, where the preset makes one. */
  async portrait(): Promise<Portrait> {
    return this.see(readPortrait)
  }

  /** The story so far, level by level (MOOM), and the sessions' summaries. */
  async story(): Promise<readonly StoryLevel[]> {
    return this.see(readStory)
  }

  /** Memories in order of making or learning, as the filter says; live ones when it names no status. @throws InvalidInputError */
  async memories(filter: MemoryFilter = {}): Promise<readonly Memory[]> {
    requireCallOptions('memories', filter)
    return this.seeUse(listMemories, filter, this.key)
  }

  /**
   * How many memories a filter means; live ones when it names no status. They are counted where they are stored, and not read,
   * but for what is asked of their words (`subject`, `key`, `pinned`, `contains`).
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
   * Turns in order of arrival, as they were said and with what the application keeps with them. Not those that were erased.
   *
   * @param which a session, or a filter; all when absent
   */
  async turns(which: string | TurnFilter = {}): Promise<readonly Turn[]> {
    const filter = typeof which === 'string' ? { session: which } : which
    requireCallOptions('turns', filter)
    return this.see(listTurns, this.key, filter)
  }

  /**
   * A page of the turns, of which no more is read than it holds.
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
   * The turns one after another, read page by page.
   *
   * @example
   * for await (const { speaker, text } of ana.eachTurn({ session: 'monday' })) console.log(speaker, text)
   */
  eachTurn(options: Omit<TurnPageOptions, 'cursor'> = {}): AsyncGenerator<Turn> {
    return eachOf((cursor) => this.turnPage({ ...options, ...cursor }))
  }

  /** A turn among those of its session, in order: so many on each side. @throws NotFoundError */
  async turnsAround(turn: string, count: number = AROUND): Promise<readonly Turn[]> {
    return this.see(turnsAround, turn, count)
  }

  /** The sessions in order. */
  async sessions(): Promise<readonly SessionRow[]> {
    const engine = this.engine()
    const resolved = await this.readable(engine)
    return resolved === null ? [] : engine.store.sessions(resolved.owner, resolved.scopes)
  }

  /** A page of the sessions, of which no more is read than it holds. @throws InvalidInputError for a cursor of another list */
  async sessionPage(options: PageOptions = {}): Promise<Page<SessionRow>> {
    requireCallOptions('sessionPage', options)
    return this.see(pageOfSessions, options)
  }

  /** The sessions one after another, read page by page. */
  eachSession(options: Omit<PageOptions, 'cursor'> = {}): AsyncGenerator<SessionRow> {
    return eachOf((cursor) => this.sessionPage({ ...options, ...cursor }))
  }

  /** How much there is of this person, how far it was read, and what waits or failed. */
  async stats(): Promise<ScopeStats> {
    return this.see(measureScope)
  }

  /** This person's jobs: what waits, and what failed with the reason. */
  async jobs(): Promise<readonly JobRow[]> {
    return this.see(listJobs)
  }

  /** Every operation on this scope's memories after a place in the person's log, oldest first: what came of what was said since. */
  async log(filter: LogFilter = {}): Promise<readonly Operation[]> {
    requireCallOptions('log', filter)
    return this.seeUse(listOperations, filter)
  }

  /** Every operation on a memory, oldest first, with what it was before and after. @throws NotFoundError */
  async history(memory: string): Promise<readonly Operation[]> {
    return this.seeUse(memoryHistory, memory)
  }

  /** Why a memory was kept or forgotten: its strength in the formula's parts, its rank, and what happened to it. @throws NotFoundError */
  async explain(memory: string): Promise<Explanation> {
    return this.seeUse(explainMemory, memory)
  }

  /**
   * One memory's life: the turns it rests on, every recall of it, and by each forgetting policy its strength over time, its
   * rank, and when it would be let go. @throws NotFoundError
   */
  async life(memory: string): Promise<MemoryLife> {
    return this.seeUse(tellLife, memory)
  }

  /**
   * How memories stand by a forgetting policy, the weakest first, and which of them would go under a share or a capacity: what
   * `forgetting` would do, looked at before.
   *
   * @throws InvalidInputError for a policy that there is not, and a share or capacity out of its range
   * @example
   * const { items, kept } = await ana.strengths({ policy: 'lufy', capacity: { memories: 500 }, limit: 20 })
   */
  async strengths(options: StrengthOptions = {}): Promise<Strengths> {
    requireCallOptions('strengths', options)
    return this.seeUse(listStrengths, options)
  }

  /** What `erase` of the same would remove, without removing it: the whole person when nothing is named. @throws NotFoundError */
  async previewErasure(target?: EraseTarget): Promise<ErasePreview> {
    if (target !== undefined) requireCallOptions('erase', target)
    return this.see(previewErasure, target)
  }

  /** Receipts of what was erased of this person, oldest first, each with when its bytes were out of the file. Gone with the person. */
  async erasures(): Promise<readonly EraseReceipt[]> {
    const engine = this.engine()
    const resolved = await this.readable(engine)
    return resolved === null ? [] : engine.store.receipts(resolved.owner)
  }

  /** Whether this person may be learned from: see `setConsent`. A refusal for the whole person or for this part of them counts. */
  async consent(): Promise<Consent> {
    const engine = this.engine()
    const [row] = (await this.readable(engine))?.rows ?? []
    return row === undefined ? 'unasked' : readConsent(engine.store, row)
  }

  /** Whether turns of a session are remembered: see `setRemembered`. */
  async isRemembered(session: string): Promise<boolean> {
    const engine = this.engine()
    const row = await engine.store.findScope(readScopeKey(this.key))
    return row === null || !(await isUnremembered(engine.store, row, session))
  }

  /**
   * Requests that everything be forgotten (“forget everything you know about me”), which wait: nothing is lost before the person's next turn
   * says yes or `confirmRequest` does. Those whose turns are not consolidated yet come with `remember`.
   */
  async heldRequests(): Promise<readonly HeldRequest[]> {
    return this.see(listHeldRequests)
  }

  /** Runs a step over what this handle sees. @internal */
  protected async see<Given extends unknown[], Result>(
    step: (engine: Engine, resolved: ResolvedScope | null, ...given: Given) => Promise<Result>,
    ...given: Given
  ): Promise<Result> {
    const engine = this.engine()
    return step(engine, await this.readable(engine), ...given)
  }

  /** The same of what tells how memories were used: what recalls did is written before. @internal */
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
