import { Hono } from 'hono'
import type { ChatProtocol } from '../chats/chat-protocol.ts'
import { requireUpstream } from '../chats/forward-upstream.ts'
import { relayChat, type ChatDoor } from '../chats/relay-chat.ts'
import type { ServerEnv } from '../server-context.ts'
import { messagesAnswerReader } from './read-messages-answer.ts'
import { readMessagesRequest } from './read-messages-request.ts'

const MESSAGES: ChatProtocol = {
  path: '/messages',
  userField: 'metadata.user_id',
  read: readMessagesRequest,
  answerReader: messagesAnswerReader,
  upstream: (deps) => requireUpstream(deps.anthropic ?? null, '--anthropic-upstream'),
}

/**
 * The door for Anthropic's clients: mounted at `/v1`, it serves `/v1/messages`. What else they ask for (tokens to be counted, batches,
 * models) is passed through with everything else under `/v1`.
 *
 * @example
 * app.route('/v1', anthropicRoutes(door))
 */
export function anthropicRoutes(door: ChatDoor): Hono<ServerEnv> {
  return new Hono<ServerEnv>().post('/messages', relayChat(door, MESSAGES))
}
