import type { Client } from 'openapi-fetch'
import { eachItem } from './pages.ts'
import { readEvents, readLines } from './read-stream.ts'
import { dataOf, KeepsakeRequestError } from './request-error.ts'
import type { paths } from './schema.ts'
import type {
  CallOptions,
  KeepsakeEvent,
  HeldRequest,
  Memory,
  Operation,
  MemoryFilter,
  Profile,
  Recall,
  RecallOptions,
  Remembered,
  ReplyEvent,
  ReplyOptions,
  ReplyStreamEvent,
  ScopeKey,
  Session,
  TurnInput,
  WriteOptions,
} from './types.ts'

export type KeepsakeApi = Client<paths>

/** How the routes name a scope. */
export interface ScopeParams {
  readonly path: { readonly user: string }
  readonly query: {
    readonly tenant?: string
    readonly user?: string
    readonly agent?: string
    readonly app?: string
  }
}

const AS_EVENTS = { Accept: 'text/event-stream' }

/**
 * One person's memory, or the part of it that an agent or app sees. Made by `KeepsakeClient.scope()`. Holds what is awkward to
 * ask for by hand; everything else is asked of `KeepsakeClient.api` with {@link ScopeClient.params}.
 */
export class ScopeClient {
  readonly key: ScopeKey
  /** For the routes of `api`: `api.GET('/v1/scopes/{user}/persona', { params: ana.params })`. */
  readonly params: ScopeParams
  readonly #api: KeepsakeApi

  /** @internal Use `KeepsakeClient.scope()`. */
  constructor(api: KeepsakeApi, key: ScopeKey) {
    this.key = key
    this.params = paramsOf(key)
    this.#api = api
  }

