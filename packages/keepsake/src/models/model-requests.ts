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
import type { ModelCall, ModelCallOutcome } from './ask-model.ts'

/** What is known of a question before it is asked. */
export type TracedQuestion = Pick<ModelCall, 'prompt' | 'model' | 'task'> & { readonly scope: EventScope }

/** Tracks one call through its retries, and reports the outcome once. */
export class CallTrace {
  /** Requests sent so far. */
  attempts = 0
  readonly answers: TokenUsage[] = []
  readonly question: TracedQuestion
  readonly #startedAt: number
  readonly #tell: ((call: ModelCall) => void) | undefined

  constructor(question: TracedQuestion, tell: ((call: ModelCall) => void) | undefined) {
    this.question = question
    // Not the application's clock, which may stand still in a simulation: how long it really took.
    this.#startedAt = performance.now()
    this.#tell = tell
  }

  /** @param leftOut see `ModelCall` */
  end(outcome: ModelCallOutcome, leftOut: readonly string[] = []): void {
    const tell = this.#tell
    if (tell === undefined) return
    const call: ModelCall = {
      ...this.question,
      outcome,
      attempts: this.attempts,
      inputTokens: total(this.answers.map(({ input }) => input)),
      outputTokens: total(this.answers.map(({ output }) => output)),
      milliseconds: Math.round(performance.now() - this.#startedAt),
      ...(leftOut.length === 0 ? {} : { leftOut }),
    }
    // Apart from the work, so that a listener that throws cannot take the answer along.
    queueMicrotask(() => tell(call))
  }
}

/** How a question ended that ended with an error. */
export function outcomeOf(error: unknown, signal: AbortSignal | undefined): ModelCallOutcome {
  if (signal?.aborted) return 'aborted'
  if (!(error instanceof ModelError)) return 'failed'
  if (error.code === 'model-budget') return 'over-budget'
  if (error.details['reason'] === 'refused') return 'refused'
  if (error.details['reason'] === 'timed-out') return 'timed-out'
  return error.code === 'model-answer' ? 'unusable' : 'failed'
}

/** A sum with an unknown part is unknown. */
function total(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 || known.length < counts.length
    ? null
    : known.reduce((sum, count) => sum + count, 0)
}

/**
 * A timeout combined with the caller's signal, which can be reset for each chunk of a stream. Its timer keeps the
 * process alive.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #milliseconds: number
  readonly #timeout: () => Error
  #timer: NodeJS.Timeout | undefined
  /** For the model: aborted when the time is up or the caller aborts. */
  readonly signal: AbortSignal

