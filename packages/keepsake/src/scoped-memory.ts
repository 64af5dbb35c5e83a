import { requireCallOptions } from './call-options.ts'
import { confirmRequest } from './requests/confirm-request.ts'
import { writeConsent, type Consent } from './consent/consent.ts'
import { ModelError } from '@keepsake/text'
import { consolidateScope } from './consolidate/consolidate-scope.ts'
import type { Engine } from './work/engine.ts'
import { endSession } from './remember/end-session.ts'
import { eraseMemories, erasePerson, type EraseTarget } from './erase/erase-memories.ts'
import {
  changeMemory,
  editMemory,
  pinMemory,
  removeMemory,
  restoreMemory,
  undo,
  type MemoryEdit,
} from './change/change-memories.ts'
import { keepNote, type NoteOptions } from './change/keep-note.ts'
import { stateMemory, type AddFactOptions } from './change/state-memory.ts'
import { runForgetting, type ForgettingOptions } from './forget/run-forgetting.ts'
import { recallMemories } from './read/recall.ts'
import { replyFromMemory, type Reply, type ReplyOptions } from './read/reply.ts'
import { setRemembered } from './remember/unremembered-sessions.ts'
import { recordTurns, type RememberResult, type RememberOptions } from './remember/record-turns.ts'
import { drainTelling, type DrainResult } from './work/drained.ts'
import { retryJobs } from './work/retry-jobs.ts'
import { exportScope } from './transfer/transfer.ts'
import type { ForgettingResult } from './forget/policies/forgetting-result.ts'
import type { Memory } from './memories/memory.ts'
import type { Operation } from './memories/operation.ts'
import type { Recall, RecallOptions } from './retrieval/recall-types.ts'
import { readScopeKey, type ScopeRow } from './scopes/scope.ts'
import { ScopedReading } from './scoped-reading.ts'
import type { EraseReceipt } from './store/store.ts'
import type { TurnInput } from './turns/turn.ts'

/**
 * One user's memory, or the part of it that an agent or app sees. Made by `Keepsake.scope()`; costs nothing until it is used. Every method
 * is safe to call concurrently.
 *
 * @example
 * const ana = keepsake.scope({ user: 'ana' })
 * await ana.remember([{ role: 'user', text: 'I moved to Lyon last week.' }], { session: 'monday' })
 * const { memories, context, known } = await ana.recall('Where does Ana live?')
 */
