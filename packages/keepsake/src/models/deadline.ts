/**
 * A limit on waiting, joined with the caller's own signal. It can be set anew for each wait, as a stream needs.
 * Its timer keeps the process alive: someone is waiting for what it ends.
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
   * Waits for what `start` begins, but no longer than the limit, even if what was begun does not heed the signal.
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
