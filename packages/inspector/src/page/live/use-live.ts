import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { KeepsakeEvent } from '@keepsake/client'
import type { Person } from '../address/address.ts'
import { wholePersonKey } from '../session/queries.ts'
import { useMay, useScope, useSession } from '../session/session.tsx'

/** Debounce for reloading after events. */
const RENEW_MS = 250

/** Events that change nothing shown about a user. */
const SILENT: ReadonlySet<KeepsakeEvent['event']> = new Set(['recall-answered', 'memories-reinforced'])

const onVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Hidden pages follow nothing: browsers allow six connections to a server for all tabs together. */
function useVisible(): boolean {
  return useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
}

/** Follows a user's events and reloads the page's data, so that two tabs agree. Returns the state of the connection. */
export function useLivePerson(person: Person, listen?: (event: KeepsakeEvent) => void): Connection {
  const scope = useScope(person)
  const { client } = useSession()
  const isOpen = useMay('read', person)
  return useFollowing(isOpen ? (signal) => scope.events({ signal }) : null, {
    source: scope,
    renew: wholePersonKey(person),
    reach: (signal) => client.access({ signal }),
    listen,
  })
}

interface Following {
  /** A new source restarts the subscription. */
  readonly source: object
  /** The queries that an event invalidates. */
  readonly renew: QueryKey
  readonly reach: (signal: AbortSignal) => Promise<unknown>
  readonly listen?: ((event: KeepsakeEvent) => void) | undefined
}

function useFollowing(
  open: ((signal: AbortSignal) => AsyncGenerator<KeepsakeEvent>) | null,
  { source, renew, reach, listen }: Following,
): Connection {
  const queries = useQueryClient()
  const isVisible = useVisible()
  const [connection, setConnection] = useState<Connection>('opening')
  const isFollowed = open !== null
  useEffect(() => {
    if (open === null || !isVisible) return undefined
    const over = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const renewSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        void queries.invalidateQueries({ queryKey: renew })
      }, RENEW_MS)
    }
    const onConnection = (now: Connection): void => {
      setConnection(now)
      if (now === 'open') renewSoon()
    }
    const onEvent = (event: KeepsakeEvent): void => {
      listen?.(event)
      if (!SILENT.has(event.event)) renewSoon()
    }
    void followEvents({ open, onEvent, onConnection, reach, signal: over.signal })
    return () => {
      over.abort()
      clearTimeout(timer)
    }
    // The source identifies the subscription; the functions are new in every render.
  }, [source, isFollowed, isVisible])
  return connection
}

const FIRST_WAIT_MS = 500
const MOST_WAIT_MS = 5_000

type Connection = 'opening' | 'open' | 'lost'

interface FollowOptions {
  readonly open: (signal: AbortSignal) => AsyncGenerator<KeepsakeEvent>
  readonly onEvent: (event: KeepsakeEvent) => void
  /** Called when the connection opens, is lost and opens again. */
  readonly onConnection: (connection: Connection) => void
  /** Ends it. */
  readonly signal: AbortSignal
  /** Checks that the server is reachable; a stream is silent before its first event. */
  readonly reach: (signal: AbortSignal) => Promise<unknown>
}

/** Follows events until aborted, with retries up to every five seconds. Missed events are not repeated, so callers reload. */
async function followEvents(options: FollowOptions): Promise<void> {
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
