/** Milliseconds that a call may block the event loop before it yields. */
const MAX_BUSY_MS = 4

let yieldedAt = performance.now()
const waiting: (() => void)[] = []

/** Yields to the event loop if this thread was busy for some milliseconds. Await it between small pieces of long work. */
export async function yieldToEventLoop(): Promise<void> {
  // The absolute value, because tests set the clock back.
  const isFresh = Math.abs(performance.now() - yieldedAt) < MAX_BUSY_MS
  if (isFresh && waiting.length === 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  if (waiting.length === 1) setImmediate(continueNext)
  await promise
}

/** Maps each item to any number of results, and yields to the event loop between items. */
export async function flatMapInPieces<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result | readonly Result[],
): Promise<Result[]> {
  const results: Result[][] = []
  // A yield may last until all other callers had their turn, so this work uses all of its milliseconds first.
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
