// The memory of one user: remember(), recall(), reply(), and all changes. Methods that only read are in scope-views.ts.
import { requireCallOptions } from './call-options.ts'
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
import { editBlock, writeBlock, type BlockEdit, type BlockOptions } from './change/write-block.ts'
import { consolidateScope } from './consolidate/consolidate-scope.ts'
import { readPending } from './consolidate/read-pending.ts'
import { type EraseTarget, eraseTarget, isEverything } from './erase/erase-memories.ts'
import type { ForgettingResult } from './forget/policies/forgetting-policy.ts'
import { readGuidelines, type GuidelinesInput, type ScopeGuidelines } from './guidelines/guidelines.ts'
import type { OwnKeys } from './filing/own-keys.ts'
import { runForgetting, type ForgettingOptions } from './forget/run-forgetting.ts'
import type { Memory } from './memories/memory.ts'
import type { Operation } from './memories/operation.ts'
import { recallMemories } from './read/recall.ts'
import { replyFromMemory, type Reply, type ReplyOptions } from './read/reply.ts'
import { endSession } from './remember/sessions.ts'
import {
  ensureScope,
  recordTurns,
  type RememberResult,
  type RememberOptions,
} from './remember/record-turns.ts'
import { confirmRequest } from './requests/confirm-request.ts'
import { forgetAbout, type ForgetAboutOptions, type ForgottenTopic } from './requests/forget-about.ts'
import type { Recall, RecallOptions } from './retrieval/recall-types.ts'
import { ScopeAdmin } from './scope-admin.ts'
import { readScopeKey, type ScopeKey, type ScopeRow } from './scopes/scope.ts'
import type { EraseReceipt } from './store/store.ts'
import type { TurnInput } from './turns/turn.ts'
import { guidelinesOf, writeGuidelines } from './work/scope-guidelines.ts'
import { drainAndReport, type DrainResult } from './work/jobs.ts'
import type { Engine } from './work/engine.ts'
import { describeValue, InvalidInputError, ModelError, readName } from '@keepsake/text'
import { ScopeViews } from './scope-views.ts'

/**
 * The memory of one user, or the part of it that an agent or app sees. `Keepsake.scope()` makes one without reading anything. All methods
 * can be called concurrently.
 *
 * @example
 * const ana = keepsake.scope({ user: 'ana' })
 * await ana.remember([{ role: 'user', text: 'I moved to Lyon last week.' }], { session: 'monday' })
 * const { memories, context, known } = await ana.recall('Where does Ana live?')
 */
export class ScopedMemory<Keys extends OwnKeys = OwnKeys> extends ScopeViews<Keys> {
  /** Pages, counts, consent, previews of erasures and other views of an operator. */
  readonly admin: ScopeAdmin

