import { readOwnWords, textWithAttachments, withoutThinking } from '@keepsake/text'
import type { ScopeKey } from 'keepsake'
import pTimeout from 'p-timeout'
import { requireAccess, requireAnyMemory } from '../access/access.ts'
import { allows } from '../access/grant.ts'
import type { UpstreamBudget } from '../access/limit-requests.ts'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerRequest } from '../server-context.ts'
import { readAhead, watchStream } from '../serving/watch-stream.ts'
import { describeError } from '../serving/write-log.ts'
import { ChatOnce } from './chat-once.ts'
import type { ChatSettings } from './chat-options.ts'
import {
  asksNextSpeaker,
  newMessages,
  type ChatMessage,
  type ChatProtocol,
  type ChatRequest,
} from './chat-protocol.ts'
import { isClientTask } from './client-task.ts'
import { forwardUpstream, returnedHeaders } from './forward-upstream.ts'
import { isEventStream } from './read-answer.ts'
import { readMemoryHeaders, type MemoryRequest } from './read-memory-headers.ts'
import { contextMessage, recallForChat, type ChatContext } from './recall-for-chat.ts'
import { ExchangeRecord, ExchangeRecorder } from './remember-exchange.ts'

/**
 * Values of `X-Keepsake-Memory`. `too-long`: the message or the answer cannot be stored. `not-stored`: the upstream or the store failed, or
 * the request has no words to store. `off`: no user was named, or the request is no conversation.
 */
type MemoryState = 'on' | 'read-only' | 'too-long' | 'not-stored' | 'unavailable' | 'off'

interface ChatConversation {
  readonly scope: ScopeKey
  readonly options: MemoryRequest
  readonly chat: ChatRequest
  readonly messages: readonly ChatMessage[]
  readonly protocol: ChatProtocol
  readonly isRemembered: boolean
  /** Whether a user message is longer than a turn may be, so that it cannot be remembered. */
  readonly isTooLong: boolean
  /** Whether the request has words of the user, or asks for an answer, that may be stored. */
  readonly isStorable: boolean
  readonly askedAt: number
}

/** The result of a disabled recall. */
const EMPTY_CONTEXT: ChatContext = { question: '', text: '', memories: [], answerable: null }

/** Maximum length of the header with ids of memories: many clients accept 8 kB of headers. */
const MAX_HEADER_LENGTH = 4_000

/** State that all model proxies share. */
export interface ChatProxy {
  readonly deps: ServerDeps
  readonly settings: ChatSettings
  readonly budget: UpstreamBudget
}

/** Handles requests of a protocol: recalls, forwards the request, relays the answer, remembers. */
export function relayChat(proxy: ChatProxy, protocol: ChatProtocol): (c: ServerRequest) => Promise<Response> {
  return async (c) => {
    const chat = protocol.read(await c.req.text())
    const conversation = readConversation(proxy, c, { protocol, chat })
    const request = { protocol, chat, conversation }
    if (conversation?.isRemembered !== true) return copyResponse(await askUpstream(proxy, c, request))
    const once = await ChatOnce.begin(proxy.deps, c, { ...conversation, json: chat.json })
    try {
      const response = once?.storedAnswer ?? (await askUpstream(proxy, c, request))
      return copyResponse(response, await relayAnswer(proxy, c, { conversation, once, response }))
    } catch (error) {
      c.set('replyHeaders', { ...c.var.replyHeaders, 'X-Keepsake-Memory': 'not-stored' })
      await once?.discard()
      throw error
    }
  }
}

interface ParsedChat {
  readonly protocol: ChatProtocol
  readonly chat: ChatRequest
  readonly conversation: ChatConversation | null
}

/** Recalls, calls the upstream, and reports in headers what memory did. */
async function askUpstream(
  proxy: ChatProxy,
  c: ServerRequest,
  { protocol, chat, conversation }: ParsedChat,
): Promise<Response> {
  const upstream = protocol.upstream(proxy.deps)
  await proxy.budget.take(c.get('grant'))
  const context = conversation === null ? null : await recall(proxy, c, conversation)
  const response = await forwardUpstream(upstream, {
    method: 'POST',
    path: `${protocol.path}${new URL(c.req.url).search}`,
    headers: c.req.raw.headers,
    body: withContext(chat, context),
    grant: c.get('grant').id,
    signal: c.req.raw.signal,
  })
  const headers = returnedHeaders(response.headers)
  setMemoryHeaders(headers, conversation, { context, isAnswered: response.ok })
  return copyResponse({ body: response.body, status: response.status, headers })
}

function copyResponse(
  { status, headers, body }: Pick<Response, 'status' | 'headers' | 'body'>,
  newBody: Response['body'] = body,
): Response {
  return new Response(newBody, { status, headers })
}

