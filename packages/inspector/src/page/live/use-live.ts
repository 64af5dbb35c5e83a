import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Person } from '../address/address.ts'
import { wholePersonKey } from '../session/queries.ts'
import { useMay, useScope, useSession } from '../session/session.tsx'
import { followEvents, type Connection } from './follow-events.ts'
import type { KeepsakeEvent } from '@keepsake/client'

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

/**
 * Follows a user's events and reloads the page's data, so that two tabs agree.
 *
 * @param listen also receives every event
 * @returns the state of the connection.
 */
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