  /** @internal Use `Keepsake.scope()`. */
  constructor(engine: () => Engine, key: ScopeKey) {
    super(engine, key)
    this.admin = new ScopeAdmin(this.handle)
  }

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
    const engine = this.handle.engine()
    return recordTurns(engine, await ensureScope(engine, this.key), turns, options)
  }

  /**
   * Finds the memories relevant to a question or to the last turn. Returns them with their scores and evidence turns, a context within the
   * token budget, and a confidence. Usage counters are updated after the call; `reinforce: false` leaves them unchanged. For a question
   * longer than 4,000 characters, the search uses the first and the last 2,000.
   *
   * @throws InvalidInputError for an option out of its range.
   */
  async recall(question: string, options: RecallOptions = {}): Promise<Recall> {
    requireCallOptions('recall', options)
    return this.handle.run(recallMemories, question, options)
  }

  /**
   * Answers the user's last turn from memory, as a stream, and remembers the exchange. The model uses only what recall returned, and says so
   * if the memory has no answer.
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
    const engine = this.handle.engine()
    const row = await ensureScope(engine, this.key)
    return replyFromMemory(engine, row, turns, { ...options, resolved: await this.handle.resolve(engine) })
  }

  /**
   * Ends a session, the latest one when none is named. The rest of it is then consolidated and summarised, and the forgetting policy runs.
   * This happens in the background; `drain()` waits for it.
   */
  async endSession(session?: string): Promise<void> {
    const engine = this.handle.engine()
    await endSession(engine, await engine.store.findScope(readScopeKey(this.key)), session)
  }

  /**
   * Waits until everything recorded in this process is consolidated, as far as possible, and returns this user's failures. A job that the
   * language model failed stays pending or becomes a dead letter with the reason (`jobs()`, `job-failed`).
   */
  async drain(): Promise<DrainResult> {
    const engine = this.handle.engine()
    const work = async (): Promise<void> => {
      await engine.worker.drain()
      for (const row of (await this.handle.resolve(engine))?.rows ?? [])
        await consolidateScope(engine, row).catch((error: unknown) => {
          // The job stays pending or becomes a dead letter with this reason.
          if (!(error instanceof ModelError)) throw error
        })
    }
    return drainAndReport(engine, work, () => this.jobs())
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
    const engine = this.handle.engine()
    return keepNote(engine, await ensureScope(engine, this.key), text, options)
  }

  /**
   * Adds a fact about this user on the application's word. It behaves like an extracted fact: it is recalled, appears on the persona sheet
   * under its key, and is merged by the key's class. The same fact stated twice is one memory with the evidence of both.
   *
   * @param text one plain sentence: “The user is allergic to peanuts.”
   * @returns the memory that now holds the fact
   * @throws InvalidInputError for an invalid text, key or quote; NotFoundError for an unknown turn
   * @example
   * await ana.addFact('The user lives in Lyon.', { key: 'residence', value: 'Lyon', evidence: ['monday-1'] })
   */
  async addFact(text: string, options: AddFactOptions = {}): Promise<Memory> {
    requireCallOptions('addFact', options)
    const engine = this.handle.engine()
    return stateMemory(engine, await ensureScope(engine, this.key), text, options)
  }

  /**
   * Makes a block, or replaces the text of the block with that name. Only this call and `editBlock` write blocks.
   *
   * @param name at most 512 characters, unique among the blocks and notes of the scope. `project/tasks` is in the directory `project`.
   * @throws InvalidInputError for a text above the limit; NotFoundError for an unknown turn; NotPossibleError for the name of a note, and for
   * a text that the guidelines forbid.
   * @example
   * await ana.writeBlock('persona', 'You are called Iris. Answer briefly.', { limit: 500 })
   */
  async writeBlock(name: string, text: string, options: BlockOptions = {}): Promise<Memory> {
    requireCallOptions('writeBlock', options)
    const engine = this.handle.engine()
    return writeBlock(engine, await ensureScope(engine, this.key), { name, text }, options)
  }

  /**
   * Edits a block of this scope: replaces words that it contains exactly once, inserts lines, or renames it. The edit applies to the text at
   * the time of the commit, so that concurrent edits are both kept.
   *
   * @throws NotFoundError for an unknown block; NotPossibleError if the words occur not at all or several times, or the new name is taken;
   * InvalidInputError for a text above the limit, or an edit that sets nothing.
   * @example
   * await ana.writeBlock('tasks', 'book the train\nwater the plants')
   * await ana.editBlock('tasks', { find: 'book the train', replace: 'train booked' })
   * await ana.editBlock('tasks', { insert: 'call Mia' })
   */
  async editBlock(name: string, edit: BlockEdit): Promise<Memory> {
    requireCallOptions('editBlock', edit)
    const engine = this.handle.engine()
    return editBlock(engine, await ensureScope(engine, this.key), name, edit)
  }

  /**
   * Corrects a memory or its metadata. The former text stays in its history and ends at `at`, or now. If `at` is the memory's own start, the
   * former text is replaced as if it had never held. @returns the operation. @throws NotFoundError
   *
   * @example
   * await ana.edit(fact.id, { text: 'The user lives in Porto.', value: 'Porto', at: fact.validFrom })
   */
  async edit(memory: string, edit: MemoryEdit): Promise<Operation> {
    requireCallOptions('edit', edit)
    return this.#change(memory, (engine, row, id) => editMemory(engine, row, id, edit))
  }

  /** Forgets a memory, with the utterances and summary sentences that would bring it back. `undo` restores it. @throws NotFoundError */
  async forget(memory: string): Promise<Operation> {
    return this.#change(memory, removeMemory)
  }

  /**
   * Forgets a topic, like the user's request “forget what I said about Tom”: every earlier memory that names the topic or continues it. What
   * may be about it stays, and is listed as `unsure`: most of its words, a pronoun right after it, a person of the same name. Turns that wait for extraction are read first.
   * `undo` of the operations restores the memories.
   *
   * @throws InvalidInputError for an empty topic, and for one that means everything
   * @example
   * const { memories } = await ana.forgetAbout('the bakery job', { dryRun: true })
   * if (memories.length > 0) await ana.forgetAbout('the bakery job')
   */
  async forgetAbout(topic: string, options: ForgetAboutOptions = {}): Promise<ForgottenTopic> {
    requireCallOptions('forgetAbout', options)
    const about = readName(topic, 'topic')
    await this.handle.run(readPending)
    return this.handle.run(forgetAbout, about, options)
  }

  /** Protects a memory from the forgetting policy; `false` removes the protection. @throws NotFoundError */
  async pin(memory: string, pinned = true): Promise<Operation> {
    if (typeof pinned !== 'boolean')
      throw new InvalidInputError(`pinned must be true or false, but it is ${describeValue(pinned)}.`)
    return this.#change(memory, (engine, row, id) => pinMemory(engine, row, id, pinned))
  }

  /** Restores a memory that was forgotten, on request or by the policy, or quarantined. @throws NotFoundError, NotPossibleError when it is live or erased. */
  async restore(memory: string): Promise<Operation> {
    return this.#change(memory, restoreMemory)
  }

  /**
   * Undoes an operation and all its consequences. @throws NotFoundError; NotPossibleError when a later operation changed the same memory.
   */
  async undo(operation: string): Promise<Operation> {
    return this.handle.runWithUsage(undo, readName(operation, 'operation'))
  }

  /**
   * Carries out a pending request to forget everything: all memories in its scope but named notes. `undo` of the returned operation restores
   * them; only `erase()` cannot be undone. To decline the request, `forget` the memory that stores it.
   *
   * @param turn the turn that asked
   * @throws NotFoundError, NotPossibleError when that turn has no pending request
   * @example
   * const { pendingRequests = [] } = await ana.remember({ role: 'user', text: 'Forget everything you know about me.' })
   * for (const { turn } of pendingRequests) await ana.confirmRequest(turn)
   */
  async confirmRequest(turn: string): Promise<Operation> {
    const engine = this.handle.engine()
    await this.drain()
    return confirmRequest(engine, await this.handle.resolve(engine), turn)
  }

  /**
   * Runs the forgetting policy now; with `dryRun` it only lists the memories it would forget.
   *
   * @example
   * const { operations } = await ana.runForgetting({ keep: 0.5 })
   * for (const operation of operations) await ana.undo(operation) // restores all of them
   */
  async runForgetting(options: ForgettingOptions = {}): Promise<ForgettingResult> {
    requireCallOptions('runForgetting', options)
    const engine = this.handle.engine()
    const rows = (await this.handle.resolve(engine))?.rows ?? []
    return runForgetting(engine, rows, options, (row) => consolidateScope(engine, row))
  }

  /**
   * Erases for good: the named memories, turns or sessions with everything that is derived from them, or with `{ everything: true }` the
   * whole user in every scope. When this call returns, nothing of it can be read.
   *
   * When the receipt has `purgedAt`, the file contains no byte of the text. For a large file, this happens later (event `erasure-proven`,
   * `Keepsake.erasure()`). Tombstones and the receipt stay, without content. An erasure cannot be undone, and it does not change backups.
   *
   * @throws InvalidInputError for a target that names nothing; NotFoundError for an unknown memory, turn or session
   * @example
   * await ana.erase({ turns: ['monday-1'] })
   * await ana.erase({ everything: true })
   */
  async erase(target: EraseTarget): Promise<EraseReceipt | null> {
    requireCallOptions('erase', target)
    isEverything(target)
    const engine = this.handle.engine()
    const resolved = await this.handle.resolve(engine)
    return resolved === null ? null : eraseTarget(engine, resolved, target)
  }

  /**
   * Replaces the guidelines of this user, or of this agent or app; `{}` removes them. They are stored, and add to the guidelines of
   * `openMemory`. They apply from the next extraction on; `forgetAbout` removes what is known already.
   *
   * @throws InvalidInputError for an unknown field, or a line that is blank or longer than 500 characters
   * @example
   * await ana.setGuidelines({ keep: 'How her Spanish improves.', never: ['health', 'names of colleagues'] })
   */
  async setGuidelines(guidelines: GuidelinesInput): Promise<ScopeGuidelines> {
    const given = readGuidelines(guidelines)
    const engine = this.handle.engine()
    const row = await ensureScope(engine, this.key)
    await writeGuidelines(engine, row, given)
    return guidelinesOf(engine, row)
  }

  async #change(
    memory: string,
    change: (engine: Engine, row: ScopeRow, memory: string) => Promise<Operation>,
  ): Promise<Operation> {
    return this.handle.run(changeMemory, readName(memory, 'memory'), change)
  }
}
