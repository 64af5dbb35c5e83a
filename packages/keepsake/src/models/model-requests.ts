// Sends requests to a language model, with retries and limits on concurrency, time and budget.
import pRetry from 'p-retry'
import { ModelError, estimateTokens } from '@keepsake/text'
import { Semaphore } from 'async-mutex'
import type { EventScope } from '../scopes/scope.ts'
import { isNetworkFailure } from './adapters/ai-sdk-error.ts'
import { CallBudget, type ModelBudget } from './call-budget.ts'
import type {
  LanguageAnswer,
  LanguageChunk,
  LanguageModel,
  LanguageRequest,
  TokenUsage,
} from './language-model.ts'
import type { ProviderWaits } from './provider-waits.ts'
import type { ModelCall, ModelCallOutcome } from './ask-model.ts'

/** The part of a call's report that is known before the call. */
export type TracedQuestion = Pick<ModelCall, 'prompt' | 'model' | 'task'> & { readonly scope: EventScope }

/** Tracks one call through its retries, and reports the outcome once. */
export class CallTrace {
  /** Number of requests so far. */
  attempts = 0
  /** The tokens of each answer so far. */
  readonly answers: TokenUsage[] = []
  readonly question: TracedQuestion
  readonly #startedAt: number
  readonly #report: ((call: ModelCall) => void) | undefined

  constructor(question: TracedQuestion, report: ((call: ModelCall) => void) | undefined) {
    this.question = question
    // The application's clock may stand still in a simulation, so the real duration is measured.
    this.#startedAt = performance.now()
    this.#report = report
  }

  /** Reports the call. @param leftOut see `ModelCall` */
  end(outcome: ModelCallOutcome, leftOut: readonly string[] = []): void {
    const report = this.#report
    if (report === undefined) return
    const call: ModelCall = {
      ...this.question,
      outcome,
      attempts: this.attempts,
      inputTokens: sumIfKnown(this.answers.map(({ input }) => input)),
      outputTokens: sumIfKnown(this.answers.map(({ output }) => output)),
      milliseconds: Math.round(performance.now() - this.#startedAt),
      ...(leftOut.length === 0 ? {} : { leftOut }),
    }
    // Runs outside the call, so that an error of the listener does not lose the answer.
    queueMicrotask(() => report(call))
  }
}

/** Returns the outcome of a call that failed with an error. */
export function outcomeOf(error: unknown, signal: AbortSignal | undefined): ModelCallOutcome {
  if (signal?.aborted) return 'aborted'
  if (!(error instanceof ModelError)) return 'failed'
  if (error.code === 'model-budget') return 'over-budget'
  if (error.details['reason'] === 'refused') return 'refused'
  if (error.details['reason'] === 'timed-out') return 'timed-out'
  return error.code === 'model-answer' ? 'unusable' : 'failed'
}

/** Adds counts; `null` if there are none, or one of them is unknown. */
function sumIfKnown(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  if (known.length === 0 || known.length < counts.length) return null
  return known.reduce((sum, count) => sum + count, 0)
}

/** A time limit for each step or chunk of a request, in addition to the caller's signal. Its timer keeps the process alive. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #milliseconds: number
  readonly #makeError: () => Error
  /** The signal for the model. It aborts after the time limit, or when the caller aborts. */
  readonly signal: AbortSignal

