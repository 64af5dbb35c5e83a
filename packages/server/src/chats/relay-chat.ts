import { withoutThinking } from '@keepsake/text'
import type { ScopeKey } from 'keepsake'
import pTimeout from 'p-timeout'
import { requireAccess, requireAnyMemory } from '../access/access.ts'
import { allows } from '../access/grant.ts'
import type { UpstreamBudget } from '../access/limit-requests.ts'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerRequest } from '../server-context.ts'
import { watchStream } from '../serving/watch-stream.ts'
import { describeError } from '../serving/write-log.ts'
import { ChatOnce } from './chat-once.ts'
import type { ChatSettings } from './chat-options.ts'
import { newMessages, type ChatMessage, type ChatProtocol, type ChatRequest } from './chat-protocol.ts'
import { isClientTask } from './client-task.ts'
import { forwardUpstream, returnedHeaders } from './forward-upstream.ts'
import { readMemoryHeaders, type MemoryWish } from './read-memory-headers.ts'
import { recalledMessage, recallForChat, type ChatContext } from './recall-for-chat.ts'
import { ExchangeRecord, HeldExchange } from './remember-exchange.ts'

/** The values of `X-Keepsake-Memory`. `off`: no user was named, or the request is no conversation of theirs. */
type MemoryState = 'on' | 'read-only' | 'too-long' | 'unavailable' | 'off'

/** A conversation and its user's memory. */
interface Talk {
  readonly scope: ScopeKey
  readonly wish: MemoryWish
  readonly chat: ChatRequest
  readonly messages: readonly ChatMessage[]
  readonly protocol: ChatProtocol
  readonly remembers: boolean
  /** What the user said is longer than a turn may be, so it cannot be remembered. */
  readonly isTooLong: boolean
  readonly asked: number
}

/** The context when recall is disabled. */
const NOTHING_RECALLED: ChatContext = { question: '', text: '', memories: [], answerable: null }

/** Room for ids of recalled memories in a header: many clients accept 8 kB of headers. */
const MOST_OF_HEADER = 4_000

/** The state that the model proxies share. */
export interface ChatProxy {
  readonly deps: ServerDeps
  readonly settings: ChatSettings
  readonly budget: UpstreamBudget
}

/** Handles a protocol's requests: recall, forward, relay, remember. */
export function relayChat(proxy: ChatProxy, protocol: ChatProtocol): (c: ServerRequest) => Promise<Response> {
  return async (c) => {
    const chat = protocol.read(await c.req.text())
    const talk = readTalk(proxy, c, { protocol, chat })
    const asked = { protocol, chat, talk }
    if (talk?.remembers !== true) return answer(await ask(proxy, c, asked))
    const once = await ChatOnce.begin(proxy.deps, c, { ...talk, json: chat.json })
    try {
      const answered = once?.answered ?? (await ask(proxy, c, asked))
      return answer(answered, await watched(proxy, c, { talk, once, answered }))
    } catch (error) {
      await once?.drop()
      throw error
    }
  }
}

/** A parsed request. */
interface ReadChat {
  readonly protocol: ChatProtocol
  readonly chat: ChatRequest
  readonly talk: Talk | null
}

/** Recalls, calls the upstream, and reports in headers what memory did. */
async function ask(
  proxy: ChatProxy,
  c: ServerRequest,
  { protocol, chat, talk }: ReadChat,
): Promise<Response> {
  const upstream = protocol.upstream(proxy.deps)
  await proxy.budget.take(c.get('grant'))
  const context = talk === null ? null : await recall(proxy, c, talk)
  const response = await forwardUpstream(upstream, {
    method: 'POST',
    path: `${protocol.path}${new URL(c.req.url).search}`,
    headers: c.req.raw.headers,
    body: withContext(chat, context),
    grant: c.get('grant').id,
    signal: c.req.raw.signal,
  })
  const headers = returnedHeaders(response.headers)
  setMemoryHeaders(headers, talk, context)
  return answer({ body: response.body, status: response.status, headers })
}

