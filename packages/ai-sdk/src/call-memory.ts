import type { ScopedMemory, TurnInput } from 'keepsake'
import type { Answer, Call, StreamPart } from './call.ts'
import { insertMemory } from './memory-message.ts'
import {
  readCallSettings,
  withoutUndefined,
  type CallSettings,
  type MemoryOptions,
  type MemoryStep,
} from './memory-options.ts'
import { readPrompt, messageDigest, textOf, type Conversation, type IdContext } from './read-talk.ts'
import { recallForCall, RecalledMessageCache } from './recall-for-call.ts'
import { watchStream } from './watch-stream.ts'

const DAY_MS = 86_400_000
/** Finish reasons of answers that are remembered: complete ones, and those that the user saw cut off. */
const REMEMBERED_FINISHES = new Set(['stop', 'length', 'other'])

/** What memory reads from a call of a model. */
interface CallReading {
  readonly conversation: Conversation
  readonly idContext: IdContext
  readonly session: string | undefined
  readonly isRemembered: boolean
}

/** Recalls before a call of a model, and remembers after it. Failures of memory are reported and never fail the call. */
export class CallMemory {
  readonly #scope: ScopedMemory
  readonly #options: MemoryOptions
  readonly #cache = new RecalledMessageCache()

  constructor(scope: ScopedMemory, options: MemoryOptions) {
    this.#scope = scope
    this.#options = options
  }

  /** Calls a model with the recalled memories, and remembers the user's messages and the answer. */
  async generate<AnyCall extends Call, ModelAnswer extends Answer>(
    original: AnyCall,
    callModel: (call: AnyCall) => PromiseLike<ModelAnswer>,
  ): Promise<ModelAnswer> {
    const { call, remember } = await this.#begin(original)
    const answer = await callModel(call)
    await remember(answer)
    return answer
  }

  /** Does the same with a streamed answer, and remembers when the stream ends. */
  async stream<AnyCall extends Call, Streamed extends StreamPart, Rest>(
    original: AnyCall,
    callModel: (call: AnyCall) => PromiseLike<Rest & { readonly stream: ReadableStream<Streamed> }>,
  ): Promise<Rest & { stream: ReadableStream<Streamed> }> {
    const { call, remember } = await this.#begin(original)
    const answer = await callModel(call)
    return { ...answer, stream: watchStream(answer.stream, remember) }
  }

  /** Adds the recalled memories to a call. `remember` accepts `null` for an interrupted answer, and never throws. */
  async #begin<AnyCall extends Call>(
    original: AnyCall,
  ): Promise<{ call: AnyCall; remember: (answer: Answer | null) => Promise<void> }> {
    const call = withoutKeepsakeOptions(original)
    try {
      const reading = this.#readCall(call, readCallSettings(original.providerOptions))
      return {
        call: await this.#addMemories(call, reading.conversation),
        remember: async (answer) => this.#remember(call, reading, answer),
      }
    } catch (error) {
      this.#report(error, 'recall')
      return { call, remember: async () => {} }
    }
  }

  #readCall(call: Call, settings: CallSettings): CallReading {
    const { remember, now, idSecret } = this.#options
    const session = settings.session ?? this.#options.session
    const day = Math.floor((now?.() ?? Date.now()) / DAY_MS)
    const idContext = {
      scope: this.#scope.key,
      session: session === undefined ? `day:${day}` : `session:${session}`,
      secret: idSecret,
    }
    return {
      conversation: readPrompt(call.prompt, idContext),
      idContext,
      session,
      isRemembered: (settings.remember ?? remember) !== false,
    }
  }

  async #addMemories<AnyCall extends Call>(call: AnyCall, conversation: Conversation): Promise<AnyCall> {
    if (this.#options.recall === false) return call
    // `null`: the first step of this tool loop has found nothing.
    const cached = conversation.isContinuation ? this.#cache.get(conversation.digest) : undefined
    try {
      const message = cached === undefined ? await this.#recall(conversation, call) : cached
      this.#cache.set(conversation.digest, message)
      if (message === null) return call
      return { ...call, prompt: insertMemory(call.prompt, message, this.#options.place ?? 'beside') }
    } catch (error) {
      // An aborted call reports its own error.
      if (call.abortSignal?.aborted !== true) this.#report(error, 'recall')
      return call
    }
  }

  #recall(conversation: Conversation, { abortSignal }: Call): Promise<string | null> {
    const { newMessages: said, visibleTexts: shown, isContinuation: goesOn } = conversation
    return recallForCall(this.#scope, { said, shown, goesOn }, this.#options, abortSignal)
  }

  async #remember(call: Call, reading: CallReading, answer: Answer | null): Promise<void> {
    const { conversation, session, isRemembered } = reading
    if (!isRemembered) return
    try {
      const turns = [...this.#userTurns(conversation), ...this.#agentTurn(call, reading, answer)]
      if (turns.length > 0) await this.#scope.remember(turns, session === undefined ? {} : { session })
    } catch (error) {
      this.#report(error, 'remember')
    }
  }

  #userTurns({ newMessages, isContinuation }: Conversation): TurnInput[] {
    if (isContinuation) return []
    const { speaker, timeZone } = this.#options
    return newMessages.map(({ id, text, attachments }) => ({
      role: 'user',
      id,
      text,
      ...(attachments.length === 0 ? {} : { attachments }),
      ...withoutUndefined({ speaker, timeZone }),
    }))
  }

  #agentTurn(call: Call, { conversation, idContext }: CallReading, answer: Answer | null): TurnInput[] {
    if (answer === null || !isRemembered(answer)) return []
    const steps = [...conversation.earlierSteps, textOfAnswer(answer, call)]
    const whole = steps.filter((step) => step.trim() !== '').join('\n')
    const { agent, answer: selectText } = this.#options
    const text = whole === '' || selectText === undefined ? whole : selectText(whole)
    if (text === null || text.trim() === '') return []
    const id = `ai-sdk/${messageDigest(idContext)(conversation.digest, 'assistant', text)}`
    return [{ role: 'assistant', id, text, ...(agent === undefined ? {} : { speaker: agent }) }]
  }

  #report(error: unknown, step: MemoryStep): void {
    const { onError } = this.#options
    if (onError === undefined) return warn(error, step)
    try {
      onError(error, step)
    } catch (thrown) {
      warn(thrown, step)
    }
  }
}

/** Removes `providerOptions.keepsake`, which is not for the provider. */
function withoutKeepsakeOptions<AnyCall extends Call>(call: AnyCall): AnyCall {
  if (call.providerOptions?.['keepsake'] === undefined) return call
  const { keepsake: _, ...rest } = call.providerOptions
  return { ...call, providerOptions: rest }
}

function isRemembered({ content, finishReason }: Answer): boolean {
  // Some providers report a tool call with the finish reason of an answer.
  const callsTools = content.some(
    ({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true,
  )
  return REMEMBERED_FINISHES.has(finishReason.unified) && !callsTools
}

function textOfAnswer(answer: Answer, { responseFormat }: Call): string {
  const { structuredOutputText: structured } = answer
  return responseFormat?.type === 'json' && typeof structured === 'string' ? structured : textOf(answer)
}

function warn(error: unknown, step: MemoryStep): void {
  const reason = error instanceof Error ? error.message : String(error)
  process.emitWarning(`Memory failed to ${step}; the call continued without it. ${reason}`, 'KeepsakeWarning')
}
