import { confirmRequest, listHeldRequests, type HeldRequest } from './requests/confirm-request.ts'
import { ModelError } from './errors/model-error.ts'
import { consolidateScope } from './consolidate/consolidate-scope.ts'
import type { Engine } from './work/engine.ts'
import { endSession } from './remember/end-session.ts'
import { eraseMemories, erasePerson, type EraseTarget } from './erase/erase-memories.ts'
import { explainMemory, type Explanation } from './inspect/explain-memory.ts'
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
import { runForgetting, type ForgettingOptions } from './forget/run-forgetting.ts'
import {
  listMemories,
  listOperations,
  listTurns,
  memoryHistory,
  readPersona,
  readPortrait,
  readStory,
  type LogFilter,
  type MemoryFilter,
  type Portrait,
  type StoryLevel,
  type TurnFilter,
} from './inspect/list-memories.ts'
import { recallMemories } from './recall/recall-memories.ts'
import { replyFromMemory, type Reply, type ReplyOptions } from './reply/reply-from-memory.ts'
import { recordTurns, type Remembered, type RememberOptions } from './remember/record-turns.ts'
import { resolveScope, type ResolvedScope } from './work/resolve-scope.ts'
import { exportScope } from './transfer/transfer.ts'
import type { ForgettingResult } from './forget/policies/forgetting-result.ts'
import type { Memory } from './memories/memory.ts'
import type { Operation } from './memories/operation.ts'
import type { Profile } from './persona/profile.ts'
import { readProfile } from './profile/read-profile.ts'
import type { PersonaSheet } from './persona/persona-sheet.ts'
import type { Recall, RecallOptions } from './retrieval/recall-types.ts'
import type { EraseReceipt, SessionRow } from './stores/store.ts'
import type { Turn, TurnInput } from './turns/turn.ts'
import { readScopeKey, type ScopeKey, type ScopeRow } from './scopes/scope.ts'

/**
 * One person's memory, or the part of it that an agent or app sees. Made by `Keepsake.scope()`; costs nothing
 * until it is used. Every method is safe to call concurrently.
 *
 * @example
 * const ana = keepsake.scope({ user: 'ana' })
 * await ana.remember([{ role: 'user', text: 'I moved to Lyon last week.' }], { session: 'monday' })
 * const { memories, context, known } = await ana.recall('Where does Ana live?')
 */
export class ScopedMemory {
  readonly key: ScopeKey
  readonly #engine: () => Engine

  /** @internal Use `Keepsake.scope()`. */
  constructor(engine: () => Engine, key: ScopeKey) {
    readScopeKey(key)
    this.key = key
    this.#engine = engine
  }

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
    const engine = this.#engine()
    return recordTurns(engine, await this.#writable(engine), turns, options)
  }

  /**
   * What bears on a question or on the talk's last turn: memories with score, its parts and the turns that
   * prove them, a context composed within a token budget, and how sure it is. A read: what it reinforces is
   * written afterwards, and not at all with `reinforce: false`.
   *
   * @throws InvalidInputError for an option out of its range.
   */
  async recall(question: string, options: RecallOptions = {}): Promise<Recall> {
    return this.#see(recallMemories, question, options)
  }

  /** Ends a session (the latest one when none is named): the rest is consolidated, summarised, and the policy runs. In the background; `drain()` waits. */
  async endSession(session?: string): Promise<void> {
    const engine = this.#engine()
    await endSession(engine, await engine.store.findScope(readScopeKey(this.key)), session)
  }

  /**
   * Resolves when everything recorded so far in this process is consolidated, as far as the language model let it be: what
   * it could not be asked, or answered with nothing usable, waits or is parked with the reason (`jobs()`, `job-failed`).
   */
  async drain(): Promise<void> {
    const engine = this.#engine()
    await engine.worker.drain()
    const resolved = await this.#readable(engine)
    for (const row of resolved?.rows ?? [])
      await consolidateScope(engine, row).catch((error: unknown) => {
        if (!(error instanceof ModelError)) throw error
      })
  }

  /** What is known of each person, by key (MOOM's persona sheet): values, since when, and on what evidence. */
  async persona(): Promise<PersonaSheet> {
    return this.#see(readPersona)
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
    return this.#see(readProfile)
  }

  /** The compressed whole (COMEDY's portrait), with its earlier versions, where the preset makes one. */
  async portrait(): Promise<Portrait> {
    return this.#see(readPortrait)
  }

