// The methods of `scope.admin`, for administration of one user: history, previews, strengths, consent.
import { readName } from '@keepsake/text'
import { requireCallOptions } from './call-options.ts'
import { readConsent, type Consent, writeConsent } from './consent/consent.ts'
import { type EraseTarget, previewErasure, type ErasePreview } from './erase/erase-memories.ts'
import { countMemories, memoryHistory, type CountFilter } from './inspect/list-memories.ts'
import { listStrengths, type StrengthOptions, type Strengths } from './inspect/list-strengths.ts'
import { pageOfSessions, pageOfTurns, turnsAround, type TurnPageOptions } from './inspect/list-turns.ts'
import { listJobs, measureScope, type ScopeStats } from './inspect/measure-scope.ts'
import type { Page, PageOptions } from './inspect/page.ts'
import { describeLife, type MemoryLife } from './inspect/describe-life.ts'
import type { Operation } from './memories/operation.ts'
import { ensureScope } from './remember/record-turns.ts'
import { isUnremembered, setRemembered } from './remember/sessions.ts'
import { listPendingRequests, type PendingRequest } from './requests/confirm-request.ts'
import { readScopeKey } from './scopes/scope.ts'
import type { EraseReceipt, SessionRow } from './store/store.ts'
import type { Turn } from './turns/turn.ts'
import { retryJobs } from './work/jobs.ts'
import type { ScopeHandle } from './work/scope-handle.ts'

/** Default number of turns before and after a turn. */
const DEFAULT_TURNS_AROUND = 5

/**
 * Methods for the operator of an application: pages, counts, strengths, consent, previews of erasures, and jobs.
 *
 * @example
 * const { memories, turns } = await ana.admin.stats()
 */
export class ScopeAdmin {
  readonly #handle: ScopeHandle

  /** @internal Use `ScopedMemory.admin`. */
  constructor(handle: ScopeHandle) {
    this.#handle = handle
  }

  /** Counts this user's rows, and reports how far consolidation has read and which jobs are pending or failed. */
  async stats(): Promise<ScopeStats> {
    return this.#handle.run(measureScope)
  }

  /**
   * Counts the memories that match a filter, as `memories()` lists them.
   *
   * @throws InvalidInputError
   * @example
   * const pages = Math.ceil((await ana.admin.countMemories({ forms: ['fact'] })) / 50)
   */
  async countMemories(filter: CountFilter = {}): Promise<number> {
    requireCallOptions('countMemories', filter)
    return this.#handle.run(countMemories, filter, this.#handle.key)
  }

  /**
   * Returns one page of the turns.
   *
   * @throws InvalidInputError for a cursor of another list
   * @example
   * const { items, next } = await ana.admin.turnPage({ session: 'monday', newestFirst: true, limit: 50 })
   */
  async turnPage(options: TurnPageOptions = {}): Promise<Page<Turn>> {
    requireCallOptions('turnPage', options)
    return this.#handle.run(pageOfTurns, options)
  }

  /** Returns a turn with up to `count` turns of its session on each side, in order. @throws NotFoundError */
  async turnsAround(turn: string, count: number = DEFAULT_TURNS_AROUND): Promise<readonly Turn[]> {
    return this.#handle.run(turnsAround, turn, count)
  }

  /** Returns one page of the sessions. @throws InvalidInputError for a cursor of another list */
  async sessionPage(options: PageOptions = {}): Promise<Page<SessionRow>> {
    requireCallOptions('sessionPage', options)
    return this.#handle.run(pageOfSessions, options)
  }

  /** Lists every operation on a memory, oldest first, with the values before and after. @throws NotFoundError */
  async history(memory: string): Promise<readonly Operation[]> {
    return this.#handle.runWithUsage(memoryHistory, readName(memory, 'memory'))
  }

  /**
   * Returns the life of a memory: its evidence turns, all recalls of it, and its strength and rank by each forgetting policy.
   * @throws NotFoundError
   */
  async life(memory: string): Promise<MemoryLife> {
    return this.#handle.runWithUsage(describeLife, readName(memory, 'memory'))
  }

  /**
   * Ranks memories by a forgetting policy, the weakest first, and marks those that a share or a capacity would remove. This is a preview of
   * `runForgetting`.
   *
   * @throws InvalidInputError for an unknown policy, or a share or capacity out of its range
   * @example
   * const { items, kept } = await ana.admin.strengths({ policy: 'lufy', capacity: { memories: 500 }, limit: 20 })
   */
  async strengths(options: StrengthOptions = {}): Promise<Strengths> {
    requireCallOptions('strengths', options)
    return this.#handle.runWithUsage(listStrengths, options)
  }

  /** Previews `erase` of the same target without removing anything: the whole user when no target is given. @throws NotFoundError */
  async previewErasure(target?: EraseTarget): Promise<ErasePreview> {
    if (target !== undefined) requireCallOptions('erase', target)
    return this.#handle.run(previewErasure, target)
  }

  /**
   * Lists the receipts of this user's erasures, oldest first, each with the time its bytes left the file. Erasing the user erases them too.
   */
  async erasures(): Promise<readonly EraseReceipt[]> {
    const engine = this.#handle.engine()
    const resolved = await this.#handle.resolve(engine)
    return resolved === null ? [] : engine.store.listErasures(resolved.owner)
  }

  /**
   * Returns whether this user's data may be used for training (see `setConsent`). A refusal may apply to this scope or to the whole user.
   */
  async consent(): Promise<Consent> {
    const engine = this.#handle.engine()
    const [row] = (await this.#handle.resolve(engine))?.rows ?? []
    return row === undefined ? 'unasked' : readConsent(engine.store, row)
  }

  /** Records whether this user's data may train models; `unasked` removes it. A handle without agent and app means the whole user. */
  async setConsent(consent: Consent): Promise<void> {
    const engine = this.#handle.engine()
    const row = await ensureScope(engine, this.#handle.key)
    const { agent, app } = this.#handle.key
    await writeConsent(engine.store, { row, isWhole: agent === undefined && app === undefined }, consent)
  }

  /** Checks whether turns of a session are stored (see `setRemembered`). */
  async isRemembered(session: string): Promise<boolean> {
    const engine = this.#handle.engine()
    const row = await engine.store.findScope(readScopeKey(this.#handle.key))
    return row === null || !(await isUnremembered(engine.store, row, session))
  }

  /**
   * Switches storing of a session on or off, for every process. While it is off, `remember` and `reply` store no turns of the session.
   * Earlier turns stay; `erase({ sessions })` removes them.
   */
  async setRemembered(session: string, remember: boolean): Promise<void> {
    const engine = this.#handle.engine()
    await engine.textGate.requireNames({ session })
    await setRemembered(engine.store, await ensureScope(engine, this.#handle.key), session, remember)
  }

  /**
   * Lists pending requests to forget everything (“forget everything you know about me”). They run only after the user's next turn, or
   * `confirmRequest`, confirms them. `remember` returns requests in turns that are not consolidated yet.
   */
  async pendingRequests(): Promise<readonly PendingRequest[]> {
    return this.#handle.run(listPendingRequests)
  }

  /** Retries this user's failed and waiting jobs now. @returns the number of jobs */
  async retryJobs(): Promise<number> {
    return retryJobs(this.#handle.engine(), await this.#handle.run(listJobs))
  }
}
