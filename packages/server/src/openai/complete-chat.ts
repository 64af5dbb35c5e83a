import type { ScopeKey } from 'keepsake'
import pTimeout from 'p-timeout'
import { allows, type Grant } from '../access/access.ts'
import { requireAccess } from '../access/require-access.ts'
import type { UpstreamBudget } from '../access/upstream-budget.ts'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerRequest } from '../server-context.ts'
import { watchStream } from '../serving/watch-stream.ts'
import { describeError } from '../serving/write-log.ts'
import { answerReader } from './assemble-answer.ts'
import { forwardUpstream, requireUpstream, returnedHeaders } from './forward-upstream.ts'
import { HeldExchange } from './hold-exchange.ts'
import { insertMessage } from './insert-message.ts'
import type { OpenaiSettings } from './openai-options.ts'
import { readChatRequest, type ChatMessage, type ChatRequest } from './read-chat-request.ts'
import { readMemoryHeaders, type MemoryWish } from './read-memory-headers.ts'
import { recallForChat, type ChatContext } from './recall-for-chat.ts'
import { recalledMessage } from './recalled-message.ts'
import { ExchangeRecord } from './remember-exchange.ts'

/** What `X-Keepsake-Memory` says. `off`: no user was named, or the request holds no talk. */
type MemoryState = 'on' | 'read-only' | 'unavailable' | 'off'

/** A talk with a person whose memory it is. */
interface Talk {
  readonly scope: ScopeKey
  readonly wish: MemoryWish
  readonly messages: readonly ChatMessage[]
  readonly remembers: boolean
  readonly asked: number
}

/** What ids of recalled memories may take in a header: many clients take no more than 8 kB of headers. */
const MOST_OF_HEADER = 4_000

/** What the handler works with. */
interface ChatDoor {
  readonly deps: ServerDeps
  readonly settings: OpenaiSettings
  readonly budget: UpstreamBudget
}

/** The handler of `/chat/completions`: recall, pass on, relay, remember. */
export function chatHandler(door: ChatDoor): (c: ServerRequest) => Promise<Response> {
  return async (c) => {
    const chat = readChatRequest(await c.req.text())
    const talk = readTalk(door, c, chat)
    const upstream = requireUpstream(door.deps)
    await door.budget.take(c.get('grant'))
    const context = talk === null ? null : await recall(door, c, talk)
    const response = await forwardUpstream(upstream, {
      method: 'POST',
      path: `/chat/completions${new URL(c.req.url).search}`,
      headers: c.req.raw.headers,
      body: withContext(chat, context),
      signal: c.req.raw.signal,
    })
    const headers = returnedHeaders(response.headers)
    headers.set('x-keepsake-memory', memoryState(talk, context))
    const recalled = inHeader(context?.memories ?? [])
    if (recalled !== '') headers.set('x-keepsake-recalled', recalled)
    const body = talk === null ? response.body : watched(door, c, talk, response)
    return new Response(body, { status: response.status, headers })
  }
}

/** @throws Problem 403 for a scope that the key does not open for reading; 400 where a user must be named and is not. */
function readTalk(
  { deps, settings }: ChatDoor,
  c: ServerRequest,
  { user, messages }: ChatRequest,
): Talk | null {
  const wish = readMemoryHeaders(c.req.raw.headers, user, settings.contextTokens)
  const { scope } = wish
  if (scope === null) {
    if (settings.requireUser) throw userRequired()
    requireAnyMemory(c.get('grant'))
    return null
  }
  requireAccess(c, 'read', scope)
  // Tells of names that are too long before anything is sent.
  deps.keepsake.scope(scope)
  if (messages === null) return null
  const remembers = wish.remember && allows(c.get('grant'), 'write', scope)
  return { scope, wish, messages, remembers, asked: deps.now() }
}

/** A key that may only erase, or only look after the server, has no business with a model. @throws Problem 403 `forbidden` */
export function requireAnyMemory({ actions }: Grant): void {
  if (actions.includes('read') || actions.includes('write')) return
  throw new Problem(403, 'forbidden', 'This key opens no memory to read or write, and so sends no chats on.')
}

