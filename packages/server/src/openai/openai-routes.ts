import { Hono } from 'hono'
import type { ChatProtocol } from '../chats/chat-protocol.ts'
import { requireUpstream } from '../chats/forward-upstream.ts'
import { relayChat, type ChatProxy } from '../chats/relay-chat.ts'
import type { Problem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'
import { chatAnswerReader, readChatRequest } from './read-chat.ts'
import { readResponsesRequest, responsesAnswerReader } from './read-responses.ts'

const shared: Pick<ChatProtocol, 'userField' | 'upstream'> = {
  userField: 'user',
  upstream: ({ upstream }) => requireUpstream(upstream, '--upstream'),
}
const CHAT: ChatProtocol = {
  ...shared,
  path: '/chat/completions',
  read: readChatRequest,
  answerReader: chatAnswerReader,
}
const RESPONSES: ChatProtocol = {
  ...shared,
  path: '/responses',
  read: readResponsesRequest,
  answerReader: responsesAnswerReader,
}

/**
 * OpenAI's API: mounted at `/v1`, it serves `/v1/chat/completions` and `/v1/responses`. A client gets memory
 * by changing its base URL and naming its user; other requests pass to the upstream unchanged
 * (`chats/pass-through.ts`). Problems are thrown: the app's `handleError` answers them in OpenAI's form.
 *
 * @example
 * app.route('/v1', openaiRoutes(proxy))
 */
export function openaiRoutes(proxy: ChatProxy): Hono<ServerEnv> {
  // No middleware here: mounted at `/v1`, it would also run for the REST routes.
  return new Hono<ServerEnv>()
    .post('/chat/completions', relayChat(proxy, CHAT))
    .post('/responses', relayChat(proxy, RESPONSES))
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** A problem in the form of OpenAI's API, also for requests refused before routing. */
export function openaiErrorResponse({ status, code, message, fields, retryAfter }: Problem): Response {
  const headers = new Headers()
  if (retryAfter !== null) headers.set('retry-after', String(retryAfter))
  // OpenAI's clients retry any 5xx and 409 unless this header forbids it.
  else if (status >= 500 || status === 409) headers.set('x-should-retry', 'false')
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  const error = { message, type, param: fields[0]?.field ?? null, code }
  return Response.json({ error }, { status, headers })
}
