import type {
  DatasetTurn,
  HttpSystemName,
  RetrieveOptions,
  SystemMemoryItem,
  SystemOperation,
} from '@keepsake/bench'
import type { z } from 'zod'
import type { HttpClient, Refusal, RequestLine, RequestOptions } from './http-client.ts'
import type { PeerError } from './peer-error.ts'

/** A connection to a service, for one throw-away user. */
export interface PeerService {
  readonly client: HttpClient
  /** Unique name of the throw-away user. */
  readonly user: string
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Milliseconds between two requests for the state of an addition. */
  readonly pollMs: number
  /** Milliseconds that processing an addition may take. */
  readonly processingMs: number
}

/** The data of a peer that a caller needs before opening it. */
export interface HttpSystemInfo {
  readonly name: HttpSystemName
  /** The version of the interface that the adapter uses, for reports. */
  readonly speaks: string
  readonly defaultUrl: string
  /** The environment variable that a command reads the key from. */
  readonly keyVariable: string
  readonly needsKey: boolean
}

export interface PeerDefinition extends HttpSystemInfo {
  /** Returns the header that sends the key. */
  readonly keyHeader: (key: string) => Readonly<Record<string, string>>
  /** Finds a refusal in an answer of status 200. Absent: the peer never refuses in this way. */
  readonly findRefusal?: (body: unknown) => Refusal | null
  /** The settings that a report shows. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Makes the user's name from a UUID. Default: `keepsake-bench-` and the UUID. */
  readonly nameUser?: (uuid: string) => string
  /** Makes the requests for one user. */
  readonly speak: (peer: PeerService) => PeerRequests
}

export interface PeerItem extends SystemMemoryItem {
  readonly score?: number | null
  /** Names of the sessions it came from, if the peer reports them. */
  readonly sessions?: readonly string[]
}

/** The result of a search. */
export interface Found {
  readonly items: readonly PeerItem[]
  /** The lines of the context. Absent: one line for each item. */
  readonly lines?: readonly string[]
}

/** The requests to a peer for one user. None is sent before the first addition. */
export interface PeerRequests {
  /** Creates the user, if the peer needs that before the first addition. */
  addUser?(turns: readonly DatasetTurn[]): Promise<void>
  /** Stores one or more turns and waits until they are processed; `null`: the peer does not report its changes. */
  add(turns: readonly DatasetTurn[], session: string): Promise<readonly SystemOperation[] | null>
  /** Returns the memories of a session; `null`: the peer does not report them. Absent: those of `list` with this session. */
  dialogueMemories?(session: string): readonly SystemMemoryItem[] | null
  /** Lists all memories; `null`: the service cannot. */
  list(): Promise<readonly PeerItem[] | null>
  search(query: string, options: RetrieveOptions): Promise<Found>
  /** The requests that delete the throw-away user and all their data. */
  readonly deletions: readonly (readonly [RequestLine, RequestOptions?])[]
}

/** Data that a peer processes after its answer, and the request that reports the state. */
interface Pending<T> {
  /** A noun for messages: `the document 12`. */
  readonly what: string
  readonly line: RequestLine
  readonly options?: RequestOptions
  readonly schema: z.ZodType<T>
  readonly stateOf: (answer: T) => 'under way' | 'done' | 'failed'
}

/** Asks for the state until the data is processed. @throws PeerError when processing fails, or takes longer than `processingMs` */
export async function awaitProcessed<T>(peer: PeerService, pending: Pending<T>): Promise<T> {
  const { what, line, schema, options } = pending
  const startedAt = peer.now()
  for (;;) {
    const answer = await peer.client.ask(line, schema, options)
    const state = pending.stateOf(answer)
    if (state === 'done') return answer
    if (state === 'failed') throw processingError(peer, line, what, answer)
    if (peer.now() - startedAt >= peer.processingMs)
      throw peer.client.fault(line, {
        problem: `did not report ${what} as processed within ${peer.processingMs} ms`,
        advice: 'Allow more time with processingMs, or look whether the service is overloaded.',
        isRetryable: true,
      })
    await peer.sleep(peer.pollMs)
  }
}

/** Makes the error for processing that the peer reports as failed. */
export function processingError(
  { client }: PeerService,
  line: RequestLine,
  what: string,
  answer: unknown,
): PeerError {
  return client.fault(line, {
    status: 200,
    problem: `reported that processing ${what} failed`,
    advice: 'Nothing of it may be retrievable: look at the service for the reason.',
    body: JSON.stringify(answer),
  })
}

/** Reads the items of all pages, each item once. Stops at a page without new items, since a service may repeat its last page for ever. */
export async function readPages<Item>(
  readPage: (page: number, last: Item | undefined) => Promise<readonly [readonly Item[], isLast: boolean]>,
): Promise<Item[]> {
  const all = new Map<string, Item>()
  for (let page = 1; ; page += 1) {
    const [items, isLast] = await readPage(page, [...all.values()].at(-1))
    const sizeBefore = all.size
    for (const item of items) all.set(JSON.stringify(item), item)
    if (isLast || all.size === sizeBefore) return [...all.values()]
  }
}
