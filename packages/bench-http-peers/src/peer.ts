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

/** A service as an adapter sees it, for one throw-away user. */
export interface PeerService {
  readonly client: HttpClient
  /** The throw-away user: a name that no one else has. */
  readonly user: string
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
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

export interface PeerDefinition extends HttpSystemInfo {
  /** How the key is sent. */
  readonly keyHeader: (key: string) => Readonly<Record<string, string>>
  /** For a peer that can refuse in an answer of status 200. */
  readonly findRefusal?: (body: unknown) => Refusal | null
  /** What a report says of how it was used. */
  readonly settings: Readonly<Record<string, unknown>>
  /** For a peer whose users are UUIDs. Default: a name that begins with `keepsake-bench-`. */
  readonly nameUser?: (uuid: string) => string
  readonly speak: (peer: PeerService) => PeerRequests
}

export interface PeerItem extends SystemMemoryItem {
  readonly score?: number | null
  /** Names of the sessions it came from, where the peer reports them. */
  readonly sessions?: readonly string[]
}

export interface Found {
  readonly items: readonly PeerItem[]
  /** The context as the peer composes it. Absent: the items, a line each. */
  readonly lines?: readonly string[]
}

/** What a peer is asked for its user. Nothing is asked before the first addition. */
export interface PeerRequests {
  /** Creates a user, for a peer that needs one before anything is added. */
  addUser?(turns: readonly DatasetTurn[]): Promise<void>
  /** Stores turns, at least one, and waits until what came of them stands; `null`: the peer does not tell what came. */
  add(turns: readonly DatasetTurn[], session: string): Promise<readonly SystemOperation[] | null>
  /** What a session's dialogues left; `null`: the peer cannot tell. Absent: the items that name the session. */
  dialogueMemories?(session: string): readonly SystemMemoryItem[] | null
  /** `null`: the service cannot list them all. */
  list(): Promise<readonly PeerItem[] | null>
  search(query: string, options: RetrieveOptions): Promise<Found>
  /** What deletes the throw-away user and all that is stored of them. */
  readonly deletions: readonly (readonly [RequestLine, RequestOptions?])[]
}

/** Something that a peer processes after it has answered, and the request that reports its progress. */
interface Pending<T> {
  readonly what: string
  readonly line: RequestLine
  readonly options?: RequestOptions
  readonly reads: z.ZodType<T>
  readonly stateOf: (answer: T) => 'under way' | 'done' | 'failed'
}

/** Polls until it is processed. @throws PeerError when that fails, or takes longer than the peer's `processingMs` */
export async function awaitProcessed<T>(peer: PeerService, pending: Pending<T>): Promise<T> {
  const { what, line, reads, options } = pending
  const startedAt = peer.now()
  for (;;) {
    const answer = await peer.client.ask(line, reads, options)
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

/** For what the peer itself gave up on. */
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

/** The items of all pages, each once. A page without new items ends the list, since services may repeat a page for ever. */
export async function readPages<Item>(
  read: (page: number, last: Item | undefined) => Promise<readonly [readonly Item[], isLast: boolean]>,
): Promise<Item[]> {
  const all = new Map<string, Item>()
  for (let page = 1; ; page += 1) {
    const [items, isLast] = await read(page, [...all.values()].at(-1))
    const before = all.size
    for (const item of items) all.set(JSON.stringify(item), item)
    if (isLast || all.size === before) return [...all.values()]
  }
}
