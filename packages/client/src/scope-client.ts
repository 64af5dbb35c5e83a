import { bodyOf, readEvents } from './read-stream.ts'
import { fileBody, type FileContent } from './send-file.ts'
import { dataOf, KeepsakeRequestError } from './request-error.ts'
import { AS_EVENTS, signalOption, ScopeReading } from './scope-reading.ts'
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
 * One user's memory, or the part of it that an agent or app can read, made by `KeepsakeClient.scope()`. It has a method for every route
 * about a user. Each method throws KeepsakeRequestError when the server refuses. `undo` takes the operation that a change returns.
 */
export class ScopeClient extends ScopeReading {
  /** Stores all turns or none. They are durable and can be recalled when the call returns. */
  async remember(
    turns: TurnInput | readonly TurnInput[],
    {
      session,
      describe,
      ...options
    }: WriteOptions & { readonly session?: string; readonly describe?: boolean } = {},
  ): Promise<RememberResult> {
    const sessionOptions = {
      ...(session === undefined ? {} : { session }),
      ...(describe === undefined ? {} : { describe }),
    }
    const body = { turns: listOf(turns), ...sessionOptions }
    return dataOf(await this.api.POST('/v1/scopes/{user}/turns', { ...this.#writeParams(options), body }))
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
    const { signal, ...replyOptions } = options
    const stream = dataOf(
      await this.api.POST('/v1/scopes/{user}/reply', {
        ...signalOption(signal),
        params: this.params,
        body: { turns: listOf(turns), ...replyOptions },
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

  /** Describes another program's file, or names the options that its import still needs. Stores nothing. */
  async previewImport(
    file: FileContent,
    { signal, ...importOptions }: Omit<ImportOptions, 'keepOpen'> & CallOptions = {},
  ): Promise<ImportPreview> {
    const request = { ...signalOption(signal), params: this.withQuery(importOptions), ...fileBody(file) }
    return dataOf(await this.api.POST('/v1/scopes/{user}/import/preview', request))
  }

  /**
   * Imports a file and reports the progress. Importing the same file again continues and stores nothing twice.
   *
   * @throws KeepsakeRequestError when the server refuses the file, or the import breaks off.
   * @example
   * for await (const { event, data } of ana.importFile(file, { speaker: 'Ana' }))
   *   if (event === 'progress') show(data.recorded, data.turns)
   */
  async *importFile(
    file: FileContent,
    { signal, ...importOptions }: ImportOptions & CallOptions = {},
  ): AsyncGenerator<ImportEvent> {
    const { headers, ...body } = fileBody(file)
    const stream = dataOf(
      await this.api.POST('/v1/scopes/{user}/import', {
        ...signalOption(signal),
        params: this.withQuery(importOptions),
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

  /** Ends a session; the latest when none is named. In the background it is extracted and summarised, and the forgetting policy runs. */
  async endSession(session?: string, options: WriteOptions = {}): Promise<void> {
    const body = session === undefined ? {} : { session }
    dataOf(await this.api.POST('/v1/scopes/{user}/sessions/end', { ...this.#writeParams(options), body }))
  }

  /** Stores an application's statement as a fact and merges it with known facts. @returns the memory that contains it */
  async addFact(
    text: string,
    { idempotencyKey, signal, ...fields }: AddFactOptions & WriteOptions = {},
  ): Promise<Memory> {
    const call = { ...signalOption(signal), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
    const request = { ...this.#writeParams(call), body: { text, ...fields } }
    return dataOf(await this.api.POST('/v1/scopes/{user}/memories', request))
  }

  /** Creates a block, or replaces the text of the block with this name. */
  async writeBlock(
    name: string,
    text: string,
    { idempotencyKey, signal, ...fields }: BlockOptions & WriteOptions = {},
  ): Promise<Memory> {
    const call = { ...signalOption(signal), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
    const request = { ...this.#writeParams(call), body: { name, text, ...fields } }
    return dataOf(await this.api.PUT('/v1/scopes/{user}/blocks', request))
  }

  /** Edits a block: replaces a text that occurs exactly once, inserts lines, or renames the block. */
  async editBlock(name: string, edit: BlockEdit, options: WriteOptions = {}): Promise<Memory> {
    const request = { ...this.#writeParams(options), body: { name, ...edit } }
    return dataOf(await this.api.PATCH('/v1/scopes/{user}/blocks', request))
  }

  /** Sets whether turns of a session are remembered from now on. Stored turns stay until they are erased. */
  async setRemembered(session: string, remember: boolean, options: WriteOptions = {}): Promise<void> {
    const request = { ...this.#writeParams(options, { session }), body: { remember } }
    dataOf(await this.api.PUT('/v1/scopes/{user}/sessions/{session}/remembering', request))
  }

  /** Changes a memory's text or its other fields. The history contains the earlier text. */
  async edit(memory: string, edit: MemoryEdit, options: WriteOptions = {}): Promise<Operation> {
    const request = { ...this.#writeParams(options, { memory }), body: edit }
    return dataOf(await this.api.PATCH('/v1/scopes/{user}/memories/{memory}', request))
  }

  /** Deletes a memory, and data from which it would be extracted again. */
  async forget(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const request = this.#writeParams(options, { memory })
    return dataOf(await this.api.DELETE('/v1/scopes/{user}/memories/{memory}', request))
  }

  /** Forgets every memory that names a topic; with `dryRun` only lists them. */
  async forgetAbout(
    topic: string,
    { dryRun, ...options }: WriteOptions & { dryRun?: boolean } = {},
  ): Promise<ForgottenTopic> {
    const body = dryRun === undefined ? { topic } : { topic, dryRun }
    return dataOf(await this.api.POST('/v1/scopes/{user}/forget', { ...this.#writeParams(options), body }))
  }

  /** Protects a memory from the forgetting policy. */
  async pin(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const request = this.#writeParams(options, { memory })
    return dataOf(await this.api.PUT('/v1/scopes/{user}/memories/{memory}/pin', request))
  }

  /** Ends the protection of a memory from the forgetting policy. */
  async unpin(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const request = this.#writeParams(options, { memory })
    return dataOf(await this.api.DELETE('/v1/scopes/{user}/memories/{memory}/pin', request))
  }

  /** Restores a forgotten, deleted or quarantined memory. */
  async restore(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const request = this.#writeParams(options, { memory })
    return dataOf(await this.api.POST('/v1/scopes/{user}/memories/{memory}/restore', request))
  }

  /** Accepts a quarantined memory as true. */
  async release(memory: string, options: WriteOptions = {}): Promise<Operation> {
    const request = this.#writeParams(options, { memory })
    return dataOf(await this.api.POST('/v1/scopes/{user}/quarantine/{memory}/release', request))
  }

  /** Undoes an operation and its consequences. */
  async undo(operation: string, options: WriteOptions = {}): Promise<Operation> {
    const request = this.#writeParams(options, { operation })
    return dataOf(await this.api.POST('/v1/scopes/{user}/operations/{operation}/undo', request))
  }

  /** Confirms a waiting request. @param turn the turn in which the user made the request */
  async confirmRequest(turn: string, options: WriteOptions = {}): Promise<Operation> {
    const request = this.#writeParams(options, { turn })
    return dataOf(await this.api.POST('/v1/scopes/{user}/requests/{turn}/confirm', request))
  }

  /** Runs the forgetting policy now; with `dryRun` it only reports what it would remove. */
  async runForgetting(
    forgettingOptions: ForgettingOptions = {},
    options: WriteOptions = {},
  ): Promise<ForgettingResult> {
    const request = { ...this.#writeParams(options), body: forgettingOptions }
    return dataOf(await this.api.POST('/v1/scopes/{user}/forgetting', request))
  }

  /** Retries the user's failed jobs. @returns the number of jobs */
  async retryJobs(options: WriteOptions = {}): Promise<number> {
    const answer = await this.api.POST('/v1/scopes/{user}/jobs/retry', this.#writeParams(options))
    return dataOf(answer).retried
  }

  /** Replaces the guidelines of this scope; `{}` removes them. */
  async setGuidelines(guidelines: OwnGuidelines, options: WriteOptions = {}): Promise<Guidelines> {
    const request = { ...this.#writeParams(options), body: guidelines }
    return dataOf(await this.api.PUT('/v1/scopes/{user}/guidelines', request))
  }

  /** Records the user's consent to training on their data. */
  async setConsent(consent: Consent, options: WriteOptions = {}): Promise<void> {
    const request = { ...this.#writeParams(options), body: { consent } }
    dataOf(await this.api.PUT('/v1/scopes/{user}/consent', request))
  }

  /**
   * Erases memories, turns or sessions with everything that rests on them, or the whole user with `{ everything: true }`.
   * An erasure cannot be undone. The server refuses a request without a target.
   */
  async erase(target: EraseTarget, options: WriteOptions = {}): Promise<EraseReceipt> {
    const request = this.#writeParams(options)
    // Callers without types may pass `undefined`: then the body is an object without a target, which the server refuses.
    const body = { ...target }
    if (body.everything === true && Object.keys(body).length === 1) {
      const { params, ...signal } = request
      const query = { ...params.query, everything: true }
      return dataOf(await this.api.DELETE('/v1/scopes/{user}', { ...signal, params: { ...params, query } }))
    }
    return dataOf(await this.api.POST('/v1/scopes/{user}/erase', { ...request, body }))
  }

  #writeParams<Names extends object = object>({ idempotencyKey, signal }: WriteOptions, names?: Names) {
    const header = idempotencyKey === undefined ? {} : { header: { 'idempotency-key': idempotencyKey } }
    return { ...signalOption(signal), params: { ...this.withPathNames((names ?? {}) as Names), ...header } }
  }
}

function listOf(turns: TurnInput | readonly TurnInput[]): TurnInput[] {
  return Array.isArray(turns) ? [...(turns as readonly TurnInput[])] : [turns as TurnInput]
}