/** Reads the conversation; `null` without a user. @throws Problem 403 for a scope that the key may not read; 400 for a missing user. */
function readConversation(
  proxy: ChatProxy,
  c: ServerRequest,
  { protocol, chat }: { readonly protocol: ChatProtocol; readonly chat: ChatRequest },
): ChatConversation | null {
  const { deps, settings } = proxy
  const { user, messages } = chat
  const options = readMemoryHeaders(c.req.raw.headers, c.get('grant'), {
    user,
    tokens: settings.contextTokens,
  })
  const { scope } = options
  if (scope === null) {
    if (settings.requireUser) throw userRequired(protocol.userField)
    requireAnyMemory(c.get('grant'))
    logNoUser(proxy, protocol.userField)
    return null
  }
  requireAccess(c, 'read', scope)
  // Refuses overlong names before anything is sent.
  deps.keepsake.scope(scope)
  if (messages === null || isClientTask(messages)) return null
  const spoken = messages.map(withOwnWords)
  const isRemembered = options.remember && allows(c.get('grant'), 'write', scope)
  const { maxTurnLength } = deps.keepsake
  const newIndexes = newMessages(spoken)
  const isTooLong = newIndexes.some((index) => (spoken[index]?.text.length ?? 0) > maxTurnLength)
  const isNextSpeaker = asksNextSpeaker(spoken) || (chat.answerPrefix !== null && spoken.length > 0)
  return {
    scope,
    options,
    chat,
    messages: spoken,
    protocol,
    isRemembered,
    isTooLong,
    isStorable: newIndexes.length > 0 || chat.continuedId !== null || isNextSpeaker,
    askedAt: deps.now(),
  }
}

/** Removes what only some clients write into messages: the model's visible reasoning, and words that are not the user's. */
function withOwnWords(message: ChatMessage): ChatMessage {
  const { role, attachments } = message
  if (role === 'assistant') return { ...message, text: withoutThinking(message.text) }
  if (role !== 'user') return message
  const textOnly = readOwnWords(message.textOnly)
  return { ...message, textOnly, text: textWithAttachments(textOnly, attachments) }
}

/** Proxies that have logged that requests name no user. */
const hasLoggedNoUser = new WeakSet<ChatProxy>()

/** Logs once why requests have no memory. The header `X-Keepsake-Memory: off` reports it for each request. */
function logNoUser(proxy: ChatProxy, field: string): void {
  if (hasLoggedNoUser.has(proxy)) return
  hasLoggedNoUser.add(proxy)
  const hint = `This request has no memory: name its user in the field ${field}, or in the header X-Keepsake-User.`
  proxy.deps.log({ level: 'warn', event: 'no-user', hint })
}

function userRequired(field: string): Problem {
  const detail = `Name the user in the field ${field}, or in the header X-Keepsake-User.`
  const fields = [{ field, problem: 'must be given' }]
  return new Problem(400, 'user-required', detail, { fields })
}

/** Recalls the context; `null` when memory fails, and the chat continues without it. */
async function recall(
  { deps, settings }: ChatProxy,
  c: ServerRequest,
  conversation: ChatConversation,
): Promise<ChatContext | null> {
  const { scope, options, messages } = conversation
  if (options.tokens === 0) return EMPTY_CONTEXT
  const timeout = new AbortController()
  const recallContext = async (): Promise<ChatContext> => {
    // Waits until earlier messages are remembered, for clients that do not repeat the conversation.
    await settings.pending.settled(scope)
    return recallForChat(deps.keepsake.scope(scope), messages, {
      tokens: options.tokens,
      profile: options.profile,
      countTokens: settings.countTokens,
      signal: timeout.signal,
    })
  }
  try {
    return await pTimeout(recallContext(), { milliseconds: settings.recallTimeoutMs })
  } catch (error) {
    // Aborts a late recall without waiting for it.
    timeout.abort(error)
    deps.log({ level: 'warn', event: 'recall-failed', request: c.get('requestId'), ...describeError(error) })
    return null
  }
}

/** Returns the request's JSON with the recalled context, if any. */
function withContext({ json, messages, addContext }: ChatRequest, context: ChatContext | null): string {
  if (messages === null || context === null || context.text === '') return json
  return addContext(contextMessage(context.text, context.question))
}