function answer(
  { status, headers, body }: Pick<Response, 'status' | 'headers' | 'body'>,
  instead: Response['body'] = body,
): Response {
  return new Response(instead, { status, headers })
}

/** @throws Problem 403 for a scope that the key may not read; 400 where a user must be named and is not. */
function readTalk(
  proxy: ChatProxy,
  c: ServerRequest,
  { protocol, chat }: { readonly protocol: ChatProtocol; readonly chat: ChatRequest },
): Talk | null {
  const { deps, settings } = proxy
  const { user, messages } = chat
  const wish = readMemoryHeaders(c.req.raw.headers, user, settings.contextTokens)
  const { scope } = wish
  if (scope === null) {
    if (settings.requireUser) throw userRequired(protocol.userField)
    requireAnyMemory(c.get('grant'))
    sayWithoutUser(proxy, protocol.userField)
    return null
  }
  requireAccess(c, 'read', scope)
  // Refuses overlong names before anything is sent.
  deps.keepsake.scope(scope)
  if (messages === null || isClientTask(messages)) return null
  const remembers = wish.remember && allows(c.get('grant'), 'write', scope)
  const { maxTurnLength } = deps.keepsake
  const isTooLong = newMessages(messages).some((index) => (messages[index]?.text.length ?? 0) > maxTurnLength)
  return {
    scope,
    wish,
    chat,
    messages: messages.map(spoken),
    protocol,
    remembers,
    isTooLong,
    asked: deps.now(),
  }
}

/** Leaves out what the model thought aloud, which some clients send back and others do not. */
function spoken(message: ChatMessage): ChatMessage {
  return message.by === 'assistant' ? { ...message, text: withoutThinking(message.text) } : message
}

/** Proxies whose log says already that requests name no user. */
const saidWithoutUser = new WeakSet<ChatProxy>()

/** Writes to the log, once, why a request has no memory. Its answer says so each time: `X-Keepsake-Memory: off`. */
function sayWithoutUser(proxy: ChatProxy, field: string): void {
  if (saidWithoutUser.has(proxy)) return
  saidWithoutUser.add(proxy)
  const hint = `This request has no memory: name its user in the field ${field}, or in the header X-Keepsake-User.`
  proxy.deps.log({ level: 'warn', event: 'no-user', hint })
}

function userRequired(field: string): Problem {
  const detail = `Name whose memory it is: the field ${field}, or the header X-Keepsake-User.`
  const fields = [{ field, problem: 'must be given' }]
  return new Problem(400, 'user-required', detail, { fields })
}

/** Recalls; `null` when memory fails, and the chat goes on without. */
async function recall(
  { deps, settings }: ChatProxy,
  c: ServerRequest,
  talk: Talk,
): Promise<ChatContext | null> {
  const { scope, wish, messages } = talk
  if (wish.tokens === 0) return NOTHING_RECALLED
  const late = new AbortController()
  const recalling = async (): Promise<ChatContext> => {
    // Remembers first what was just said, for clients that do not repeat the conversation.
    await settings.pending.settled(scope)
    return recallForChat(deps.keepsake.scope(scope), messages, {
      tokens: wish.tokens,
      profile: wish.profile,
      countTokens: settings.countTokens,
      signal: late.signal,
    })
  }
  try {
    return await pTimeout(recalling(), { milliseconds: settings.recallTimeoutMs })
  } catch (error) {
    // Aborts a late recall without waiting for it.
    late.abort(error)
    deps.log({ level: 'warn', event: 'recall-failed', request: c.get('requestId'), ...describeError(error) })
    return null
  }
}

/** The request with the recalled context, if any. */
function withContext({ json, messages, withRecalled }: ChatRequest, context: ChatContext | null): string {
  if (messages === null || context === null || context.text === '') return json
  return withRecalled(recalledMessage(context.text, context.question))
}