  /** @param makeError makes the error for the time limit */
  constructor(milliseconds: number, caller: AbortSignal | undefined, makeError: () => Error) {
    this.#milliseconds = milliseconds
    this.#makeError = makeError
    this.signal = caller ? AbortSignal.any([caller, this.#controller.signal]) : this.#controller.signal
  }

  /** Runs a step within the time limit, even if it ignores the signal. @throws the time limit's error, or the abort's */
  async wait<Value>(step: () => Promise<Value>): Promise<Value> {
    this.signal.throwIfAborted()
    const timer = setTimeout(() => this.#controller.abort(this.#makeError()), this.#milliseconds)
    try {
      return await untilAborted(step(), this.signal)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Waits for a promise, or throws the reason of the signal if it aborts first. */
export async function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return promise
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Delay before the first retry. It doubles with each further retry. */
const FIRST_DELAY_MS = 1000
/** Maximum delay before a retry. If the provider requires a longer one, the request fails and the job queue retries it later. */
const MAX_DELAY_MS = 60_000

export interface RequestLimits {
  readonly timeoutMs: number
  readonly retries: number
  readonly concurrency: number
  readonly budget: ModelBudget | undefined
  readonly now: () => number
  readonly delay: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>
  /** Returns a number from 0 up to 1. */
  readonly random: () => number
  readonly waits?: ProviderWaits | undefined
}

/** The limits that all models of a memory share. */
export interface SharedLimits {
  /** Limits the number of requests at the same time. */
  readonly slots: Semaphore
  readonly budget: CallBudget
}

/** Makes the limits that all models of a memory share. */
export function sharedLimits({
  concurrency,
  budget,
}: Pick<RequestLimits, 'concurrency' | 'budget'>): SharedLimits {
  return { slots: new Semaphore(concurrency), budget: new CallBudget(budget) }
}

/** The scope that pays for a request, and the trace of its call. */
export interface RequestOwner {
  readonly scope: string
  readonly trace: CallTrace
}

/** A stream with its first chunk. The caller must call `close`. */
interface OpenStream {
  readonly first: LanguageChunk
  next(): Promise<LanguageChunk>
  close(): void
}

/** Sends requests to one model, with limits and retries. After all retries of a request failed, later requests are sent once only. */
export class ModelRequests {
  readonly #model: LanguageModel
  readonly #limits: RequestLimits
  readonly #slots: Semaphore
  readonly #budget: CallBudget
  /** Whether all attempts of a request failed, and no later request was answered. */
  #isDown = false
  /** The last error for which the provider named a waiting time, and the end of this time. */
  #rateLimit: { readonly error: ModelError; readonly until: number } | null = null
  #restored: Promise<void> | undefined

  constructor(model: LanguageModel, limits: RequestLimits, { slots, budget } = sharedLimits(limits)) {
    this.#model = model
    this.#limits = limits
    this.#slots = slots
    this.#budget = budget
  }

  /** @throws ModelError, or the reason of the caller's abort */
  async generate(request: LanguageRequest, owner: RequestOwner): Promise<LanguageAnswer> {
    await (this.#restored ??= this.#restoreWait())
    this.#throwIfRateLimited()
    return this.#withRetries(request.abortSignal, async () => {
      const release = await this.#acquireSlot(request.abortSignal)
      try {
        const deadline = this.#start(request, owner)
        const answer = await deadline.wait(() =>
          this.#model.generate({ ...request, abortSignal: deadline.signal }),
        )
        owner.trace.answers.push(answer.usage)
        this.#spend(request, owner, answer)
        return answer
      } finally {
        release()
      }
    })
  }

  /** Streams chunks, each in time. Errors are retried only before the first chunk. @throws ModelError, or the abort's reason */
  async *stream(request: LanguageRequest, owner: RequestOwner): AsyncGenerator<LanguageChunk> {
    const opened = await this.#withRetries(request.abortSignal, () => this.#open(request, owner))
    let text = ''
    let usage: TokenUsage = { input: null, output: null }
    try {
      for (let chunk = opened.first; ; chunk = await opened.next()) {
        if (chunk.kind === 'text') text += chunk.text
        else {
          usage = chunk.usage
          owner.trace.answers.push(usage)
        }
        yield chunk
        if (chunk.kind === 'end') return
      }
    } catch (error) {
      throw this.#translateError(error, request.abortSignal)
    } finally {
      this.#spend(request, owner, { text, usage })
      opened.close()
    }
  }

  /** Opens a stream and reads its first chunk. */
  async #open(request: LanguageRequest, owner: RequestOwner): Promise<OpenStream> {
    const release = await this.#acquireSlot(request.abortSignal)
    let openChunks: AsyncIterator<LanguageChunk> | undefined
    const close = (): void => {
      release()
      // Not awaited, because a model that ignores the signal may take long to end its stream.
      openChunks?.return?.().then(undefined, () => undefined)
    }
    try {
      const deadline = this.#start(request, owner)
      const chunks = this.#model.stream({ ...request, abortSignal: deadline.signal })[Symbol.asyncIterator]()
      openChunks = chunks
      const next = async (): Promise<LanguageChunk> => {
        const { done, value } = await deadline.wait(() => chunks.next())
        if (done === true) throw this.#failure('ended its stream before the answer', { isRetryable: true })
        return value
      }
      return { first: await next(), next, close }
    } catch (error) {
      close()
      throw error
    }
  }

  async #acquireSlot(signal: AbortSignal | undefined): Promise<() => void> {
    const acquiring = this.#slots.acquire()
    try {
      const [, release] = await untilAborted(acquiring, signal)
      return release
    } catch (error) {
      // An aborted request still gets its slot later, and must release it.
      void acquiring.then(([, release]) => release())
      throw error
    }
  }

  /** Counts a request, and starts its time limit. @throws ModelError when the budget is spent */
  #start({ abortSignal }: LanguageRequest, { scope, trace }: RequestOwner): Deadline {
    const { timeoutMs, now } = this.#limits
    abortSignal?.throwIfAborted()
    this.#budget.startCall(scope, now())
    trace.attempts++
    return new Deadline(timeoutMs, abortSignal, () =>
      this.#failure(`did not answer within ${timeoutMs} ms`, { isRetryable: true, reason: 'timed-out' }),
    )
  }

  /** Counts the tokens of a request and its answer, which are estimated if the provider does not count them. */
  #spend(
    request: LanguageRequest,
    { scope }: RequestOwner,
    answer: Pick<LanguageAnswer, 'text' | 'usage'>,
  ): void {
    const toolResults = request.toolUse?.exchanges.flatMap(({ results }) => results) ?? []
    const texts = [...request.messages, ...toolResults].map(({ text }) => text)
    const sentText = [request.system, ...texts].join('\n')
    const input = answer.usage.input ?? estimateTokens(sentText)
    const output = answer.usage.output ?? estimateTokens(answer.text)
    this.#budget.spendTokens(scope, input + output, this.#limits.now())
  }

  /** Restores a waiting time that the provider asked for before a restart. */
  async #restoreWait(): Promise<void> {
    const { waits, now } = this.#limits
    const waitMs = ((await waits?.load(this.#model.id)) ?? 0) - now()
    if (waitMs <= 0) return
    const error = this.#failure('asked to wait before it is called again', { isRetryable: true })
    this.#rateLimit = { error, until: performance.now() + waitMs }
  }

  /** Throws the last error again while the provider's waiting time lasts. */
  #throwIfRateLimited(): void {
    if (this.#rateLimit === null) return
    const { error, until } = this.#rateLimit
    const retryAfterMs = Math.ceil(until - performance.now())
    if (retryAfterMs <= 0) return
    const { message, cause, isRetryable, details } = error
    throw new ModelError(message, { cause, isRetryable, details, retryAfterMs })
  }

  /** Repeats an attempt while errors are retryable, and remembers whether the model is down or limits its rate. */
  async #withRetries<Value>(signal: AbortSignal | undefined, attempt: () => Promise<Value>): Promise<Value> {
    try {
      const value = await pRetry(attempt, {
        retries: this.#isDown ? 0 : this.#limits.retries,
        // `shouldRetry` waits instead, because the provider may say how long.
        minTimeout: 0,
        shouldRetry: async ({ error, attemptNumber }) => {
          const delay = this.#delayAfter(error, attemptNumber)
          if (delay === null || signal?.aborted) return false
          await this.#limits.delay(delay, signal)
          return true
        },
      })
      this.#isDown = false
      this.#rateLimit = null
      return value
    } catch (error) {
      const translated = this.#translateError(error, signal)
      if (translated instanceof ModelError && translated.code === 'model-failed') {
        const { isRetryable, retryAfterMs } = translated
        this.#isDown = isRetryable
        if (isRetryable && retryAfterMs !== null) {
          this.#rateLimit = { error: translated, until: performance.now() + retryAfterMs }
          this.#limits.waits?.save(this.#model.id, retryAfterMs)
        }
      }
      throw translated
    }
  }

  /** Returns the milliseconds until the next attempt; `null` if there should be none. */
  #delayAfter(error: Error, attempt: number): number | null {
    if (!(error instanceof ModelError) || !error.isRetryable || error.code !== 'model-failed') return null
    const backoff = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS)
    // Half of the delay is random, so that requests that failed together are not retried together.
    const delay = Math.max(backoff * (0.5 + this.#limits.random() / 2), error.retryAfterMs ?? 0)
    return delay <= MAX_DELAY_MS ? delay : null
  }

  /** Returns the reason of the caller's abort, or a ModelError. */
  #translateError(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason
    if (error instanceof ModelError) return error
    const reason = error instanceof Error ? error.message : String(error)
    return this.#failure(`failed: ${reason}`, { isRetryable: isNetworkFailure(error), cause: error })
  }

  #failure(what: string, { isRetryable, reason, cause }: FailureTraits): ModelError {
    return new ModelError(`${this.#model.id} ${what}.`, {
      isRetryable,
      ...(cause === undefined ? {} : { cause }),
      details: { model: this.#model.id, ...(reason === undefined ? {} : { reason }) },
    })
  }
}

interface FailureTraits {
  readonly isRetryable: boolean
  readonly reason?: string
  readonly cause?: unknown
}
