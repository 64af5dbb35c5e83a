import type { ScopedMemory, TurnInput } from 'keepsake'
import type { Answer, Call, StreamPart } from './call.ts'
import { insertMemory } from './memory-message.ts'
import { readCallSettings, type CallSettings, type MemoryOptions, type MemoryStep } from './memory-options.ts'
import { readTalk, talkDigest, textOf, type Talk, type TalkPlace } from './read-talk.ts'
import { recallForCall, RecalledMessages } from './recall-for-call.ts'
import { watchStream } from './watch-stream.ts'

const DAY_MS = 86_400_000
/** Ends of an answer that leave it whole, or as whole as the user saw it. */
const WHOLE = new Set(['stop', 'length', 'other'])

/** What a call says. */
interface Reading {
  readonly talk: Talk
  readonly place: TalkPlace
  readonly session: string | undefined
  readonly remembers: boolean
}

/** Recalls before a call of a model, and remembers after it. What fails in it is reported and never fails the call. */
export class CallMemory {
  readonly #scope: ScopedMemory
  readonly #options: MemoryOptions
  readonly #recalled = new RecalledMessages()

  constructor(scope: ScopedMemory, options: MemoryOptions) {
    this.#scope = scope
    this.#options = options
  }

  /** Asks a model with what is recalled, and remembers what was said. */
  async generate<Given extends Call, Whole extends Answer>(
    given: Given,
    ask: (call: Given) => PromiseLike<Whole>,
  ): Promise<Whole> {
    const { call, remember } = await this.#begin(given)
    const answer = await ask(call)
    await remember(answer)
    return answer
  }

  /** The same of an answer that is streamed: what was said is remembered when the stream ends. */
  async stream<Given extends Call, Streamed extends StreamPart, Rest>(
    given: Given,
    ask: (call: Given) => PromiseLike<Rest & { readonly stream: ReadableStream<Streamed> }>,
  ): Promise<Rest & { stream: ReadableStream<Streamed> }> {
    const { call, remember } = await this.#begin(given)
    const answer = await ask(call)
    return { ...answer, stream: watchStream(answer.stream, remember) }
  }

  /** Puts what is recalled into a call. `remember` takes `null` for an answer that broke off, and never throws. */
  async #begin<Given extends Call>(
    given: Given,
  ): Promise<{ call: Given; remember: (answer: Answer | null) => Promise<void> }> {
    const call = withoutOwnOptions(given)
    try {
      const reading = this.#read(call, readCallSettings(given.providerOptions))
      return {
        call: await this.#withMemory(call, reading.talk),
        remember: async (answer) => this.#remember(call, reading, answer),
      }
    } catch (error) {
      this.#report(error, 'recall')
      return { call, remember: async () => {} }
    }
  }

  #read(call: Call, own: CallSettings): Reading {
    const { remember, now, idSecret } = this.#options
    const session = own.session ?? this.#options.session
    const day = Math.floor((now?.() ?? Date.now()) / DAY_MS)
    const place = {
      scope: this.#scope.key,
      session: session === undefined ? `day:${day}` : `session:${session}`,
      secret: idSecret,
    }
    return {
      talk: readTalk(call.prompt, place),
      place,
      session,
      remembers: (own.remember ?? remember) !== false,
    }
  }

  async #withMemory<Given extends Call>(call: Given, talk: Talk): Promise<Given> {
    if (this.#options.recall === false) return call
    const known = talk.goesOn ? this.#recalled.get(talk.digest) : undefined
    try {
      const message =
        known === undefined ? await recallForCall(this.#scope, talk, this.#options, call.abortSignal) : known
      this.#recalled.set(talk.digest, message)
      if (message === null) return call
      return { ...call, prompt: insertMemory(call.prompt, message, this.#options.place ?? 'beside') }
    } catch (error) {
      // Who took the call back is told so by the model.
      if (call.abortSignal?.aborted !== true) this.#report(error, 'recall')
      return call
    }
  }

  async #remember(call: Call, reading: Reading, answer: Answer | null): Promise<void> {
    const { talk, session, remembers } = reading
    if (!remembers) return
    try {
      const turns = [...this.#userTurns(talk), ...this.#agentTurn(call, reading, answer)]
      if (turns.length > 0) await this.#scope.remember(turns, session === undefined ? {} : { session })
    } catch (error) {
      this.#report(error, 'remember')
    }
  }

  #userTurns({ said, goesOn }: Talk): TurnInput[] {
    if (goesOn) return []
    const { speaker, timeZone } = this.#options
    return said.map(({ id, text, attachments }) => ({
      role: 'user',
      id,
      text,
      ...(attachments.length === 0 ? {} : { attachments }),
      ...(speaker === undefined ? {} : { speaker }),
      ...(timeZone === undefined ? {} : { timeZone }),
    }))
  }

  #agentTurn(call: Call, { talk, place }: Reading, answer: Answer | null): TurnInput[] {
    if (answer === null || !isWhole(answer)) return []
    const whole = [...talk.begun, textOfAnswer(answer, call)].filter((text) => text.trim() !== '').join('\n')
    const text = whole === '' || this.#options.answer === undefined ? whole : this.#options.answer(whole)
    if (text === null || text.trim() === '') return []
    const { agent } = this.#options
    const id = `ai-sdk/${talkDigest(place)(talk.digest, 'assistant', text)}`
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

/** Only what is meant for the memory is taken out; the provider gets its own. */
function withoutOwnOptions<Given extends Call>(call: Given): Given {
  if (call.providerOptions?.['keepsake'] === undefined) return call
  const { keepsake: _, ...rest } = call.providerOptions
  return { ...call, providerOptions: rest }
}

function isWhole({ content, finishReason }: Answer): boolean {
  // Some providers end a call for tools as they end an answer.
  const callsTools = content.some(
    ({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true,
  )
  return WHOLE.has(finishReason.unified) && !callsTools
}

function textOfAnswer(answer: Answer, { responseFormat }: Call): string {
  const { structuredOutputText: structured } = answer
  return responseFormat?.type === 'json' && typeof structured === 'string' ? structured : textOf(answer)
}

function warn(error: unknown, step: MemoryStep): void {
  const said = error instanceof Error ? error.message : String(error)
  process.emitWarning(`Memory failed to ${step}; the call continued without it. ${said}`, 'KeepsakeWarning')
}