/** Sets the headers about memory: state, number and ids of memories, and whether the answer is known. */
function setMemoryHeaders(
  headers: Headers,
  conversation: ChatConversation | null,
  { context, isAnswered }: { readonly context: ChatContext | null; readonly isAnswered: boolean },
): void {
  const state = memoryState(conversation, context)
  headers.set('x-keepsake-memory', isAnswered || conversation?.isRemembered !== true ? state : 'not-stored')
  if (context === null) return
  headers.set('x-keepsake-memories', String(context.memories.length))
  if (context.answerable !== null) {
    headers.set('x-keepsake-answerable', context.answerable)
    headers.set('x-keepsake-known', String(context.answerable === 'yes'))
  }
  const recalled = joinIds(context.memories)
  if (recalled !== '') headers.set('x-keepsake-recalled', recalled)
}

function memoryState(conversation: ChatConversation | null, context: ChatContext | null): MemoryState {
  if (conversation === null) return 'off'
  if (context === null) return 'unavailable'
  if (conversation.isRemembered && conversation.isTooLong) return 'too-long'
  if (!conversation.isRemembered) return 'read-only'
  return conversation.isStorable ? 'on' : 'not-stored'
}

/** Maximum time for which the headers of an answer that is no stream wait for its body, so that they report what was stored. */
const HEADERS_WAIT_MS = 2_000

interface RelayedAnswer {
  readonly conversation: ChatConversation
  /** `null`: the request has no idempotency key. */
  readonly once: ChatOnce | null
  readonly response: Response
}

/** Relays the answer. Its beginning waits until the question is remembered, and its end until the answer is, so that no crash loses either. */
async function relayAnswer(
  proxy: ChatProxy,
  c: ServerRequest,
  { conversation, once, response }: RelayedAnswer,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  if (!response.ok || response.body === null) {
    await once?.discard()
    return response.body
  }
  const contentType = response.headers.get('content-type')
  const reader = conversation.protocol.answerReader(contentType)
  const request = c.get('requestId')
  const memory = startRecorder(proxy, conversation, { request, once })
  let rememberingQuestion: Promise<void> | null = memory.rememberQuestion()
  let rememberingAnswer: Promise<void> | null = null
  const finish = (): Promise<void> => {
    if (rememberingAnswer !== null) return rememberingAnswer
    const { text, isComplete } = reader.end()
    const settle = async (): Promise<void> =>
      isComplete ? once?.storeAnswer(response.status, response.headers) : once?.discard()
    return (rememberingAnswer = memory.rememberAnswer(isComplete ? text : null, settle))
  }
  const body = watchStream(response.body, {
    onBytes: async (bytes) => {
      const isLast = reader.push(bytes)
      once?.addBytes(bytes)
      if (rememberingQuestion !== null) await rememberingQuestion
      rememberingQuestion = null
      if (isLast) await finish()
    },
    onEnd: (end) => {
      if (end === 'cut' && !c.req.raw.signal.aborted)
        proxy.deps.log({ level: 'warn', event: 'upstream-broke-off', request })
      return finish()
    },
    // Omits the cause, which contains addresses, because the HTTP server prints this error.
    onFailure: () => new Error('The sender broke off.'),
  })
  if (isEventStream(contentType)) return body
  const ahead = await readAhead(body, HEADERS_WAIT_MS)
  if (ahead.isWhole && memory.failure !== null && response.headers.get('x-keepsake-memory') === 'on') {
    const isTooLong = reader.end().text.length > proxy.deps.keepsake.maxTurnLength
    response.headers.set('x-keepsake-memory', isTooLong ? 'too-long' : 'not-stored')
  }
  return ahead.body
}

function startRecorder(
  { deps, settings }: ChatProxy,
  { scope, options, messages, chat, askedAt }: ChatConversation,
  { request, once }: { readonly request: string; readonly once: ChatOnce | null },
): ExchangeRecorder {
  return new ExchangeRecorder({
    exchange: new ExchangeRecord(deps.keepsake, {
      scope,
      session: options.session,
      currentSession: once?.session ?? null,
      messages,
      answerPrefix: chat.answerPrefix,
      continuedId: chat.continuedId,
      askedAt,
    }),
    now: deps.now,
    // The answer has been sent, so only the log can report the failure.
    report: (error) =>
      deps.log({ level: 'error', event: 'remember-failed', request, ...describeError(error) }),
    wait: async (work) => {
      settings.pending.add(scope, work)
      await pTimeout(work, { milliseconds: settings.rememberTimeoutMs, fallback: () => undefined })
    },
  })
}

/** Joins as many ids as fit into a header. Ids of turns may contain any character, so they are encoded. */
function joinIds(ids: readonly string[]): string {
  let list = ''
  for (const id of ids) {
    const next = `${list === '' ? '' : `${list},`}${encodeURIComponent(id).replaceAll('%3A', ':')}`
    if (next.length > MAX_HEADER_LENGTH) break
    list = next
  }
  return list
}
