import type { Client } from 'openapi-fetch'
import { eachItem, type Page } from './pages.ts'
import { bodyOf, parseEvents, readLines } from './read-stream.ts'
import { dataOf } from './request-error.ts'
import type { paths } from './schema.ts'
import type {
  CallOptions,
  Consent,
  AboutEntity,
  AboutOptions,
  DueItem,
  DueOptions,
  Category,
  Guidelines,
  KeyState,
  StateQuery,
  Entity,
  EraseReceipt,
  ErasePreview,
  EraseTarget,
  Explanation,
  ExportTicket,
  PendingRequest,
  KeepsakeEvent,
  Memory,
  MemoryFilter,
  MemoryLife,
  OperationFilter,
  PageOptions,
  PastOperation,
  PersonaSheet,
  PersonJob,
  Portrait,
  Profile,
  Recall,
  RecallOptions,
  ScopeKey,
  ScopeStats,
  Session,
  StoryLevel,
  StrengthOptions,
  Strengths,
  Turn,
  TurnFilter,
} from './types.ts'

/** A typed HTTP client of all routes. */
export type KeepsakeApi = Client<paths>

/** The path and query parameters that name a scope. */
export interface ScopeParams {
  readonly path: { readonly user: string }
  readonly query: {
    readonly tenant?: string
    readonly user?: string
    readonly agent?: string
    readonly app?: string
  }
}

export const AS_EVENTS = { Accept: 'text/event-stream' }

/** Reads one user's memory, or the part of it that an agent or app can read. Every call throws KeepsakeRequestError. */
export class ScopeReading {
  readonly key: ScopeKey
  /** Parameters for routes of `api`: `api.GET('/v1/scopes/{user}/persona', { params: ana.params })`. */
  readonly params: ScopeParams
  protected readonly api: KeepsakeApi

  /** @internal Use `KeepsakeClient.scope()`. */
  constructor(api: KeepsakeApi, key: ScopeKey) {
    this.key = key
    this.params = paramsOf(key)
    this.api = api
  }

  /** Searches for a question. Returns memories, evidence, a composed context and a confidence. */
  async recall(question: string, options: RecallOptions & CallOptions = {}): Promise<Recall> {
    const { signal, ...recallOptions } = options
    const body = { question, ...recallOptions }
    return dataOf(
      await this.api.POST('/v1/scopes/{user}/recall', { ...signalOption(signal), params: this.params, body }),
    )
  }

