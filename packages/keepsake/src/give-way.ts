import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work of its own that a step may do before it looks at the event loop: what waits there should not notice. */
const HELD_MS = 8

let since = performance.now()

/**
 * Lets whatever waits on the event loop go first, once this thread was held for some milliseconds: to be awaited between small
 * pieces of long work. It costs next to nothing while there is no need.
 */
export async function giveWay(): Promise<void> {
  if (performance.now() - since < HELD_MS) return
  await nextTurn()
  since = performance.now()
}
