/** Milliseconds that a call may block the event loop before it yields. */
const MAX_BUSY_MS = 4

let yieldedAt = performance.now()
const waiting: (() => void)[] = []

/**
 * Lets whatever waits on the event loop go first, once this thread was busy for some milliseconds. Await it between small pieces of long
 * work. It costs next to nothing while there is no need. Several callers continue one by one, with a turn of the event loop between them.
 *
 * @example
 * for (const document of documents) {
 *   index(document)
 *   await yieldToEventLoop()
 * }
 */
export async function yieldToEventLoop(): Promise<void> {
  // A clock that was set back, as tests do, must not hold back the next yield.
  const isFresh = Math.abs(performance.now() - yieldedAt) < MAX_BUSY_MS
  if (isFresh && waiting.length === 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  if (waiting.length === 1) setImmediate(continueNext)
  await promise
}

/** Maps each item to none or more results, and lets what waits on the event loop go first between items. */
export async function flatMapInPieces<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result | readonly Result[],
): Promise<Result[]> {
  const results: Result[][] = []
  // Others wait as well: each yield may last until all of them had their turn, so this work uses its milliseconds whole.
  let resumedAt = performance.now()
  for (const item of items) {
    if (performance.now() - resumedAt >= MAX_BUSY_MS) {
      await yieldToEventLoop()
      resumedAt = performance.now()
    }
    results.push([map(item)].flat() as Result[])
  }
  return results.flat()
}

function continueNext(): void {
  yieldedAt = performance.now()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(continueNext)
}