  /** Returns the short list that stands in every context: who the user is, what to mind, what goes on now. */
  async profile(options: CallOptions = {}): Promise<Profile> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/profile', { ...options, params: this.params }))
  }

  /** Lists the texts that an agent keeps under names, oldest first. Every context begins with them. */
  async blocks(options: CallOptions = {}): Promise<readonly Memory[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/blocks', { ...options, params: this.params })
    return dataOf(answer).blocks
  }

  /** Returns the facts about each person by key: current and past values, with evidence. */
  async persona(options: CallOptions = {}): Promise<PersonaSheet> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/persona', { ...options, params: this.params }))
  }

  /** Lists plans, ends, birthdays and other yearly days of a period, earliest first. Without a period it starts now. */
  async due(span: DueOptions = {}, options: CallOptions = {}): Promise<readonly DueItem[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/due', { ...options, params: this.withQuery(span) })
    return dataOf(answer).due
  }

  /** Lists persons and pets that statements relate to one another, most often named first. */
  async entities(options: CallOptions = {}): Promise<readonly Entity[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/entities', { ...options, params: this.params })
    return dataOf(answer).entities
  }

  /** Finds an entity by any of its names, with its relations up to a depth of two. */
  async about(
    entity: string,
    aboutOptions: AboutOptions = {},
    options: CallOptions = {},
  ): Promise<AboutEntity> {
    const { path, query } = this.params
    const params = { path: { ...path, entity }, query: { ...query, ...aboutOptions } }
    return dataOf(await this.api.GET('/v1/scopes/{user}/entities/{entity}', { ...options, params }))
  }

  /** Returns the levels of the story, and the sessions' summaries. */
  async story(options: CallOptions = {}): Promise<readonly StoryLevel[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/story', { ...options, params: this.params })
    return dataOf(answer).levels
  }

  /** Returns the portrait with its earlier versions. */
  async portrait(options: CallOptions = {}): Promise<Portrait> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/portrait', { ...options, params: this.params }))
  }

  /** Counts the user's turns, unread turns, memories, and queued and failed jobs. */
  async stats(options: CallOptions = {}): Promise<ScopeStats> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/stats', { ...options, params: this.params }))
  }

  /** Lists the user's queued and failed jobs. */
  async jobs(options: CallOptions = {}): Promise<readonly PersonJob[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/jobs', { ...options, params: this.params })
    return dataOf(answer).jobs
  }

  /** Iterates over the stored turns. */
  turns(filter: TurnFilter = {}, options: CallOptions = {}): AsyncGenerator<Turn> {
    return eachItem((cursor) => this.turnPage({ ...filter, ...cursor }, options))
  }

  /** Returns one page of the turns. */
  async turnPage(filter: TurnFilter & PageOptions = {}, options: CallOptions = {}): Promise<Page<Turn>> {
    const answer = await this.api.GET('/v1/scopes/{user}/turns', {
      ...options,
      params: this.withQuery(filter),
    })
    const { turns, next } = dataOf(answer)
    return { items: turns, next }
  }

  /** Returns a turn with the turns before and after it. @param count turns on each side. Default: 5 */
  async turnsAround(turn: string, count?: number, options: CallOptions = {}): Promise<readonly Turn[]> {
    const { path, query } = this.params
    const params = { path: { ...path, turn }, query: { ...query, ...(count === undefined ? {} : { count }) } }
    return dataOf(await this.api.GET('/v1/scopes/{user}/turns/{turn}/around', { ...options, params })).turns
  }

  /** Iterates over the sessions in order of their start. */
  sessions(options: CallOptions & Pick<PageOptions, 'newestFirst'> = {}): AsyncGenerator<Session> {
    const { newestFirst, ...call } = options
    const order = newestFirst === undefined ? {} : { newestFirst }
    return eachItem((cursor) => this.sessionPage({ ...order, ...cursor }, call))
  }

  /** Returns one page of the sessions. */
  async sessionPage(page: PageOptions = {}, options: CallOptions = {}): Promise<Page<Session>> {
    const answer = await this.api.GET('/v1/scopes/{user}/sessions', {
      ...options,
      params: this.withQuery(page),
    })
    const { sessions, next } = dataOf(answer)
    return { items: sessions, next }
  }

  /** Returns whether turns of a session are remembered. */
  async isRemembered(session: string, options: CallOptions = {}): Promise<boolean> {
    const request = { ...options, params: this.withPathNames({ session }) }
    return dataOf(await this.api.GET('/v1/scopes/{user}/sessions/{session}/remembering', request)).remember
  }

  /** Iterates over the memories in order of creation. */
  memories(filter: MemoryFilter = {}, options: CallOptions = {}): AsyncGenerator<Memory> {
    return eachItem((cursor) => this.memoryPage({ ...filter, ...cursor }, options))
  }

  /** Returns one page of the memories. */
  async memoryPage(
    filter: MemoryFilter & PageOptions = {},
    options: CallOptions = {},
  ): Promise<Page<Memory>> {
    const answer = await this.api.GET('/v1/scopes/{user}/memories', {
      ...options,
      params: this.withQuery(filter),
    })
    const { memories, next } = dataOf(answer)
    return { items: memories, next }
  }

  /** Returns a memory with its evidence and operations, which explain its state. */
  async memory(memory: string, options: CallOptions = {}): Promise<Explanation> {
    const params = this.withPathNames({ memory })
    return dataOf(await this.api.GET('/v1/scopes/{user}/memories/{memory}', { ...options, params }))
  }

  /** Lists every operation on a memory, oldest first, with the memory before and after it. */
  async history(memory: string, options: CallOptions = {}): Promise<readonly PastOperation[]> {
    const params = this.withPathNames({ memory })
    const answer = await this.api.GET('/v1/scopes/{user}/memories/{memory}/history', { ...options, params })
    return dataOf(answer).operations
  }

  /** Returns a memory's turns, its recalls, and its strength over time by each forgetting policy. */
  async life(memory: string, options: CallOptions = {}): Promise<MemoryLife> {
    const params = this.withPathNames({ memory })
    return dataOf(await this.api.GET('/v1/scopes/{user}/memories/{memory}/life', { ...options, params }))
  }

  /** Iterates over the log; latest changes first with `newestFirst`. */
  operations(filter: OperationFilter = {}, options: CallOptions = {}): AsyncGenerator<PastOperation> {
    return eachItem((cursor) => this.operationPage({ ...filter, ...cursor }, options))
  }

  /** Returns one page of the log. */
  async operationPage(
    filter: OperationFilter & PageOptions = {},
    options: CallOptions = {},
  ): Promise<Page<PastOperation>> {
    const params = this.withQuery(filter)
    const { operations, next } = dataOf(
      await this.api.GET('/v1/scopes/{user}/operations', { ...options, params }),
    )
    return { items: operations, next }
  }

  /** Iterates over the quarantined memories, each with its reason. */
  quarantine(options: CallOptions = {}): AsyncGenerator<Memory> {
    return eachItem((cursor) => this.quarantinePage(cursor, options))
  }

  /** Returns one page of the quarantined memories. */
  async quarantinePage(page: PageOptions = {}, options: CallOptions = {}): Promise<Page<Memory>> {
    const answer = await this.api.GET('/v1/scopes/{user}/quarantine', {
      ...options,
      params: this.withQuery(page),
    })
    const { memories, next } = dataOf(answer)
    return { items: memories, next }
  }

  /** Lists the user's standing instructions for replies, oldest first. */
  async instructions(options: CallOptions = {}): Promise<readonly Memory[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/instructions', { ...options, params: this.params })
    return dataOf(answer).instructions
  }

  /** Returns the value of a key that the application defined, in its schema; of the user unless `about.subject` names another. */
  async state(key: string, about: StateQuery = {}, options: CallOptions = {}): Promise<KeyState> {
    const { path, query } = this.params
    const params = { path: { ...path, key }, query: { ...query, ...about } }
    return dataOf(await this.api.GET('/v1/scopes/{user}/state/{key}', { ...options, params }))
  }

  /** Returns the values of all keys that the application defined. */
  async states(about: StateQuery = {}, options: CallOptions = {}): Promise<readonly KeyState[]> {
    const request = { ...options, params: this.withQuery(about) }
    return dataOf(await this.api.GET('/v1/scopes/{user}/state', request)).states
  }

  /** Lists the categories that the application defined, each with its number of current facts. */
  async categories(options: CallOptions = {}): Promise<readonly Category[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/categories', { ...options, params: this.params })
    return dataOf(answer).categories
  }

  /** Returns the guidelines in force for the user; `own` are the lines that `setGuidelines` set for this scope. */
  async guidelines(options: CallOptions = {}): Promise<Guidelines> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/guidelines', { ...options, params: this.params }))
  }

  /** Lists requests to forget that wait for a confirmation, each with the memories it would remove. */
  async pendingRequests(options: CallOptions = {}): Promise<readonly PendingRequest[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/requests', { ...options, params: this.params })
    return dataOf(answer).requests
  }

  /** Lists memories by their strength, weakest first, and marks those that a forgetting policy would remove. */
  async strengths(strengthOptions: StrengthOptions = {}, options: CallOptions = {}): Promise<Strengths> {
    const answer = await this.api.GET('/v1/scopes/{user}/strengths', {
      ...options,
      params: this.withQuery(strengthOptions),
    })
    return dataOf(answer)
  }

  /** Lists the data that an erasure would remove; everything of the user without a target. */
  async previewErasure(target: EraseTarget = {}, options: CallOptions = {}): Promise<ErasePreview> {
    const request = { ...options, params: this.params, body: target }
    return dataOf(await this.api.POST('/v1/scopes/{user}/erase/preview', request))
  }

  /** Lists the receipts of erasures, oldest first. */
  async erasures(options: CallOptions = {}): Promise<readonly EraseReceipt[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/erasures', { ...options, params: this.params })
    return dataOf(answer).erasures
  }

  /** Returns an erasure by its receipt's id. `purgedAt` is the time from which no byte of the erased data is left. */
  async erasure(erasure: string, options: CallOptions = {}): Promise<EraseReceipt> {
    const params = this.withPathNames({ erasure })
    return dataOf(await this.api.GET('/v1/scopes/{user}/erasures/{erasure}', { ...options, params }))
  }

  /** Returns the user's consent to training on their data. */
  async consent(options: CallOptions = {}): Promise<Consent> {
    const answer = await this.api.GET('/v1/scopes/{user}/consent', { ...options, params: this.params })
    return dataOf(answer).consent
  }

  /** Streams the events of this memory, until the server stops or the caller does. */
  async *events(options: CallOptions = {}): AsyncGenerator<KeepsakeEvent> {
    const request = { ...options, params: this.params, headers: AS_EVENTS, parseAs: 'stream' } as const
    yield* parseEvents(bodyOf(dataOf(await this.api.GET('/v1/scopes/{user}/events', request))))
  }

  /** Exports the user as JSON lines, without line ends. `KeepsakeClient.import` restores them. */
  async *export(options: CallOptions = {}): AsyncGenerator<string> {
    const request = { ...options, params: this.#wholeUserParams(), parseAs: 'stream' } as const
    yield* readLines(bodyOf(dataOf(await this.api.GET('/v1/scopes/{user}/export', request))), /\n/)
  }

  /** Creates a link with which a browser downloads the export. The link needs no key and works once, within a minute. */
  async exportTicket(options: CallOptions = {}): Promise<ExportTicket> {
    const request = { ...options, params: this.#wholeUserParams() }
    return dataOf(await this.api.POST('/v1/scopes/{user}/export/ticket', request))
  }

  /** Returns the parameters of the whole user, without agent and app. */
  #wholeUserParams() {
    const { user, tenant } = this.key
    return paramsOf({ user, ...(tenant === undefined ? {} : { tenant }) })
  }

  /** Returns the scope's parameters with further names in the path. @internal */
  protected withPathNames<Names extends object>(names: Names) {
    const { path, query } = this.params
    return { path: { ...path, ...names }, query }
  }

  /** Returns the scope's parameters with further query parameters. @internal */
  protected withQuery<Query extends object>(added: Query) {
    const { path, query } = this.params
    return { path, query: { ...query, ...added } }
  }
}

/** Returns the parameters of a scope. A URL path cannot contain the users `.` and `..`, so the query names them and the path has a blank. */
function paramsOf({ user, tenant, agent, app }: ScopeKey): ScopeParams {
  const isInQuery = user === '.' || user === '..'
  return {
    path: { user: isInQuery ? ' ' : user },
    query: {
      ...(isInQuery ? { user } : {}),
      ...(tenant === undefined ? {} : { tenant }),
      ...(agent === undefined ? {} : { agent }),
      ...(app === undefined ? {} : { app }),
    },
  }
}

export function signalOption(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
