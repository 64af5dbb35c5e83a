import type { HttpSystemName, SystemMemory } from '@keepsake/bench'
import type { HttpClient, Refusal } from './http-client.ts'
import { PeerError } from './peer-error.ts'

/** A service as an adapter sees it. */
export interface Peer {
  readonly system: HttpSystemName
  readonly client: HttpClient
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** A new UUID. */
  readonly newId: () => string
  /** Between two looks at whether something was processed. */
  readonly pollMs: number
  /** How long what was added may take to become retrievable. */
  readonly processingMs: number
}

/** What a caller needs to know of a peer before opening it. */
export interface HttpSystemInfo {
  readonly name: HttpSystemName
  /** The version of the interface that the adapter speaks, for reports. */
  readonly speaks: string
  readonly defaultUrl: string
  /** The environment variable that a command reads the key from. */
  readonly keyVariable: string
  readonly needsKey: boolean
}

/** What is particular to one peer. */
export interface PeerDefinition extends HttpSystemInfo {
  /** How the key is sent. */
  readonly keyHeader: (key: string) => Readonly<Record<string, string>>
  readonly findRefusal: (body: unknown) => Refusal | null
  /** What a report says of how it was used. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly open: (peer: Peer) => SystemMemory
}

/** For a peer that says no by the status alone. */
export function findNoRefusal(): null {
  return null
}

/** What is waited for, for the error when it never comes. */
export interface Awaited {
  readonly what: string
  readonly method: string
  readonly path: string
}

/**
 * Looks again and again until what was added is processed.
 * Throws PeerError when that takes longer than the peer's `processingMs`.
 */
export async function pollUntil<T>(
  peer: Peer,
  awaited: Awaited,
  read: () => Promise<T>,
  isDone: (state: T) => boolean,
): Promise<T> {
  const startedAt = peer.now()
  for (;;) {
    const state = await read()
    if (isDone(state)) return state
    if (peer.now() - startedAt >= peer.processingMs) {
      throw new PeerError({
        system: peer.system,
        method: awaited.method,
        path: awaited.path,
        status: null,
        problem: `did not report ${awaited.what} as processed within ${peer.processingMs} ms`,
        advice: 'Allow more time with processingMs, or look whether the service is overloaded.',
        isRetryable: true,
      })
    }
    await peer.sleep(peer.pollMs)
  }
}

/** A PeerError for an addition that the peer itself gave up on. */
export function processingError(peer: Peer, awaited: Awaited, said: string): PeerError {
  return new PeerError({
    system: peer.system,
    method: awaited.method,
    path: awaited.path,
    status: 200,
    problem: `reported that processing ${awaited.what} failed`,
    advice: 'Nothing of it may be retrievable: look at the service for the reason.',
    body: said,
  })
}