export class ScopedMemory extends ScopedReading {
  /**
   * Stores turns: all or none, durable and searchable when it returns. A turn whose id is already stored is skipped. Secrets are masked
   * first. Facts are extracted from the turns in the background; `drain()` waits for that.
   *
   * @param turns one turn or several, oldest first; each with its own time, zone, speaker and id.
   * @throws InvalidInputError for a turn that cannot be read; TurnConflictError for a known id with other words; StoreError when the file
   * cannot store it. Nothing of the call is stored then.
   */
  async remember(
    turns: TurnInput | readonly TurnInput[],
    options: RememberOptions = {},
  ): Promise<RememberResult> {
    requireCallOptions('remember', options)
    const engine = this.engine()
    return recordTurns(engine, await this.#writable(engine), turns, options)
  }

  /**
   * Finds the memories relevant to a question or to the last turn. Returns them with their scores and evidence turns, a context within the
   * token budget, and a confidence. Usage counters are updated after the call; `reinforce: false` leaves them unchanged. Of a question
   * longer than 4,000 characters, the first and the last 2,000 are searched for.
   *
   * @throws InvalidInputError for an option out of its range.
   */
  async recall(question: string, options: RecallOptions = {}): Promise<Recall> {
    requireCallOptions('recall', options)
    return this.see(recallMemories, question, options)
  }

  /**
   * Ends a session, the latest one when none is named. The rest of it is then consolidated and summarised, and the forgetting policy runs.
   * This happens in the background; `drain()` waits for it.
   */
  async endSession(session?: string): Promise<void> {
    const engine = this.engine()
    await endSession(engine, await engine.store.findScope(readScopeKey(this.key)), session)
  }

  /**
   * Waits until everything recorded in this process is consolidated, as far as possible, and returns this user's failures. A job that the
   * language model failed stays pending or becomes a dead letter with the reason (`jobs()`, `job-failed`).
   */
  async drain(): Promise<DrainResult> {
    const engine = this.engine()
    const work = async (): Promise<void> => {
      await engine.worker.drain()
      for (const row of (await this.readable(engine))?.rows ?? [])
        await consolidateScope(engine, row).catch((error: unknown) => {
          // The job stays pending or becomes a dead letter with this reason.
          if (!(error instanceof ModelError)) throw error
        })
    }
    return drainTelling(engine, work, () => this.jobs())
  }

  /**
   * Answers the user's last turn from memory, as a stream, and remembers the exchange. It uses only what recall returned, and says that it
   * does not know when the memory does not.
   *
   * With `tools` the model may call functions of the application before it answers. Their results reach the model and `toolCalls`. Only the
   * agent's own answer is remembered.
   *
   * @param turns the new turns, the user's last; earlier turns of the running session are added from memory.
   * @throws InvalidInputError without a language model, when the last turn is not the user's, or for an invalid tool.
   * @example
   * const reply = await ana.reply({ role: 'user', text: 'Where did I leave my bike?' })
   * for await (const piece of reply.textStream) process.stdout.write(piece)
   * @example
   * const weather = {
   *   description: 'The weather in a town today.',
   *   parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
   *   run: (input: unknown) => `Rain in ${(input as { town: string }).town}`,
   * }
   * const { text, toolCalls } = await ana.reply({ role: 'user', text: 'Should I cycle home?' }, { tools: { weather } })
   * console.log(await text, await toolCalls)
   */
  async reply(turns: TurnInput | readonly TurnInput[], options: ReplyOptions = {}): Promise<Reply> {
    requireCallOptions('reply', options)
    const engine = this.engine()
    const row = await this.#writable(engine)
    return replyFromMemory(engine, row, turns, { ...options, resolved: await this.readable(engine) })
  }

  /**
   * Stores a note about this user that comes from the application and not from a conversation. It has text to search by, metadata, and a
   * name under which it is read and replaced. The forgetting policy keeps it, and it is never merged with extracted facts. It can be
   * recalled as soon as the call returns.
   *
   * @param text the words to search by; may be empty when there is metadata, and then recall never finds it
   * @throws InvalidInputError for invalid text, name or metadata.
   * @example
   * const note = await ana.note('Prefers the window seat', { name: 'seat', metadata: { source: 'booking' } })
   * const [seat] = await ana.memories({ names: ['seat'] })
   */
  async note(text: string, options: NoteOptions = {}): Promise<Memory> {
    requireCallOptions('note', options)
    const engine = this.engine()
    return keepNote(engine, await this.#writable(engine), text, options)
  }

  /**
   * Adds a fact about this user on the application's word. It behaves like an extracted fact: it is recalled, appears on the persona sheet
   * under its key, and is merged by the key's class. The same fact stated twice is one memory with the evidence of both.
   *
   * @param text one plain sentence: “The user is allergic to peanuts.”
   * @returns the memory that now holds the fact
   * @throws InvalidInputError for an invalid text, key or quote; NotFoundError for an unknown turn
   * @example
   * await ana.state('The user lives in Lyon.', { key: 'residence', value: 'Lyon', evidence: ['monday-1'] })
   */
  async addFact(text: string, options: AddFactOptions = {}): Promise<Memory> {
    const engine = this.engine()
    return stateMemory(engine, await this.#writable(engine), text, options)
  }

  /**
   * Corrects a memory or its metadata. The former text stays in its history, valid until now. @returns the operation. @throws NotFoundError
   */
  async edit(memory: string, edit: MemoryEdit): Promise<Operation> {
    requireCallOptions('edit', edit)
    return this.#change(memory, (engine, row, id) => editMemory(engine, row, id, edit))
  }

  /** Deletes a memory, with the utterances and summary sentences that would bring it back. `undo` restores it. @throws NotFoundError */
  async forget(memory: string): Promise<Operation> {
    return this.#change(memory, removeMemory)
  }

  /** Protects a memory from the forgetting policy; `false` removes the protection. @throws NotFoundError */
  async pin(memory: string, pinned = true): Promise<Operation> {
    return this.#change(memory, (engine, row, id) => pinMemory(engine, row, id, pinned))
  }

  /**
   * Carries out a pending request to forget everything: deletes all memories in its scope but named notes. `undo` of the returned operation
   * restores them; `erase()` deletes for good. To decline the request, `remove` the memory that holds it.
   *
   * @param turn the turn that asked
   * @throws NotFoundError, NotPossibleError when that turn has no pending request
   * @example
   * const { asks = [] } = await ana.remember({ role: 'user', text: 'Forget everything you know about me.' })
   * for (const { turn } of asks) await ana.confirmRequest(turn)
   */
  async confirmRequest(turn: string): Promise<Operation> {
    const engine = this.engine()
    await this.drain()
    return confirmRequest(engine, await this.readable(engine), turn)
  }

  /** Restores a memory that was forgotten, deleted or quarantined. @throws NotFoundError, NotPossibleError when it is live or erased. */
  async restore(memory: string): Promise<Operation> {
    return this.#change(memory, restoreMemory)
  }

  /**
   * Undoes an operation and all its consequences. @throws NotFoundError; NotPossibleError when a later operation changed the same memory.
   */
  async undo(operation: string): Promise<Operation> {
    return this.seeUse(undo, operation)
  }

  /** Runs the forgetting policy now; with `dryRun` it only lists the memories it would forget. */
  async runForgetting(options: ForgettingOptions = {}): Promise<ForgettingResult> {
    requireCallOptions('runForgetting', options)
    const engine = this.engine()
    const rows = (await this.readable(engine))?.rows ?? []
    return runForgetting(engine, rows, options, (row) => consolidateScope(engine, row))
  }

  /**
   * Erases for good: the whole user (in every scope, when no target is given), or the named memories, turns or sessions with everything
   * derived from them. Nothing of it can be read once this returns.
   *
   * Once the receipt has `purgedAt`, the file holds no byte of the text; for a large file that comes later (event `erasure-proven`,
   * `Keepsake.erasure()`). A tombstone and this receipt, which hold no content, stay. It cannot be undone. Earlier backups are not changed.
   */
  async erase(target?: EraseTarget): Promise<EraseReceipt | null> {
    if (target !== undefined) requireCallOptions('erase', target)
    const engine = this.engine()
    const resolved = await this.readable(engine)
    if (resolved === null) return null
    return target === undefined ? erasePerson(engine, resolved) : eraseMemories(engine, resolved, target)
  }

  /**
   * Records whether this user's data may be used for training (`keepsake train export`), replacing the earlier answer; `unasked` clears it.
   * When the handle names no agent and no app, it applies to the whole user, future scopes included.
   */
  async setConsent(consent: Consent): Promise<void> {
    const engine = this.engine()
    const row = await this.#writable(engine)
    const { agent, app } = this.key
    await writeConsent(engine.store, { row, isWhole: agent === undefined && app === undefined }, consent)
  }

  /**
   * Switches storing of a session on or off, for every process. While it is off, `remember` and `reply` store nothing of it. Turns stored
   * before stay; `erase({ sessions })` removes them.
   */
  async setRemembered(session: string, remember: boolean): Promise<void> {
    const engine = this.engine()
    await engine.textGate.requireNames({ session })
    await setRemembered(engine.store, await this.#writable(engine), session, remember)
  }

  /** Retries this user's failed and waiting jobs now. @returns the number of jobs */
  async retryJobs(): Promise<number> {
    return retryJobs(this.engine(), await this.jobs())
  }

  /** Exports all of the user's data as JSON lines, which `Keepsake.import` reads back exactly. */
  async *export(): AsyncGenerator<string> {
    const engine = this.engine()
    const resolved = await this.readable(engine)
    if (resolved !== null) yield* exportScope(engine, resolved)
  }

  async #change(
    memory: string,
    change: (engine: Engine, row: ScopeRow, memory: string) => Promise<Operation>,
  ): Promise<Operation> {
    return this.see(changeMemory, memory, change)
  }

  async #writable(engine: Engine): Promise<ScopeRow> {
    const key = readScopeKey(this.key)
    const { tenant, user, agent, app } = key
    const names = { 'scope.tenant': tenant, 'scope.user': user, 'scope.agent': agent, 'scope.app': app }
    await engine.textGate.requireNames(names)
    return engine.store.ensureScope(key)
  }
}
