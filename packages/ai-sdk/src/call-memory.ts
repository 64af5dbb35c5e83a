import type { ScopedMemory, TurnInput } from 'keepsake'
import type { Answer, Call } from './call.ts'
import { insertMemory } from './memory-message.ts'
import { readCallSettings, type CallSettings, type MemoryOptions, type MemoryStep } from './memory-options.ts'
import { readTalk, talkDigest, textOf, type Talk, type TalkPlace } from './read-talk.ts'
import { recallForCall, RecalledMessages } from './recall-for-call.ts'

const DAY_MS = 86_400_000
/** Ends of an answer that leave it whole, or as whole as the user saw it. */
const WHOLE = new Set(['stop', 'length', 'other'])

/** A call that is under way. */
export interface CallUnderWay<Given extends Call> {
  /** What to ask the model. */
  readonly call: Given
  /** Remembers what the user said and the answer; without one (it broke off) what the user said. Never throws. */
  readonly remember: (answer: Answer | null) => Promise<void>
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

  /** Reads the prompt and puts what is recalled into it. */
  async begin<Given extends Call>(given: Given): Promise<CallUnderWay<Given>> {
    const call = withoutOwnOptions(given)
    try {
      const settings = readCallSettings(given.providerOptions)
      const place = this.#placeOf(settings)
      const talk = readTalk(call.prompt, place)
      const remembers = (settings.remember ?? this.#options.remember) !== false
      return {
        call: await this.#withMemory(call, talk),
        remember: async (answer) => {
          if (remembers) await this.#remember(call, settings, talk, place, answer)
        },
      }
    } catch (error) {
      this.#report(error, 'recall')
      return { call, remember: async () => {} }
    }
  }

  #placeOf(settings: CallSettings): TalkPlace {
    const named = settings.session ?? this.#options.session
    const day = Math.floor((this.#options.now?.() ?? Date.now()) / DAY_MS)
    return {
      scope: this.#scope.key,
      session: named === undefined ? `day:${day}` : `session:${named}`,
      secret: this.#options.idSecret,
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

  async #remember(
    call: Call,
    settings: CallSettings,
    talk: Talk,
    place: TalkPlace,
    answer: Answer | null,
  ): Promise<void> {
    try {
      const turns = [...this.#userTurns(talk), ...this.#agentTurn(call, talk, place, answer)]
      if (turns.length === 0) return
      const session = settings.session ?? this.#options.session
      await this.#scope.remember(turns, session === undefined ? {} : { session })
    } catch (error) {
      this.#report(error, 'remember')
    }
  }

  #userTurns({ said, goesOn }: Talk): TurnInput[] {
    if (goesOn) return []
    const { speaker, timeZone } = this.#options
    return said.map(({ id, text }) => ({
      role: 'user',
      id,
      text,
      ...(speaker === undefined ? {} : { speaker }),
      ...(timeZone === undefined ? {} : { timeZone }),
    }))
  }

  #agentTurn(call: Call, talk: Talk, place: TalkPlace, answer: Answer | null): TurnInput[] {
    if (answer === null || !isWhole(answer)) return []
    const whole = [...talk.begun, textOfAnswer(answer, call)].filter((text) => text.trim() !== '').join('\n')
    const text = whole === '' || this.#options.answer === undefined ? whole : this.#options.answer(whole)
    if (text === null || text.trim() === '') return []
    const { agent } = this.#options
    const id = `ai-sdk/${talkDigest(place)(talk.digest, 'assistant', text)}`
    return [{ role: 'agent', id, text, ...(agent === undefined ? {} : { speaker: agent }) }]
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
  process.emitWarning(`Memory failed to ${step}; the call went on without. ${said}`, 'KeepsakeWarning')
}