  /**
   * Answers the user's last turn from memory, streaming, and remembers the exchange. Uses only what recall returned;
   * says that it does not know when memory does not.
   *
   * @param turns the new turns, the user's last; the running session's earlier ones are added from memory.
   * @throws InvalidInputError without a language model, or when the last turn is not the user's.
   * @example
   * const reply = await ana.reply({ role: 'user', text: 'Where did I leave my bike?' })
   * for await (const piece of reply.textStream) process.stdout.write(piece)
   */
  async reply(turns: TurnInput | readonly TurnInput[], options: ReplyOptions = {}): Promise<Reply> {
    const engine = this.#engine()
    const row = await this.#writable(engine)
    return replyFromMemory(engine, row, turns, { ...options, resolved: await this.#readable(engine) })
  }

  /** The story so far, level by level (MOOM), and the sessions' summaries. */
  async story(): Promise<readonly StoryLevel[]> {
    return this.#see(readStory)
  }

  /** Memories in order of making, as the filter says; live ones when it names no status. @throws InvalidInputError */
  async memories(filter: MemoryFilter = {}): Promise<readonly Memory[]> {
    return this.#seeUse(listMemories, filter)
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
    const engine = this.#engine()
    return keepNote(engine, await this.#writable(engine), text, options)
  }

  /** Turns in order of arrival, as they were said and with what the application keeps with them. Not those that were erased. */
  async turns(filter: TurnFilter = {}): Promise<readonly Turn[]> {
    return this.#see(listTurns, this.key, filter)
  }

  /** Every operation on this scope's memories after a place in the person's log, oldest first: what came of what was said since. */
  async log(filter: LogFilter = {}): Promise<readonly Operation[]> {
    return this.#seeUse(listOperations, filter)
  }

  /** The sessions in order. */
  async sessions(): Promise<readonly SessionRow[]> {
    const engine = this.#engine()
    const resolved = await this.#readable(engine)
    return resolved === null ? [] : engine.store.sessions(resolved.owner, resolved.scopes)
  }

  /** Every operation on a memory, oldest first, with what it was before and after. @throws NotFoundError */
  async history(memory: string): Promise<readonly Operation[]> {
    return this.#seeUse(memoryHistory, memory)
  }

  /** Why a memory was kept or forgotten: its strength in the formula's parts, its rank, and what happened to it. @throws NotFoundError */
  async explain(memory: string): Promise<Explanation> {
    return this.#seeUse(explainMemory, memory)
  }

  /** Corrects a memory, or what is kept with it. What it said before stays in its history, valid until now. @returns the operation. @throws NotFoundError */
  async edit(memory: string, edit: MemoryEdit): Promise<Operation> {
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
   * Requests that everything be forgotten (“forget everything you know about me”), which wait: nothing is lost before the person's next turn
   * says yes or `confirmRequest` does. Those whose turns are not consolidated yet come with `remember`.
   */
  async heldRequests(): Promise<readonly HeldRequest[]> {
    return this.#see(listHeldRequests)
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
    const engine = this.#engine()
    await this.drain()
    return confirmRequest(engine, await this.#readable(engine), turn)
  }

  /** Brings back a memory that was forgotten, deleted or quarantined. @throws NotFoundError, NotPossibleError when it is live or erased. */
  async restore(memory: string): Promise<Operation> {
    return this.#change(memory, restoreMemory)
  }

  /** Undoes an operation and all that followed from it. @throws NotFoundError; NotPossibleError when something later changed the same. */
  async undo(operation: string): Promise<Operation> {
    return this.#seeUse(undo, operation)
  }

  /** Runs the forgetting policy now; with `dryRun` only tells what it would forget. */
  async forgetting(options: ForgettingOptions = {}): Promise<ForgettingResult> {
    const engine = this.#engine()
    const rows = (await this.#readable(engine))?.rows ?? []
    return runForgetting(engine, rows, options, (row) => consolidateScope(engine, row))
  }

  /**
   * Erases for good: the whole person (in every scope, when nothing is named), or the named memories, turns or
   * sessions with everything that rests on them. Nothing of it can be read any more when this answers, and no byte of the text stays in
   * the file once the receipt says `scrubbedAt`: of a large file that comes later (event `erasure-proven`, `Keepsake.erasure()`). A
   * tombstone and this receipt, which hold nothing of it, stay. Cannot be undone. Backups made earlier are out of reach.
   */
  async erase(target?: EraseTarget): Promise<EraseReceipt | null> {
    const engine = this.#engine()
    const resolved = await this.#readable(engine)
    if (resolved === null) return null
    return target === undefined ? erasePerson(engine, resolved) : eraseMemories(engine, resolved, target)
  }

  /** The whole person as JSON lines, which `Keepsake.import` reads back exactly. */
  async *export(): AsyncGenerator<string> {
    const engine = this.#engine()
    const resolved = await this.#readable(engine)
    if (resolved !== null) yield* exportScope(engine, resolved)
  }

  async #change(
    memory: string,
    change: (engine: Engine, row: ScopeRow, memory: string) => Promise<Operation>,
  ): Promise<Operation> {
    return this.#see(changeMemory, memory, change)
  }

  /** Runs a step over what this handle sees. */
  async #see<Given extends unknown[], Result>(
    step: (engine: Engine, resolved: ResolvedScope | null, ...given: Given) => Promise<Result>,
    ...given: Given
  ): Promise<Result> {
    const engine = this.#engine()
    return step(engine, await this.#readable(engine), ...given)
  }

  /** The same of what tells how memories were used: what recalls did is written before. */
  async #seeUse<Given extends unknown[], Result>(
    step: (engine: Engine, resolved: ResolvedScope | null, ...given: Given) => Promise<Result>,
    ...given: Given
  ): Promise<Result> {
    const engine = this.#engine()
    const resolved = await this.#readable(engine)
    if (resolved !== null) await engine.gatheredUse.write(resolved.owner)
    return step(engine, resolved, ...given)
  }

  async #writable(engine: Engine): Promise<ScopeRow> {
    const key = readScopeKey(this.key)
    const { tenant, user, agent, app } = key
    const names = { 'scope.tenant': tenant, 'scope.user': user, 'scope.agent': agent, 'scope.app': app }
    await engine.textGate.requireNames(names)
    return engine.store.ensureScope(key)
  }

  async #readable(engine: Engine): Promise<ResolvedScope | null> {
    return resolveScope(engine.store, readScopeKey(this.key))
  }
}
