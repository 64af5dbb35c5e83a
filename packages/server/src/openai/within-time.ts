/** A task that was not done in the time it had. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/**
 * A task's result, if it comes within a time. Otherwise the task is told to stop, and not waited for: one that does not listen
 * ends by itself, its error unheard.
 *
 * @throws TimeLimitError
 */
export async function withinTime<Result>(
  milliseconds: number,
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new TimeLimitError(`Not done within ${milliseconds} ms.`)
    reject(error)
    stop.abort(error)
  }, milliseconds)
  try {
    return await Promise.race([task(stop.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
