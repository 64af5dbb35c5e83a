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
import { stateMemory, type StateOptions } from './change/state-memory.ts'
import { runForgetting, type ForgettingOptions } from './forget/run-forgetting.ts'
import { recallMemories } from './read/recall.ts'
import { replyFromMemory, type Reply, type ReplyOptions } from './read/reply.ts'
import { setRemembered } from './remember/unremembered-sessions.ts'
import { recordTurns, type Remembered, type RememberOptions } from './remember/record-turns.ts'
import { drainTelling, type Drained } from './work/drained.ts'
import { retryJobs } from './work/retry-jobs.ts'
import { exportScope } from './transfer/transfer.ts'
import type { ForgettingResult } from './forget/policies/forgetting-result.ts'
import type { Memory } from './memories/memory.ts'
import type { Operation } from './memories/operation.ts'
import type { Recall, RecallOptions } from './retrieval/recall-types.ts'
import { readScopeKey, type ScopeRow } from './scopes/scope.ts'
import { ScopedReading } from './scoped-reading.ts'
import type { EraseReceipt } from './stores/store.ts'
import type { TurnInput } from './turns/turn.ts'

/**
 * One person's memory, or the part of it that an agent or app sees. Made by `Keepsake.scope()`; costs nothing
 * until it is used. Every method is safe to call concurrently.
 *
 * @example
 * const ana = keepsake.scope({ user: 'ana' })
 * await ana.remember([{ role: 'user', text: 'I moved to Lyon last week.' }], { session: 'monday' })
 * const { memories, context, known } = await ana.recall('Where does Ana live?')
 */