function userRequired(): Problem {
  const detail = 'Name whose memory it is: the field user, or the header X-Keepsake-User.'
  const fields = [{ field: 'user', problem: 'must be given' }]
  return new Problem(400, 'user-required', detail, { fields })
}

/** What is recalled, or `null` when memory fails: the chat goes on without. */
async function recall(
  { deps, settings }: ChatDoor,
  c: ServerRequest,
  talk: Talk,
): Promise<ChatContext | null> {
  const { scope, wish, messages } = talk
  if (wish.tokens === 0) return { question: '', text: '', memories: [] }
  const late = new AbortController()
  const recalling = async (): Promise<ChatContext> => {
    // What was just said must be known, also to a client that asks on at once without sending the talk so far.
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
    // A recall that is late is told to stop, and not waited for.
    late.abort(error)
    deps.log({ level: 'warn', event: 'recall-failed', request: c.get('requestId'), ...describeError(error) })
    return null
  }
}

/** The request as it came, with our message after what the application tells the model, where something was recalled. */
function withContext({ json, messages }: ChatRequest, context: ChatContext | null): string {
  if (messages === null || context === null || context.text === '') return json
  const talk = messages.findIndex(({ instructs }) => instructs === null)
  const index = talk === -1 ? messages.length : talk
  const role = messages[index - 1]?.instructs ?? 'system'
  const content = recalledMessage(context.text, context.question)
  return insertMessage(json, index, JSON.stringify({ role, content }))
}

function memoryState(talk: Talk | null, context: ChatContext | null): MemoryState {
  if (talk === null) return 'off'
  if (context === null) return 'unavailable'
  return talk.remembers ? 'on' : 'read-only'
}

/**
 * The answer as it comes, read on the side. The caller sees its first piece when the question is remembered, and its end when the
 * answer is: of a chat whose end they saw nothing is lost, whenever the process dies, and what they ask next finds it.
 */
function watched(
  door: ChatDoor,
  c: ServerRequest,
  talk: Talk,
  response: Response,
): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  if (!response.ok || response.body === null || !talk.remembers) return response.body
  const reader = answerReader(response.headers.get('content-type'))
  const request = c.get('requestId')
  const memory = holdExchange(door, talk, request)
  let asked: Promise<void> | null = memory.asked()
  let answered: Promise<void> | null = null
  const finish = (): Promise<void> => {
    if (answered !== null) return answered
    const { text, isWhole } = reader.end()
    return (answered = memory.answered(isWhole ? text : null))
  }
  return watchStream(response.body, {
    onBytes: async (bytes) => {
      const isLast = reader.push(bytes)
      if (asked !== null) await asked
      asked = null
      if (isLast) await finish()
    },
    onEnd: (end) => {
      if (end === 'cut' && !c.req.raw.signal.aborted)
        door.deps.log({ level: 'warn', event: 'upstream-broke-off', request })
      return finish()
    },
    // Told without its cause: the server under us prints what it is told, and causes name addresses.
    onFailure: () => new Error('The sender broke off.'),
  })
}

function holdExchange(
  { deps, settings }: ChatDoor,
  { scope, wish, messages, asked }: Talk,
  request: string,
): HeldExchange {
  return new HeldExchange({
    exchange: new ExchangeRecord(deps.keepsake, { scope, session: wish.session, messages, asked }),
    now: deps.now,
    // The answer is on its way or there already: that it could not be remembered is told in the log alone.
    report: (error) =>
      deps.log({ level: 'error', event: 'remember-failed', request, ...describeError(error) }),
    wait: async (work) => {
      settings.pending.add(scope, work)
      await pTimeout(work, { milliseconds: settings.rememberTimeoutMs, fallback: () => undefined })
    },
  })
}

/** As many ids as have room. A turn that waits for consolidation is recalled under its own id, which may hold any character. */
function inHeader(ids: readonly string[]): string {
  let list = ''
  for (const id of ids) {
    const next = `${list === '' ? '' : `${list},`}${encodeURIComponent(id).replaceAll('%3A', ':')}`
    if (next.length > MOST_OF_HEADER) break
    list = next
  }
  return list
}
