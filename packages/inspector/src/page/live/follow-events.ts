import type { KeepsakeEvent } from '@keepsake/client'

const FIRST_WAIT_MS = 500
const MOST_WAIT_MS = 5_000

/** The state of the connection. */
export type Connection = 'opening' | 'open' | 'lost'

export interface FollowOptions {
  /** Opens the stream of events. */
  readonly open: (signal: AbortSignal) => AsyncGenerator<KeepsakeEvent>
  readonly onEvent: (event: KeepsakeEvent) => void
  /** Called when the connection opens, is lost and opens again. */
  readonly onConnection: (connection: Connection) => void
  /** Ends it. */
  readonly signal: AbortSignal
  /** Checks that the server is reachable; a stream is silent before its first event. */
  readonly reach: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Follows events until aborted. A lost connection is retried after half a second, then later, up to five seconds. Missed events are not
 * repeated, so callers reload everything once it is open again.
 */
export async function followEvents(options: FollowOptions): Promise<void> {
  const { signal, onConnection } = options
  let wait = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      await options.reach(signal)
      wait = FIRST_WAIT_MS
      onConnection('open')
      for await (const event of options.open(signal)) options.onEvent(event)
    } catch (error) {
      if (signal.aborted) return
      // The page's own queries report the error; here it only means that the connection is lost.
      if (!(error instanceof Error)) throw error
    }
    if (signal.aborted) return
    onConnection('lost')
    await pause(wait, signal)
    wait = Math.min(wait * 2, MOST_WAIT_MS)
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
