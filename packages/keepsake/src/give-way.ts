/** Work of its own that a step may do before it looks at the event loop: what waits there should not notice. */
const HELD_MS = 4

let since = performance.now()
const waiting: (() => void)[] = []

/**
 * Lets whatever waits on the event loop go first, once this thread was held for some milliseconds: to be awaited between small
 * pieces of long work. It costs next to nothing while there is no need. Several that give way go on one by one, with a look at the
 * event loop between any two.
 */
export async function giveWay(): Promise<void> {
  if (performance.now() - since < HELD_MS && waiting.length === 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  if (waiting.length === 1) setImmediate(goOn)
  await promise
}

/**
 * Gives way for work of many small pieces that somebody waits for: only after some milliseconds of its own, however many stand in line. One
 * who stands in a full line again after each piece is hardly ever through.
 */
export function givingWay(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < HELD_MS) return
    await giveWay()
    began = performance.now()
  }
}

function goOn(): void {
  since = performance.now()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}