export class ScopedMemory extends ScopedReading {
  /**
   * Records turns: all or none, durable when it returns, at once recallable. A turn whose id is known is not
   * stored again. Secrets are masked first. What is drawn from the turns follows in the background; `drain()` waits for it.
   *
   * @param turns one turn or several, oldest first; each with its own time, zone, speaker and id.
   * @throws InvalidInputError for a turn that cannot be read; TurnConflictError for a known id with other
   * words; StoreError when the file cannot take it. Nothing of the call is stored then.
   */
  async remember(
    turns: TurnInput | readonly TurnInput[],
    options: RememberOptions = {},
  ): Promise<Remembered> {
    requireCallOptions('remember', options)
    const engine = this.engine()
    return recordTurns(engine, await this.#writable(engine), turns, options)
  }

  /**
   * What bears on a question or on the talk's last turn: memories with score, its parts and the turns that
   * prove them, a context composed within a token budget, and how sure it is. A read: what it reinforces is
   * written afterwards, and not at all with `reinforce: false`. A question of more than 4,000 characters is searched for by its
   * first and last 2,000.
   *
   * @throws InvalidInputError for an option out of its range.
   */
  async recall(question: string, options: RecallOptions = {}): Promise<Recall> {
    requireCallOptions('recall', options)
    return this.see(recallMemories, question, options)
  }

  /** Ends a session (the latest one when none is named): the rest is consolidated, summarised, and the policy runs. In the background; `drain()` waits. */
  async endSession(session?: string): Promise<void> {
    const engine = this.engine()
    await endSession(engine, await engine.store.findScope(readScopeKey(this.key)), session)
  }

  /**
   * Resolves when everything recorded so far in this process is consolidated, as far as the language model let it be, with what failed of this
   * person: what the model could not be asked, or answered with nothing usable, waits or is parked with the reason (`jobs()`, `job-failed`).
   */
  async drain(): Promise<Drained> {
    const engine = this.engine()
    const work = async (): Promise<void> => {
      await engine.worker.drain()
      for (const row of (await this.readable(engine))?.rows ?? [])
        await consolidateScope(engine, row).catch((error: unknown) => {
          // Its job waits or is parked with the reason.
          if (!(error instanceof ModelError)) throw error
        })
    }
    return drainTelling(engine, work, () => this.jobs())
  }

  /**
   * Answers the user's last turn from memory, streaming, and remembers the exchange. Uses only what recall returned;
   * says that it does not know when memory does not.
   *
   * @param turns the new turns, the user's last; the running session's earlier ones are added from memory.
   * With `tools` the model may call functions of the application before it answers. What they give is nobody's word: it reaches the model and
   * `toolCalls`, and no memory is made of it but of what the agent says then.
   *
   * @throws InvalidInputError without a language model, when the last turn is not the user's, or for a tool that cannot be.
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
   * Keeps what the application states about this person and nobody said: words to be recalled by, metadata beside them, and a
   * name of its own under which it is found and changed again. Not forgotten by the policy, and not merged with what is drawn from
   * talk. Once it returns it is recalled.
   *
   * @param text its words; may be empty where there is metadata, and then no question finds it
   * @throws InvalidInputError for words, a name or metadata that cannot be kept.
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
   * Keeps a statement that the application makes about this person, as a fact like those that are drawn from talk: recalled, on the persona
   * sheet under its key, and merged with what is known by the key's class. Stated twice it is one memory, with the evidence of both.
   *
   * @param text one plain sentence: “The user is allergic to peanuts.”
   * @returns the memory that holds it now
   * @throws InvalidInputError for words, a key or a quote that cannot be taken; NotFoundError for a turn that is not there
   * @example
   * await ana.state('The user lives in Lyon.', { key: 'residence', value: 'Lyon', evidence: ['monday-1'] })
   */
  async state(text: string, options: StateOptions = {}): Promise<Memory> {
    const engine = this.engine()
    return stateMemory(engine, await this.#writable(engine), text, options)
  }

  /** Corrects a memory, or what is kept with it. What it said before stays in its history, valid until now. @returns the operation. @throws NotFoundError */
  async edit(memory: string, edit: MemoryEdit): Promise<Operation> {
    requireCallOptions('edit', edit)
    return this.#change(memory, (engine, row, id) => editMemory(engine, row, id, edit))
  }

  /** Deletes a memory, and what would bring it back: the utterances and summary sentences it rests on. Can be undone. @throws NotFoundError */
  async remove(memory: string): Promise<Operation> {
    return this.#change(memory, removeMemory)
  }

  /** Keeps a memory from ever being forgotten by the policy; `false` takes that back. @throws NotFoundError */
  async pin(memory: string, pinned = true): Promise<Operation> {
    return this.#change(memory, (engine, row, id) => pinMemory(engine, row, id, pinned))
  }

  /**
   * Carries out a request that waits: all that is remembered in its scope is deleted, but for named notes. Can be undone, by the
   * operation that this returns; for good is `erase()`. `remove` of the memory that keeps the request declines it.
   *
   * @param turn the turn that asked
   * @throws NotFoundError, NotPossibleError when no request of it waits
   * @example
   * const { asks = [] } = await ana.remember({ role: 'user', text: 'Forget everything you know about me.' })
   * for (const { turn } of asks) await ana.confirmRequest(turn)
   */
  async confirmRequest(turn: string): Promise<Operation> {
    const engine = this.engine()
    await this.drain()
    return confirmRequest(engine, await this.readable(engine), turn)
  }

  /** Brings back a memory that was forgotten, deleted or quarantined. @throws NotFoundError, NotPossibleError when it is live or erased. */
  async restore(memory: string): Promise<Operation> {
    return this.#change(memory, restoreMemory)
  }

  /** Undoes an operation and all that followed from it. @throws NotFoundError; NotPossibleError when something later changed the same. */
  async undo(operation: string): Promise<Operation> {
    return this.seeUse(undo, operation)
  }

  /** Runs the forgetting policy now; with `dryRun` only tells what it would forget. */
  async forgetting(options: ForgettingOptions = {}): Promise<ForgettingResult> {
    requireCallOptions('forgetting', options)
    const engine = this.engine()
    const rows = (await this.readable(engine))?.rows ?? []
    return runForgetting(engine, rows, options, (row) => consolidateScope(engine, row))
  }

  /**
   * Erases for good: the whole person (in every scope, when nothing is named), or the named memories, turns or
   * sessions with everything that rests on them. Nothing of it can be read any more when this answers, and no byte of the text stays in
   * the file once the receipt says `scrubbedAt`: of a large file that comes later (event `erasure-proven`, `Keepsake.erasure()`). A
   * tombstone and this receipt, which hold nothing of it, stay. Cannot be undone. Backups made earlier are out of reach.
   */
  async erase(target?: EraseTarget): Promise<EraseReceipt | null> {
    if (target !== undefined) requireCallOptions('erase', target)
    const engine = this.engine()
    const resolved = await this.readable(engine)
    if (resolved === null) return null
    return target === undefined ? erasePerson(engine, resolved) : eraseMemories(engine, resolved, target)
  }

  /**
   * Records whether this person may be learned from (`keepsake train export`), in place of what they said before; `unasked` takes it back.
   * For the whole person, also in scopes yet to come, where the handle names no agent and no app.
   */
  async setConsent(consent: Consent): Promise<void> {
    const engine = this.engine()
    const row = await this.#writable(engine)
    const { agent, app } = this.key
    await writeConsent(engine.store, { row, isWhole: agent === undefined && app === undefined }, consent)
  }

  /**
   * Says whether turns of a session are remembered from now on: while they are not, `remember` and `reply` store nothing of it, whichever process
   * is asked. What was kept before stays; `erase({ sessions })` takes it out.
   */
  async setRemembered(session: string, remember: boolean): Promise<void> {
    const engine = this.engine()
    await engine.textGate.requireNames({ session })
    await setRemembered(engine.store, await this.#writable(engine), session, remember)
  }

  /** Tries what failed of this person again now, and what waits for its next try. @returns how many jobs */
  async retryJobs(): Promise<number> {
    return retryJobs(this.engine(), await this.jobs())
  }

  /** The whole person as JSON lines, which `Keepsake.import` reads back exactly. */
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