  /** @param timeout makes the error thrown when the time is up. */
  constructor(milliseconds: number, caller: AbortSignal | undefined, timeout: () => Error) {
    this.#milliseconds = milliseconds
    this.#timeout = timeout
    this.signal = caller ? AbortSignal.any([caller, this.#controller.signal]) : this.#controller.signal
  }

  /**
   * Awaits `start` within the limit, even if it ignores the signal.
   *
   * @throws the timeout's error, or the reason of the caller's abort.
   */
  async wait<Value>(start: () => Promise<Value>): Promise<Value> {
    this.signal.throwIfAborted()
    this.#timer = setTimeout(() => this.#controller.abort(this.#timeout()), this.#milliseconds)
    try {
      return await untilAborted(start(), this.signal)
    } finally {
      clearTimeout(this.#timer)
    }
  }
}

/** A promise's outcome, or the reason of the signal if that comes first. */
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

/** The first wait between two tries; each further one is twice as long. */
const FIRST_WAIT_MS = 1000
/** Maximum delay between retries; the job queue waits longer. */
const LONGEST_WAIT_MS = 60_000

export interface RequestLimits {
  readonly timeoutMs: number
  readonly retries: number
  readonly concurrency: number
  readonly budget: ModelBudget | undefined
  readonly now: () => number
  readonly delay: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>
  /** From 0 up to 1. */
  readonly random: () => number
}

/** Limits shared by all models of a memory: concurrency and budgets. */
export interface SharedLimits {
  readonly places: Semaphore
  readonly budget: CallBudget
}

export function sharedLimits({
  concurrency,
  budget,
}: Pick<RequestLimits, 'concurrency' | 'budget'>): SharedLimits {
  return { places: new Semaphore(concurrency), budget: new CallBudget(budget) }
}

export interface RequestOwner {
  readonly scope: string
  readonly trace: CallTrace
}

/** A stream whose first piece has come. `close` must be called once it is done with. */
interface OpenStream {
  readonly first: LanguageChunk
  next(): Promise<LanguageChunk>
  close(): void
}

/**
 * Requests to one model with limits on concurrency, time and budget, and retries. Delays between retries hold no
 * slot. After a request has failed all retries, each following one is tried once until the model answers.
 */
export class ModelRequests {
  readonly #model: LanguageModel
  readonly #limits: RequestLimits
  readonly #places: Semaphore
  readonly #budget: CallBudget
  /** All tries of a request failed, and none has been answered since. */
  #isDown = false
  /** The last failure, while its provider asks for no requests. */
  #refusal: { readonly error: ModelError; readonly until: number } | null = null

  constructor(model: LanguageModel, limits: RequestLimits, { places, budget } = sharedLimits(limits)) {
    this.#model = model
    this.#limits = limits
    this.#places = places
    this.#budget = budget
  }

  /** @throws ModelError, or the reason of the caller's abort. */
  async generate(request: LanguageRequest, owner: RequestOwner): Promise<LanguageAnswer> {
    this.#heedRefusal()
    return this.#retrying(request.abortSignal, async () => {
      const release = await this.#takePlace(request.abortSignal)
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

  /**
   * Streams chunks with a time limit for each; retries only before the first.
   *
   * @throws as `generate`, while it is read.
   */
  async *stream(request: LanguageRequest, owner: RequestOwner): AsyncGenerator<LanguageChunk> {
    const opened = await this.#retrying(request.abortSignal, () => this.#open(request, owner))
    let text = ''
    let usage: TokenUsage = { input: null, output: null }
    try {
      for (let piece = opened.first; ; piece = await opened.next()) {
        if (piece.kind === 'text') text += piece.text
        else owner.trace.answers.push((usage = piece.usage))
        yield piece
        if (piece.kind === 'end') return
      }
    } catch (error) {
      throw this.#translate(error, request.abortSignal)
    } finally {
      this.#spend(request, owner, { text, usage })
      opened.close()
    }
  }

  async #open(request: LanguageRequest, owner: RequestOwner): Promise<OpenStream> {
    const release = await this.#takePlace(request.abortSignal)
    let pieces: AsyncIterator<LanguageChunk> | undefined
    const close = (): void => {
      release()
      // A model that ignores the signal ends its stream by itself, without being awaited.
      pieces?.return?.().then(undefined, () => undefined)
    }
    try {
      const deadline = this.#start(request, owner)
      const reading = this.#model.stream({ ...request, abortSignal: deadline.signal })[Symbol.asyncIterator]()
      pieces = reading
      const next = async (): Promise<LanguageChunk> => {
        const { done, value } = await deadline.wait(() => reading.next())
        if (done === true) throw this.#failure('ended its stream before the answer', { isRetryable: true })
        return value
      }
      return { first: await next(), next, close }
    } catch (error) {
      close()
      throw error
    }
  }

  async #takePlace(signal: AbortSignal | undefined): Promise<() => void> {
    const taking = this.#places.acquire()
    try {
      const [, release] = await untilAborted(taking, signal)
      return release
    } catch (error) {
      // Aborted while waiting: the place is given on as soon as it comes.
      void taking.then(([, release]) => release())
      throw error
    }
  }

  /** The last moment before a request is sent: counts it, and starts nothing when the budget is spent. */
  #start({ abortSignal }: LanguageRequest, { scope, trace }: RequestOwner): Deadline {
    const { timeoutMs, now } = this.#limits
    abortSignal?.throwIfAborted()
    this.#budget.startCall(scope, now())
    trace.attempts++
    return new Deadline(timeoutMs, abortSignal, () =>
      this.#failure(`did not answer within ${timeoutMs} ms`, { isRetryable: true, reason: 'timed-out' }),
    )
  }

  #spend(
    request: LanguageRequest,
    { scope }: RequestOwner,
    answer: Pick<LanguageAnswer, 'text' | 'usage'>,
  ): void {
    const given = request.toolUse?.exchanges.flatMap(({ results }) => results) ?? []
    const sentText = [request.system, ...[...request.messages, ...given].map(({ text }) => text)].join('\n')
    const input = answer.usage.input ?? estimateTokens(sentText)
    const output = answer.usage.output ?? estimateTokens(answer.text)
    this.#budget.spendTokens(scope, input + output, this.#limits.now())
  }

  /** @throws the last failure while its provider asks for no requests */
  #heedRefusal(): void {
    const { error, until } = this.#refusal ?? { error: null, until: 0 }
    const retryAfterMs = Math.ceil(until - performance.now())
    if (error === null || retryAfterMs <= 0) return
    const { message, cause, isRetryable, details } = error
    throw new ModelError(message, { cause, isRetryable, details, retryAfterMs })
  }

  async #retrying<Value>(signal: AbortSignal | undefined, attempt: () => Promise<Value>): Promise<Value> {
    try {
      const value = await pRetry(attempt, {
        retries: this.#isDown ? 0 : this.#limits.retries,
        // The wait is ours: it heeds what the provider asks for.
        minTimeout: 0,
        shouldRetry: async ({ error, attemptNumber }) => {
          const wait = this.#waitAfter(error, attemptNumber)
          if (wait === null || signal?.aborted) return false
          await this.#limits.delay(wait, signal)
          return true
        },
      })
      this.#isDown = false
      this.#refusal = null
      return value
    } catch (error) {
      const translated = this.#translate(error, signal)
      if (translated instanceof ModelError && translated.code === 'model-failed') {
        const { isRetryable, retryAfterMs } = translated
        this.#isDown = isRetryable
        if (isRetryable && retryAfterMs !== null)
          this.#refusal = { error: translated, until: performance.now() + retryAfterMs }
      }
      throw translated
    }
  }

  /** Milliseconds until the next try; `null` when there should be none here. */
  #waitAfter(error: Error, attempt: number): number | null {
    if (!(error instanceof ModelError) || !error.isRetryable || error.code !== 'model-failed') return null
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS)
    // Half of it by chance, so that callers who failed together do not come back together.
    const wait = Math.max(backoff * (0.5 + this.#limits.random() / 2), error.retryAfterMs ?? 0)
    return wait <= LONGEST_WAIT_MS ? wait : null
  }

  /** The reason of the caller's abort, or a ModelError. */
  #translate(error: unknown, signal: AbortSignal | undefined): unknown {
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
