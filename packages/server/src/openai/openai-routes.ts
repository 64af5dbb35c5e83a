import { Hono } from 'hono'
import type { ChatProtocol } from '../chats/chat-protocol.ts'
import { requireUpstream } from '../chats/forward-upstream.ts'
import { relayChat, type ChatDoor } from '../chats/relay-chat.ts'
import type { ServerEnv } from '../server-context.ts'
import { chatAnswerReader } from './read-chat-answer.ts'
import { readChatRequest } from './read-chat-request.ts'
import { responsesAnswerReader } from './read-responses-answer.ts'
import { readResponsesRequest } from './read-responses-request.ts'

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
 * The door for OpenAI's clients: mounted at `/v1`, it serves `/v1/chat/completions` and `/v1/responses`. A client gets memory by
 * changing its base URL and naming its user; everything else goes to the upstream and comes back unchanged
 * (`chats/pass-through.ts`). Problems are thrown: the app's `handleError` says them in OpenAI's form.
 *
 * @example
 * app.route('/v1', openaiRoutes(door))
 */
export function openaiRoutes(door: ChatDoor): Hono<ServerEnv> {
  // No middleware here: mounted at `/v1`, it would run for the REST routes as well.
  return new Hono<ServerEnv>()
    .post('/chat/completions', relayChat(door, CHAT))
    .post('/responses', relayChat(door, RESPONSES))
}
