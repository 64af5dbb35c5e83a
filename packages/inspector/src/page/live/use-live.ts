import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { KeepsakeEvent } from '@keepsake/client'
import type { Person } from '../address/address.ts'
import { wholePersonKey } from '../session/queries.ts'
import { useMay, useScope, useSession } from '../session/session.tsx'

/** Debounce of reloads after events. */
const RELOAD_DELAY_MS = 250

/** Events that change nothing shown about a user. */
const EVENTS_WITHOUT_CHANGE: ReadonlySet<KeepsakeEvent['event']> = new Set([
  'recall-answered',
  'memories-reinforced',
])

const onVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Whether the page is visible. Hidden pages do not follow events, because browsers allow a server six connections for all tabs. */
function useVisible(): boolean {
  return useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
}

/** Follows a user's events and reloads the page's data, so that two tabs agree. Returns the state of the connection. */
export function useLivePerson(person: Person, listen?: (event: KeepsakeEvent) => void): Connection {
  const scope = useScope(person)
  const { client } = useSession()
  const isOpen = useMay('read', person)
  return useEventStream(isOpen ? (signal) => scope.events({ signal }) : null, {
    source: scope,
    reloadKey: wholePersonKey(person),
    checkServer: (signal) => client.access({ signal }),
    listen,
  })
}

interface EventStream {
  /** A new source restarts the subscription. */
  readonly source: object
  /** The queries that an event invalidates. */
  readonly reloadKey: QueryKey
  readonly checkServer: (signal: AbortSignal) => Promise<unknown>
  readonly listen?: ((event: KeepsakeEvent) => void) | undefined
}

function useEventStream(
  open: ((signal: AbortSignal) => AsyncGenerator<KeepsakeEvent>) | null,
  { source, reloadKey, checkServer, listen }: EventStream,
): Connection {
  const queries = useQueryClient()
  const isVisible = useVisible()
  const [connection, setConnection] = useState<Connection>('opening')
  const isFollowed = open !== null
  useEffect(() => {
    if (open === null || !isVisible) return undefined
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const reloadSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        void queries.invalidateQueries({ queryKey: reloadKey })
      }, RELOAD_DELAY_MS)
    }
    const onConnection = (state: Connection): void => {
      setConnection(state)
      if (state === 'open') reloadSoon()
    }
    const onEvent = (event: KeepsakeEvent): void => {
      listen?.(event)
      if (!EVENTS_WITHOUT_CHANGE.has(event.event)) reloadSoon()
    }
    void followEvents({ open, onEvent, onConnection, checkServer, signal: controller.signal })
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
    // The source identifies the subscription; the functions are new in every render.
  }, [source, isFollowed, isVisible])
  return connection
}

const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 5_000

type Connection = 'opening' | 'open' | 'lost'

interface FollowOptions {
  readonly open: (signal: AbortSignal) => AsyncGenerator<KeepsakeEvent>
  readonly onEvent: (event: KeepsakeEvent) => void
  /** Called when the connection opens, is lost and opens again. */
  readonly onConnection: (connection: Connection) => void
  /** Aborts the subscription. */
  readonly signal: AbortSignal
  /** Checks that the server is reachable; a stream is silent before its first event. */
  readonly checkServer: (signal: AbortSignal) => Promise<unknown>
}

/** Follows events until aborted, with retries up to every five seconds. Missed events are not repeated, so callers reload. */
async function followEvents(options: FollowOptions): Promise<void> {
  const { signal, onConnection } = options
  let wait = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      await options.checkServer(signal)
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
    wait = Math.min(wait * 2, MAX_WAIT_MS)
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
