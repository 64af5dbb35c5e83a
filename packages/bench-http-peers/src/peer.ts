import type { HttpSystemName, SystemMemory } from '@keepsake/bench'
import type { z } from 'zod'
import type { HttpClient, Refusal, RequestLine, RequestOptions } from './http-client.ts'
import { PeerError } from './peer-error.ts'

/** A service as an adapter sees it. */
export interface PeerService {
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
  /** For a peer that can refuse in an answer of status 200. */
  readonly findRefusal?: (body: unknown) => Refusal | null
  /** What a report says of how it was used. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly open: (peer: PeerService) => SystemMemory
}

/** Something that a peer processes after it has answered, and the request that tells how far it is. */
export interface Pending<T> {
  readonly what: string
  readonly line: RequestLine
  readonly options?: RequestOptions
  readonly reads: z.ZodType<T>
  readonly stateOf: (answer: T) => 'under way' | 'done' | 'failed'
}

/**
 * Looks again and again until it is processed.
 *
 * @throws PeerError when processing fails, or takes longer than the peer's `processingMs`.
 */
export async function awaitProcessed<T>(peer: PeerService, pending: Pending<T>): Promise<T> {
  const { what, line, reads, options } = pending
  const startedAt = peer.now()
  for (;;) {
    const answer = await peer.client.ask(line, reads, options)
    const state = pending.stateOf(answer)
    if (state === 'done') return answer
    if (state === 'failed') throw processingError(peer, line, what, answer)
    if (peer.now() - startedAt >= peer.processingMs) {
      throw new PeerError({
        system: peer.system,
        request: line,
        problem: `did not report ${what} as processed within ${peer.processingMs} ms`,
        advice: 'Allow more time with processingMs, or look whether the service is overloaded.',
        isRetryable: true,
      })
    }
    await peer.sleep(peer.pollMs)
  }
}

/** For what the peer itself gave up on. */
export function processingError(
  peer: PeerService,
  request: RequestLine,
  what: string,
  answer: unknown,
): PeerError {
  return new PeerError({
    system: peer.system,
    request,
    status: 200,
    problem: `reported that processing ${what} failed`,
    advice: 'Nothing of it may be retrievable: look at the service for the reason.',
    body: JSON.stringify(answer),
  })
}