  /** Records turns: all or none, durable when it returns, at once recallable. @throws KeepsakeRequestError */
  async remember(
    turns: TurnInput | readonly TurnInput[],
    { session, idempotencyKey, ...call }: WriteOptions & { readonly session?: string } = {},
  ): Promise<Remembered> {
    const headers = idempotencyKey === undefined ? {} : { header: { 'idempotency-key': idempotencyKey } }
    return dataOf(
      await this.#api.POST('/v1/scopes/{user}/turns', {
        ...call,
        params: { ...this.params, ...headers },
        body: { turns: listOf(turns), ...(session === undefined ? {} : { session }) },
      }),
    )
  }

  /** What bears on a question: memories, evidence, a composed context, and how sure it is. @throws KeepsakeRequestError */
  async recall(question: string, options: RecallOptions & CallOptions = {}): Promise<Recall> {
    const { signal, ...asked } = options
    return dataOf(
      await this.#api.POST('/v1/scopes/{user}/recall', {
        ...callOf(signal),
        params: this.params,
        body: { question, ...asked },
      }),
    )
  }

  /** The little that should be known in every talk: who the user is, what to mind, what goes on now. @throws KeepsakeRequestError */
  async profile(options: CallOptions = {}): Promise<Profile> {
    return dataOf(await this.#api.GET('/v1/scopes/{user}/profile', { ...options, params: this.params }))
  }

  /**
   * Answers the user's last turn from memory, piece by piece, and remembers the exchange.
   *
   * @throws KeepsakeRequestError when the server refuses, or the answer breaks off.
   * @example
   * for await (const { event, data } of ana.reply({ role: 'user', text: 'Where is my bike?' }))
   *   if (event === 'text') show(data.text)
   */
  async *reply(
    turns: TurnInput | readonly TurnInput[],
    options: ReplyOptions & CallOptions = {},
  ): AsyncGenerator<ReplyEvent> {
    const { signal, ...asked } = options
    const stream = dataOf(
      await this.#api.POST('/v1/scopes/{user}/reply', {
        ...callOf(signal),
        params: this.params,
        body: { turns: listOf(turns), ...asked },
        headers: AS_EVENTS,
        parseAs: 'stream',
      }),
    )
    for await (const { event, data } of readEvents(bodyOf(stream))) {
      const told = { event, data: JSON.parse(data) as unknown } as ReplyStreamEvent
      if (told.event === 'error') throw new KeepsakeRequestError(told.data.status, told.data)
      yield told
      if (told.event === 'end') return
    }
    throw new KeepsakeRequestError(502, null)
  }

  /** What happens to this memory from now on, until the server stops or the caller does. @throws KeepsakeRequestError */
  async *events(options: CallOptions = {}): AsyncGenerator<KeepsakeEvent> {
    const stream = dataOf(
      await this.#api.GET('/v1/scopes/{user}/events', {
        ...options,
        params: this.params,
        headers: AS_EVENTS,
        parseAs: 'stream',
      }),
    )
    yield* parseEvents(bodyOf(stream))
  }

  /** Requests that everything be forgotten, which wait for a yes, and what each would remove. @throws KeepsakeRequestError */
  async heldRequests(options: CallOptions = {}): Promise<readonly HeldRequest[]> {
    const { requests } = dataOf(
      await this.#api.GET('/v1/scopes/{user}/requests', { ...options, params: this.params }),
    )
    return requests
  }

  /** Carries out a request that waits, by the turn that made it. Can be undone. @throws KeepsakeRequestError */
  async confirmRequest(turn: string, options: CallOptions = {}): Promise<Operation> {
    const { path, query } = this.params
    return dataOf(
      await this.#api.POST('/v1/scopes/{user}/requests/{turn}/confirm', {
        ...options,
        params: { path: { ...path, turn }, query },
      }),
    )
  }

  /** Memories in order of making, page after page. @throws KeepsakeRequestError */
  memories(filter: MemoryFilter = {}, options: CallOptions = {}): AsyncGenerator<Memory> {
    return eachItem(async (cursor) => {
      const { path, query } = this.params
      const { memories, next } = dataOf(
        await this.#api.GET('/v1/scopes/{user}/memories', {
          ...options,
          params: { path, query: { ...query, ...filter, ...cursor } },
        }),
      )
      return { items: memories, next }
    })
  }

  /** What was not believed, with the reason, page after page. @throws KeepsakeRequestError */
  quarantine(options: CallOptions = {}): AsyncGenerator<Memory> {
    return eachItem(async (cursor) => {
      const { path, query } = this.params
      const { memories, next } = dataOf(
        await this.#api.GET('/v1/scopes/{user}/quarantine', {
          ...options,
          params: { path, query: { ...query, ...cursor } },
        }),
      )
      return { items: memories, next }
    })
  }

  /** The sessions by their start, page after page. @throws KeepsakeRequestError */
  sessions(options: CallOptions = {}): AsyncGenerator<Session> {
    return eachItem(async (cursor) => {
      const { path, query } = this.params
      const { sessions, next } = dataOf(
        await this.#api.GET('/v1/scopes/{user}/sessions', {
          ...options,
          params: { path, query: { ...query, ...cursor } },
        }),
      )
      return { items: sessions, next }
    })
  }

  /** The whole person as JSON lines, without line ends, which `KeepsakeClient.import` reads back. @throws KeepsakeRequestError */
  async *export(options: CallOptions = {}): AsyncGenerator<string> {
    const { path, query } = this.params
    const { tenant, user } = query
    const person = { ...(tenant === undefined ? {} : { tenant }), ...(user === undefined ? {} : { user }) }
    const stream = dataOf(
      await this.#api.GET('/v1/scopes/{user}/export', {
        ...options,
        params: { path, query: person },
        parseAs: 'stream',
      }),
    )
    yield* readLines(bodyOf(stream), /\n/)
  }
}

/** The events of a stream, parsed. */
export async function* parseEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<KeepsakeEvent> {
  for await (const { event, data } of readEvents(stream))
    yield { event, data: JSON.parse(data) as unknown } as KeepsakeEvent
}

/** Addresses cannot hold the names `.` and `..`: the query names them then, and the path is a blank. */
function paramsOf({ user, tenant, agent, app }: ScopeKey): ScopeParams {
  const isDots = user === '.' || user === '..'
  return {
    path: { user: isDots ? ' ' : user },
    query: {
      ...(isDots ? { user } : {}),
      ...(tenant === undefined ? {} : { tenant }),
      ...(agent === undefined ? {} : { agent }),
      ...(app === undefined ? {} : { app }),
    },
  }
}

function callOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

function listOf(turns: TurnInput | readonly TurnInput[]): TurnInput[] {
  return Array.isArray(turns) ? [...(turns as readonly TurnInput[])] : [turns as TurnInput]
}

/** The body of an answer that was asked for as a stream. */
export function bodyOf(stream: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> {
  return stream ?? new ReadableStream({ start: (controller) => controller.close() })
}
