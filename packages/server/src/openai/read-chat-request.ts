import { RESULT, readSpeaker, type ChatMessage } from '../chats/chat-message.ts'
import type { ChatRequest } from '../chats/chat-protocol.ts'
import { asList, asRecord } from '../chats/json-value.ts'
import { messageText, messageWords } from '../chats/message-text.ts'
import { insertIntoList } from '../chats/splice-json.ts'
import { readRequestJson } from '../chats/read-request-json.ts'
import { openaiUser } from './openai-user.ts'

/** Reads a request of `/chat/completions`. @throws Problem 400 for what is no JSON object. */
export function readChatRequest(json: string): ChatRequest {
  const request = readRequestJson(json, '{"model": "…", "messages": […]}')
  const list = request['messages']
  const messages = Array.isArray(list) ? list.map(readMessage) : null
  return {
    json,
    user: openaiUser(request),
    messages,
    continues: null,
    begun: '',
    withRecalled: (content) => withMessage(json, messages ?? [], content),
  }
}

/** With a message of ours after what the application tells the model. */
function withMessage(json: string, messages: readonly ChatMessage[], content: string): string {
  const talk = messages.findIndex(({ instructs }) => instructs === null)
  const index = talk === -1 ? messages.length : talk
  const role = messages[index - 1]?.instructs ?? 'system'
  return insertIntoList(json, { field: 'messages', index, item: JSON.stringify({ role, content }) })
}

function readMessage(message: unknown): ChatMessage {
  const { role, content, name, tool_calls: calls, function_call: call } = asRecord(message) ?? {}
  return {
    ...RESULT,
    by: role === 'user' ? 'user' : role === 'assistant' ? 'agent' : 'other',
    instructs: role === 'system' || role === 'developer' ? role : null,
    callsTools: asList(calls).length > 0 || asRecord(call) !== null,
    text: messageText(content),
    words: messageWords(content),
    name: readSpeaker(name),
  }
}
