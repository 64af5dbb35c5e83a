import { bodyOf, readEvents } from './read-stream.ts'
import { sentFile, type FileContent } from './send-file.ts'
import { dataOf, KeepsakeRequestError } from './request-error.ts'
import { AS_EVENTS, callOf, ScopeReading } from './scope-reading.ts'
import type {
  BlockEdit,
  BlockOptions,
  CallOptions,
  Consent,
  Guidelines,
  OwnGuidelines,
  EraseReceipt,
  EraseTarget,
  ForgottenTopic,
  ForgettingOptions,
  ForgettingResult,
  ImportEvent,
  ImportOptions,
  ImportPreview,
  ImportStreamEvent,
  Memory,
  MemoryEdit,
  Operation,
  RememberResult,
  ReplyEvent,
  ReplyOptions,
  ReplyStreamEvent,
  AddFactOptions,
  TurnInput,
  WriteOptions,
} from './types.ts'

/**
 * One person's memory, or the part of it that an agent or app sees. Made by `KeepsakeClient.scope()`. It has a method for every route
 * about a person; each throws KeepsakeRequestError when the server refuses. Changes can be undone by the operation they return.
 */
export class ScopeClient extends ScopeReading {
  /** Records turns: all or none, durable when it returns, at once recallable. */
  async remember(
    turns: TurnInput | readonly TurnInput[],
    {
      session,
      describe,
      ...options
    }: WriteOptions & { readonly session?: string; readonly describe?: boolean } = {},
  ): Promise<RememberResult> {
    const own = {
      ...(session === undefined ? {} : { session }),
      ...(describe === undefined ? {} : { describe }),
    }
    const body = { turns: listOf(turns), ...own }
    return dataOf(await this.api.POST('/v1/scopes/{user}/turns', { ...this.#writing(options), body }))
  }

  /**
   * Answers the user's last turn from memory, piece by piece, and remembers the exchange.
   *
   * @throws KeepsakeRequestError when the server refuses, or the answer breaks off.
   * @example
   * for await (const { event, data } of ana.reply({ role: 'user', text: 'Where is my bike?' }))
   *   if (event === 'text') show(data.text)
   */
  async *reply(
    turns: TurnInput | readonly TurnInput[],
    options: ReplyOptions & CallOptions = {},
  ): AsyncGenerator<ReplyEvent> {
    const { signal, ...asked } = options
    const stream = dataOf(
      await this.api.POST('/v1/scopes/{user}/reply', {
        ...callOf(signal),
        params: this.params,
        body: { turns: listOf(turns), ...asked },
        headers: AS_EVENTS,
        parseAs: 'stream',
      }),
    )
    for await (const { event, data } of readEvents(bodyOf(stream))) {
      const message = { event, data: JSON.parse(data) as unknown } as ReplyStreamEvent
      if (message.event === 'error') throw new KeepsakeRequestError(message.data.status, message.data)
      yield message
      if (message.event === 'end') return
    }
    throw new KeepsakeRequestError(502, null)
  }

  /**
   * Says what a file of another program's would bring in, or what has to be said before: ChatGPT's, Claude's, Mem0's, Zep's and Letta's
   * exports, OpenAI's messages, WhatsApp's and Telegram's chats, transcripts. Stores nothing.
   */
  async previewImport(
    file: FileContent,
    { signal, ...asked }: Omit<ImportOptions, 'keepOpen'> & CallOptions = {},
  ): Promise<ImportPreview> {
    const request = { ...callOf(signal), params: this.asking(asked), ...sentFile(file) }
    return dataOf(await this.api.POST('/v1/scopes/{user}/import/preview', request))
  }

  /**
   * Remembers what a file holds, and says how far it is. The same file, given again, goes on where it was and stores nothing twice.
   *
   * @throws KeepsakeRequestError when the server refuses the file, or the import breaks off.
   * @example
   * for await (const { event, data } of ana.importFile(file, { speaker: 'Ana' }))
   *   if (event === 'progress') show(data.recorded, data.turns)
   */
  async *importFile(
    file: FileContent,
    { signal, ...asked }: ImportOptions & CallOptions = {},
  ): AsyncGenerator<ImportEvent> {
    const { headers, ...body } = sentFile(file)
    const stream = dataOf(
      await this.api.POST('/v1/scopes/{user}/import', {
        ...callOf(signal),
        params: this.asking(asked),
        ...body,
        headers: { ...headers, ...AS_EVENTS },
        parseAs: 'stream',
      }),
    )
    for await (const { event, data } of readEvents(bodyOf(stream))) {
      const message = { event, data: JSON.parse(data) as unknown } as ImportStreamEvent
      if (message.event === 'error') throw new KeepsakeRequestError(message.data.status, message.data)
      yield message
      if (message.event === 'end') return
    }
    throw new KeepsakeRequestError(502, null)
  }

  /** Ends a session, the latest one when none is named: its rest is read, it is summarised, and the policy runs, in the background. */
  async endSession(session?: string, options: WriteOptions = {}): Promise<void> {
    const body = session === undefined ? {} : { session }
    dataOf(await this.api.POST('/v1/scopes/{user}/sessions/end', { ...this.#writing(options), body }))
  }

  /** Keeps a statement of the application's as a fact, merged with what is known. @returns the memory that holds it now */
  async addFact(
    text: string,
    { idempotencyKey, signal, ...stated }: AddFactOptions & WriteOptions = {},
  ): Promise<Memory> {
    const call = { ...callOf(signal), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
    const asked = { ...this.#writing(call), body: { text, ...stated } }
    return dataOf(await this.api.POST('/v1/scopes/{user}/memories', asked))
  }

  /** Makes a block, or replaces the text of the one that has the name. */
  async writeBlock(
    name: string,
    text: string,
    { idempotencyKey, signal, ...given }: BlockOptions & WriteOptions = {},
  ): Promise<Memory> {
    const call = { ...callOf(signal), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
    const asked = { ...this.#writing(call), body: { name, text, ...given } }
    return dataOf(await this.api.PUT('/v1/scopes/{user}/blocks', asked))
  }

  /** Replaces words that a block holds exactly once, inserts lines, or renames it. */
  async editBlock(name: string, edit: BlockEdit, options: WriteOptions = {}): Promise<Memory> {
    const asked = { ...this.#writing(options), body: { name, ...edit } }
    return dataOf(await this.api.PATCH('/v1/scopes/{user}/blocks', asked))
  }

  /** Says whether turns of a session are remembered from now on. What was kept before stays until it is erased. */
  async setRemembered(session: string, remember: boolean, options: WriteOptions = {}): Promise<void> {
    const asked = { ...this.#writing(options, { session }), body: { remember } }
    dataOf(await this.api.PUT('/v1/scopes/{user}/sessions/{session}/remembering', asked))
  }

  /** Corrects a memory, or what is kept with it. What it said before stays in its history. */
  async edit(memory: string, edit: MemoryEdit, options: WriteOptions = {}): Promise<Operation> {
    const asked = { ...this.#writing(options, { memory }), body: edit }
    return dataOf(await this.api.PATCH('/v1/scopes/{user}/memories/{memory}', asked))
  }

  /** Deletes a memory, and what would bring it back. */
  async forget(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const asked = this.#writing(options, { memory })
    return dataOf(await this.api.DELETE('/v1/scopes/{user}/memories/{memory}', asked))
  }

  /** Forgets every memory that names a topic; with `dryRun` only lists them. */
  async forgetAbout(
    topic: string,
    { dryRun, ...options }: WriteOptions & { dryRun?: boolean } = {},
  ): Promise<ForgottenTopic> {
    const body = dryRun === undefined ? { topic } : { topic, dryRun }
    return dataOf(await this.api.POST('/v1/scopes/{user}/forget', { ...this.#writing(options), body }))
  }

  /** Keeps a memory from ever being let go by the policy. */
  async pin(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const asked = this.#writing(options, { memory })
    return dataOf(await this.api.PUT('/v1/scopes/{user}/memories/{memory}/pin', asked))
  }

  /** Lets the policy judge a memory again. */
  async unpin(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const asked = this.#writing(options, { memory })
    return dataOf(await this.api.DELETE('/v1/scopes/{user}/memories/{memory}/pin', asked))
  }

  /** Brings back a memory that was forgotten, deleted or quarantined. */
  async restore(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const asked = this.#writing(options, { memory })
    return dataOf(await this.api.POST('/v1/scopes/{user}/memories/{memory}/restore', asked))
  }

  /** Believes a quarantined memory after all. */
  async release(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const asked = this.#writing(options, { memory })
    return dataOf(await this.api.POST('/v1/scopes/{user}/quarantine/{memory}/release', asked))
  }

  /** Undoes an operation and all that followed from it. */
  async undo(operation: string, options: WriteOptions = {}): Promise<Operation> {
    const asked = this.#writing(options, { operation })
    return dataOf(await this.api.POST('/v1/scopes/{user}/operations/{operation}/undo', asked))
  }

  /** Carries out a request that waits, by the turn that made it. */
  async confirmRequest(turn: string, options: WriteOptions = {}): Promise<Operation> {
    const asked = this.#writing(options, { turn })
    return dataOf(await this.api.POST('/v1/scopes/{user}/requests/{turn}/confirm', asked))
  }

  /** Runs the forgetting policy now; with `dryRun` it only reports what it would remove. */
  async runForgetting(asked: ForgettingOptions = {}, options: WriteOptions = {}): Promise<ForgettingResult> {
    const request = { ...this.#writing(options), body: asked }
    return dataOf(await this.api.POST('/v1/scopes/{user}/forgetting', request))
  }

  /** Tries again what failed of this person. @returns how many jobs */
  async retryJobs(options: WriteOptions = {}): Promise<number> {
    const answer = await this.api.POST('/v1/scopes/{user}/jobs/retry', this.#writing(options))
    return dataOf(answer).retried
  }

  /** Sets what is kept and never kept of this person, in place of what was set before; `{}` removes it. */
  async setGuidelines(guidelines: OwnGuidelines, options: WriteOptions = {}): Promise<Guidelines> {
    const asked = { ...this.#writing(options), body: guidelines }
    return dataOf(await this.api.PUT('/v1/scopes/{user}/guidelines', asked))
  }

  /** Records whether this person may be learned from. */
  async setConsent(consent: Consent, options: WriteOptions = {}): Promise<void> {
    const asked = { ...this.#writing(options), body: { consent } }
    dataOf(await this.api.PUT('/v1/scopes/{user}/consent', asked))
  }

  /**
   * Erases for good: memories, turns or sessions with everything that rests on them, or the whole person with `{ everything: true }`.
   * Cannot be undone. Without a target the server refuses.
   */
  async erase(target: EraseTarget, options: WriteOptions = {}): Promise<EraseReceipt> {
    const asked = this.#writing(options)
    // Spread, since callers without types may hand over `undefined`, which the server refuses.
    const body = { ...target }
    if (body.everything === true && Object.keys(body).length === 1)
      return dataOf(await this.api.DELETE('/v1/scopes/{user}', asked))
    return dataOf(await this.api.POST('/v1/scopes/{user}/erase', { ...asked, body }))
  }

  #writing<Names extends object = object>({ idempotencyKey, signal }: WriteOptions, names?: Names) {
    const header = idempotencyKey === undefined ? {} : { header: { 'idempotency-key': idempotencyKey } }
    return { ...callOf(signal), params: { ...this.naming((names ?? {}) as Names), ...header } }
  }
}

function listOf(turns: TurnInput | readonly TurnInput[]): TurnInput[] {
  return Array.isArray(turns) ? [...(turns as readonly TurnInput[])] : [turns as TurnInput]
}
