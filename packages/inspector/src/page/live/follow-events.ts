import type { KeepsakeEvent } from '@keepsake/client'

const FIRST_WAIT_MS = 500
const MOST_WAIT_MS = 5_000

/** How the connection stands. */
export type Connection = 'opening' | 'open' | 'lost'

export interface FollowOptions {
  /** Opens the stream of events. */
  readonly open: (signal: AbortSignal) => AsyncGenerator<KeepsakeEvent>
  readonly onEvent: (event: KeepsakeEvent) => void
  /** Told when it opens, is lost and opens again. */
  readonly onConnection: (connection: Connection) => void
  /** Ends it. */
  readonly signal: AbortSignal
  /** Whether anybody can be reached at all; a stream says nothing before its first event. */
  readonly reach: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Follows events until it is ended. A connection that is lost is tried again after half a second, then after longer, up to five
 * seconds; what happened meanwhile is not told later, so whoever follows looks at everything anew once it is open.
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
      // What it was is told by the page's own questions; here it only means that nobody is heard.
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
