// Relays chats between a client and the upstream model, with memory.
import pTimeout from 'p-timeout'
import type { ServerRequest } from '../server-context.ts'
import { readAhead, watchStream } from '../serving/watch-stream.ts'
import { describeError } from '../serving/write-log.ts'
import { readConversation, type ChatConversation, type ChatProxy } from './chat-conversation.ts'
import { ChatOnce } from './chat-once.ts'
import type { ChatProtocol, ChatRequest } from './chat-protocol.ts'
import { forwardUpstream, returnedHeaders } from './forward-upstream.ts'
import { isEventStream } from './read-answer.ts'
import { contextMessage, recallForChat, type ChatContext } from './recall-for-chat.ts'
import { ExchangeRecord, ExchangeRecorder } from './remember-exchange.ts'
import { setMemoryHeaders } from './write-memory-headers.ts'

/** The result of a disabled recall. */
const EMPTY_CONTEXT: ChatContext = { question: '', text: '', memories: [], answerable: null }

/** Handles requests of a protocol: recalls, forwards the request, relays the answer, remembers. */
export function relayChat(proxy: ChatProxy, protocol: ChatProtocol): (c: ServerRequest) => Promise<Response> {
  return async (c) => {
    const chat = protocol.read(await c.req.text())
    const conversation = readConversation(proxy, c, { protocol, chat })
    const request = { protocol, chat, conversation }
    if (conversation?.isRemembered !== true) return copyResponse(await askUpstream(proxy, c, request))
    // `null`: the request has no idempotency key.
    const once = await ChatOnce.begin(proxy.deps, c, { ...conversation, json: chat.json })
    try {
      // A repeated request gets the first answer again, and remembers it if a crash prevented that.
      const response = once?.storedAnswer ?? (await askUpstream(proxy, c, request))
      const body = await relayAnswer(proxy, c, { conversation, once, response })
      return copyResponse(response, body)
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
  /** `null`: memory takes no part. */
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
  const questionStep = memory.rememberQuestion()
  const rememberAnswer = (): Promise<void> => {
    const { text, isComplete } = reader.end()
    const storeForRepeats = async (): Promise<void> =>
      isComplete ? once?.storeAnswer(response.status, response.headers) : once?.discard()
    return memory.rememberAnswer(isComplete ? text : null, storeForRepeats)
  }
  let answerStep: Promise<void> | undefined
  // The answer's last event and the end of the body both call this. Only the first call remembers.
  const finish = (): Promise<void> => (answerStep ??= rememberAnswer())
  const body = watchStream(response.body, {
    onBytes: async (bytes) => {
      const isLast = reader.push(bytes)
      once?.addBytes(bytes)
      await questionStep
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
  // A failure is known only after the whole body. It corrects the state that the headers promised.
  const hasFailed = ahead.isWhole && memory.failure !== null
  if (hasFailed && response.headers.get('x-keepsake-memory') === 'on') {
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