/** Reports in headers how memory was used: state, number and ids of memories, and whether the answer is known. */
function setMemoryHeaders(headers: Headers, talk: Talk | null, context: ChatContext | null): void {
  headers.set('x-keepsake-memory', memoryState(talk, context))
  if (context === null) return
  headers.set('x-keepsake-memories', String(context.memories.length))
  if (context.answerable !== null) {
    headers.set('x-keepsake-answerable', context.answerable)
    headers.set('x-keepsake-known', String(context.answerable === 'yes'))
  }
  const recalled = inHeader(context.memories)
  if (recalled !== '') headers.set('x-keepsake-recalled', recalled)
}

function memoryState(talk: Talk | null, context: ChatContext | null): MemoryState {
  if (talk === null) return 'off'
  if (context === null) return 'unavailable'
  if (talk.remembers && talk.isTooLong) return 'too-long'
  return talk.remembers ? 'on' : 'read-only'
}

/** An answer on its way to the caller. */
interface Watched {
  readonly talk: Talk
  readonly once: ChatOnce | null
  readonly answered: Response
}

/**
 * Relays the answer while reading it. The caller sees its first piece once the question is remembered, and its end once the answer is. So
 * of a complete answer nothing is lost, whenever the process dies.
 */
async function watched(
  proxy: ChatProxy,
  c: ServerRequest,
  { talk, once, answered: response }: Watched,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  if (!response.ok || response.body === null) {
    await once?.drop()
    return response.body
  }
  const reader = talk.protocol.answerReader(response.headers.get('content-type'))
  const request = c.get('requestId')
  const memory = holdExchange(proxy, talk, { request, once })
  let asked: Promise<void> | null = memory.asked()
  let answered: Promise<void> | null = null
  const finish = (): Promise<void> => {
    if (answered !== null) return answered
    const { text, isWhole } = reader.end()
    const settle = async (): Promise<void> =>
      isWhole ? once?.keep(response.status, response.headers) : once?.drop()
    return (answered = memory.answered(isWhole ? talk.chat.begun + text : null, settle))
  }
  return watchStream(response.body, {
    onBytes: async (bytes) => {
      const isLast = reader.push(bytes)
      once?.push(bytes)
      if (asked !== null) await asked
      asked = null
      if (isLast) await finish()
    },
    onEnd: (end) => {
      if (end === 'cut' && !c.req.raw.signal.aborted)
        proxy.deps.log({ level: 'warn', event: 'upstream-broke-off', request })
      return finish()
    },
    // Without its cause, which names addresses: the HTTP server prints this error.
    onFailure: () => new Error('The sender broke off.'),
  })
}

function holdExchange(
  { deps, settings }: ChatProxy,
  { scope, wish, messages, chat, asked }: Talk,
  { request, once }: { readonly request: string; readonly once: ChatOnce | null },
): HeldExchange {
  return new HeldExchange({
    exchange: new ExchangeRecord(deps.keepsake, {
      scope,
      session: wish.session,
      running: once?.session ?? null,
      messages,
      continues: chat.continues,
      asked,
    }),
    now: deps.now,
    // The answer is sent already: only the log reports that it could not be remembered.
    report: (error) =>
      deps.log({ level: 'error', event: 'remember-failed', request, ...describeError(error) }),
    wait: async (work) => {
      settings.pending.add(scope, work)
      await pTimeout(work, { milliseconds: settings.rememberTimeoutMs, fallback: () => undefined })
    },
  })
}

/** Joins as many ids as fit. A turn not consolidated yet is recalled under its own id, which may hold any character. */
function inHeader(ids: readonly string[]): string {
  let list = ''
  for (const id of ids) {
    const next = `${list === '' ? '' : `${list},`}${encodeURIComponent(id).replaceAll('%3A', ':')}`
    if (next.length > MOST_OF_HEADER) break
    list = next
  }
  return list
}
