import { Hono } from 'hono'
import type { ChatProtocol } from '../chats/chat-protocol.ts'
import { ERROR_TYPES, requireUpstream, retryHeaders } from '../chats/forward-upstream.ts'
import type { ChatProxy } from '../chats/chat-conversation.ts'
import { relayChat } from '../chats/relay-chat.ts'
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

/** OpenAI's API at `/v1`: serves chat completions and responses with memory, and passes other requests through. */
export function openaiRoutes(proxy: ChatProxy): Hono<ServerEnv> {
  // No middleware here: mounted at `/v1`, it would also run for the REST routes.
  return new Hono<ServerEnv>()
    .post('/chat/completions', relayChat(proxy, CHAT))
    .post('/responses', relayChat(proxy, RESPONSES))
}

/** A problem in the form of OpenAI's API, also for requests refused before routing. */
export function openaiErrorResponse(problem: Problem): Response {
  const { status, code, message, fields } = problem
  const type = ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  const error = { message, type, param: fields[0]?.field ?? null, code }
  return Response.json({ error }, { status, headers: retryHeaders(problem) })
}
