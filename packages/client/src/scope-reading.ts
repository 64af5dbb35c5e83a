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

/** Every route, typed. */
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

export const AS_EVENTS = { Accept: 'text/event-stream' }

/** What can be asked of one person's memory, or of the part of it that an agent or app sees. Every call throws KeepsakeRequestError. */
export class ScopeReading {
  readonly key: ScopeKey
  /** For the routes of `api`: `api.GET('/v1/scopes/{user}/persona', { params: ana.params })`. */
  readonly params: ScopeParams
  protected readonly api: KeepsakeApi

  /** @internal Use `KeepsakeClient.scope()`. */
  constructor(api: KeepsakeApi, key: ScopeKey) {
    this.key = key
    this.params = paramsOf(key)
    this.api = api
  }

  /** What bears on a question: memories, evidence, a composed context, and how sure it is. */
  async recall(question: string, options: RecallOptions & CallOptions = {}): Promise<Recall> {
    const { signal, ...asked } = options
    const body = { question, ...asked }
    return dataOf(
      await this.api.POST('/v1/scopes/{user}/recall', { ...callOf(signal), params: this.params, body }),
    )
  }

  /** The little that should be known in every talk: who the user is, what to mind, what goes on now. */
  async profile(options: CallOptions = {}): Promise<Profile> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/profile', { ...options, params: this.params }))
  }

  /** Lists the texts that an agent keeps under names, in order of making. They stand ahead of every context. */
  async blocks(options: CallOptions = {}): Promise<readonly Memory[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/blocks', { ...options, params: this.params })
    return dataOf(answer).blocks
  }

  /** What is known of each person, by key: values of today and before, and on what evidence. */
  async persona(options: CallOptions = {}): Promise<PersonaSheet> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/persona', { ...options, params: this.params }))
  }

  /** What falls due in a span, from now on when absent, the earliest first: plans, ends, and birthdays and other yearly days. */
  async due(span: DueOptions = {}, options: CallOptions = {}): Promise<readonly DueItem[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/due', { ...options, params: this.asking(span) })
    return dataOf(answer).due
  }

  /** Persons and pets that statements relate to one another, the most named first. */
  async entities(options: CallOptions = {}): Promise<readonly Entity[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/entities', { ...options, params: this.params })
    return dataOf(answer).entities
  }

  /** An entity by any of its names, with what it is related to, to a depth of two. */
  async about(entity: string, asked: AboutOptions = {}, options: CallOptions = {}): Promise<AboutEntity> {
    const { path, query } = this.params
    const params = { path: { ...path, entity }, query: { ...query, ...asked } }
    return dataOf(await this.api.GET('/v1/scopes/{user}/entities/{entity}', { ...options, params }))
  }

  /** The story so far, level by level, and the sessions' summaries. */
  async story(options: CallOptions = {}): Promise<readonly StoryLevel[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/story', { ...options, params: this.params })
    return dataOf(answer).levels
  }

  /** The portrait, with its earlier versions. */
  async portrait(options: CallOptions = {}): Promise<Portrait> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/portrait', { ...options, params: this.params }))
  }

  /** How much there is of this person, how far it was read, and what waits or failed. */
  async stats(options: CallOptions = {}): Promise<ScopeStats> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/stats', { ...options, params: this.params }))
  }

  /** What waits or failed of this person. */
  async jobs(options: CallOptions = {}): Promise<readonly PersonJob[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/jobs', { ...options, params: this.params })
    return dataOf(answer).jobs
  }

  /** Turns as they were said, page after page. */
  turns(filter: TurnFilter = {}, options: CallOptions = {}): AsyncGenerator<Turn> {
    return eachItem((cursor) => this.turnPage({ ...filter, ...cursor }, options))
  }

  /** A page of the turns. */
  async turnPage(filter: TurnFilter & PageOptions = {}, options: CallOptions = {}): Promise<Page<Turn>> {
    const answer = await this.api.GET('/v1/scopes/{user}/turns', { ...options, params: this.asking(filter) })
    const { turns, next } = dataOf(answer)
    return { items: turns, next }
  }

  /** A turn within its conversation: with those before and after it. @param count how many on each side; 5 when absent */
  async turnsAround(turn: string, count?: number, options: CallOptions = {}): Promise<readonly Turn[]> {
    const { path, query } = this.params
    const params = { path: { ...path, turn }, query: { ...query, ...(count === undefined ? {} : { count }) } }
    return dataOf(await this.api.GET('/v1/scopes/{user}/turns/{turn}/around', { ...options, params })).turns
  }

  /** The sessions by their start, page after page. */
  sessions(options: CallOptions & Pick<PageOptions, 'newestFirst'> = {}): AsyncGenerator<Session> {
    const { newestFirst, ...call } = options
    const order = newestFirst === undefined ? {} : { newestFirst }
    return eachItem((cursor) => this.sessionPage({ ...order, ...cursor }, call))
  }

  /** A page of the sessions. */
  async sessionPage(page: PageOptions = {}, options: CallOptions = {}): Promise<Page<Session>> {
    const answer = await this.api.GET('/v1/scopes/{user}/sessions', { ...options, params: this.asking(page) })
    const { sessions, next } = dataOf(answer)
    return { items: sessions, next }
  }

  /** Whether turns of a session are remembered. */
  async isRemembered(session: string, options: CallOptions = {}): Promise<boolean> {
    const asked = { ...options, params: this.naming({ session }) }
    return dataOf(await this.api.GET('/v1/scopes/{user}/sessions/{session}/remembering', asked)).remember
  }

  /** Memories in order of making, page after page. */
  memories(filter: MemoryFilter = {}, options: CallOptions = {}): AsyncGenerator<Memory> {
    return eachItem((cursor) => this.memoryPage({ ...filter, ...cursor }, options))
  }

  /** A page of the memories. */
  async memoryPage(
    filter: MemoryFilter & PageOptions = {},
    options: CallOptions = {},
  ): Promise<Page<Memory>> {
    const answer = await this.api.GET('/v1/scopes/{user}/memories', {
      ...options,
      params: this.asking(filter),
    })
    const { memories, next } = dataOf(answer)
    return { items: memories, next }
  }

  /** A memory, and why it is as it is. */
  async memory(memory: string, options: CallOptions = {}): Promise<Explanation> {
    const params = this.naming({ memory })
    return dataOf(await this.api.GET('/v1/scopes/{user}/memories/{memory}', { ...options, params }))
  }

  /** Every operation on a memory, oldest first, with what it was before and after. */
  async history(memory: string, options: CallOptions = {}): Promise<readonly PastOperation[]> {
    const params = this.naming({ memory })
    const answer = await this.api.GET('/v1/scopes/{user}/memories/{memory}/history', { ...options, params })
    return dataOf(answer).operations
  }

  /** A memory's life: its turns, every recall of it, and its strength over time by each forgetting policy. */
  async life(memory: string, options: CallOptions = {}): Promise<MemoryLife> {
    const params = this.naming({ memory })
    return dataOf(await this.api.GET('/v1/scopes/{user}/memories/{memory}/life', { ...options, params }))
  }

  /** The log, page after page: the latest changes first with `newestFirst`. */
  operations(filter: OperationFilter = {}, options: CallOptions = {}): AsyncGenerator<PastOperation> {
    return eachItem((cursor) => this.operationPage({ ...filter, ...cursor }, options))
  }

  /** A page of the log. */
  async operationPage(
    filter: OperationFilter & PageOptions = {},
    options: CallOptions = {},
  ): Promise<Page<PastOperation>> {
    const params = this.asking(filter)
    const { operations, next } = dataOf(
      await this.api.GET('/v1/scopes/{user}/operations', { ...options, params }),
    )
    return { items: operations, next }
  }

  /** What was not believed, with the reason, page after page. */
  quarantine(options: CallOptions = {}): AsyncGenerator<Memory> {
    return eachItem((cursor) => this.quarantinePage(cursor, options))
  }

  /** A page of what was not believed. */
  async quarantinePage(page: PageOptions = {}, options: CallOptions = {}): Promise<Page<Memory>> {
    const answer = await this.api.GET('/v1/scopes/{user}/quarantine', {
      ...options,
      params: this.asking(page),
    })
    const { memories, next } = dataOf(answer)
    return { items: memories, next }
  }

  /** How the user asked to be talked to from now on, oldest first. */
  async instructions(options: CallOptions = {}): Promise<readonly Memory[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/instructions', { ...options, params: this.params })
    return dataOf(answer).instructions
  }

  /** The value of one of the application's own keys, in its own form; `subject` is the user when absent. */
  async state(key: string, about: StateQuery = {}, options: CallOptions = {}): Promise<KeyState> {
    const { path, query } = this.params
    const params = { path: { ...path, key }, query: { ...query, ...about } }
    return dataOf(await this.api.GET('/v1/scopes/{user}/state/{key}', { ...options, params }))
  }

  /** The values of all of the application's own keys. */
  async states(about: StateQuery = {}, options: CallOptions = {}): Promise<readonly KeyState[]> {
    const asked = { ...options, params: this.asking(about) }
    return dataOf(await this.api.GET('/v1/scopes/{user}/state', asked)).states
  }

  /** The application's own categories, with the number of current facts in each. */
  async categories(options: CallOptions = {}): Promise<readonly Category[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/categories', { ...options, params: this.params })
    return dataOf(answer).categories
  }

  /** What is kept and never kept of this person, in the application's words; `own` are the lines that `setGuidelines` set here. */
  async guidelines(options: CallOptions = {}): Promise<Guidelines> {
    return dataOf(await this.api.GET('/v1/scopes/{user}/guidelines', { ...options, params: this.params }))
  }

  /** Requests to forget that wait for a yes, and what each would remove. */
  async pendingRequests(options: CallOptions = {}): Promise<readonly PendingRequest[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/requests', { ...options, params: this.params })
    return dataOf(answer).requests
  }

  /** How memories stand by a forgetting policy, the weakest first, and which would go under a capacity. */
  async strengths(asked: StrengthOptions = {}, options: CallOptions = {}): Promise<Strengths> {
    const answer = await this.api.GET('/v1/scopes/{user}/strengths', {
      ...options,
      params: this.asking(asked),
    })
    return dataOf(answer)
  }

  /** What an erasure would remove: of the whole person when nothing is named. */
  async previewErasure(target: EraseTarget = {}, options: CallOptions = {}): Promise<ErasePreview> {
    const asked = { ...options, params: this.params, body: target }
    return dataOf(await this.api.POST('/v1/scopes/{user}/erase/preview', asked))
  }

  /** Receipts of what was erased, oldest first. */
  async erasures(options: CallOptions = {}): Promise<readonly EraseReceipt[]> {
    const answer = await this.api.GET('/v1/scopes/{user}/erasures', { ...options, params: this.params })
    return dataOf(answer).erasures
  }

  /** An erasure by its receipt's id: `purgedAt` says when no byte of it was left. */
  async erasure(erasure: string, options: CallOptions = {}): Promise<EraseReceipt> {
    const params = this.naming({ erasure })
    return dataOf(await this.api.GET('/v1/scopes/{user}/erasures/{erasure}', { ...options, params }))
  }

  /** Whether this person may be learned from. */
  async consent(options: CallOptions = {}): Promise<Consent> {
    const answer = await this.api.GET('/v1/scopes/{user}/consent', { ...options, params: this.params })
    return dataOf(answer).consent
  }

  /** What happens to this memory from now on, until the server stops or the caller does. */
  async *events(options: CallOptions = {}): AsyncGenerator<KeepsakeEvent> {
    const asked = { ...options, params: this.params, headers: AS_EVENTS, parseAs: 'stream' } as const
    yield* parseEvents(bodyOf(dataOf(await this.api.GET('/v1/scopes/{user}/events', asked))))
  }

  /** The whole person as JSON lines, without line ends, which `KeepsakeClient.import` reads back. */
  async *export(options: CallOptions = {}): AsyncGenerator<string> {
    const { path, query } = this.params
    const { tenant, user } = query
    const person = { ...(tenant === undefined ? {} : { tenant }), ...(user === undefined ? {} : { user }) }
    const asked = { ...options, params: { path, query: person }, parseAs: 'stream' } as const
    yield* readLines(bodyOf(dataOf(await this.api.GET('/v1/scopes/{user}/export', asked))), /\n/)
  }

  /** A link that a browser writes straight into a file: it exports the person once, within a minute, and needs no key. */
  async exportTicket(options: CallOptions = {}): Promise<ExportTicket> {
    const { path, query } = this.params
    const { tenant, user } = query
    const person = { ...(tenant === undefined ? {} : { tenant }), ...(user === undefined ? {} : { user }) }
    const asked = { ...options, params: { path, query: person } }
    return dataOf(await this.api.POST('/v1/scopes/{user}/export/ticket', asked))
  }

  /** The scope, with names in the path. @internal */
  protected naming<Names extends object>(names: Names) {
    const { path, query } = this.params
    return { path: { ...path, ...names }, query }
  }

  /** The scope, with what else the query asks. @internal */
  protected asking<Asked extends object>(asked: Asked) {
    const { path, query } = this.params
    return { path, query: { ...query, ...asked } }
  }
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

export function callOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
