import { RESULT, type ChatMessage } from '../chats/chat-message.ts'
import type { ChatRequest } from '../chats/chat-protocol.ts'
import { asList, asName, asRecord, type JsonRecord } from '../chats/json-value.ts'
import { messageText, messageWords } from '../chats/message-text.ts'
import { readRequestJson } from '../chats/read-request-json.ts'
import { insertIntoList, setField } from '../chats/splice-json.ts'

/** Reads a request of `/messages`. @throws Problem 400 for what is no JSON object. */
export function readMessagesRequest(json: string): ChatRequest {
  const request = readRequestJson(json, '{"model": "…", "max_tokens": 1024, "messages": […]}')
  const { messages: list, system, metadata } = request
  const messages = Array.isArray(list) ? list.map(readMessage) : null
  const begun = messages?.at(-1)
  const isBegun = begun?.by === 'agent' && !begun.callsTools
  return {
    json,
    user: asName(asRecord(metadata)?.['user_id']),
    messages: isBegun ? (messages?.slice(0, -1) ?? null) : messages,
    continues: null,
    // A talk that ends with the agent's words has the model go on with them: the answer is both.
    begun: isBegun ? begun.words : '',
    withRecalled: (content) => withSystem(json, system, content),
  }
}

/** With words of ours after the application's own; what it has marked to be cached stays as it is and where it is. */
function withSystem(json: string, system: unknown, content: string): string {
  if (Array.isArray(system)) {
    const item = JSON.stringify({ type: 'text', text: content })
    return insertIntoList(json, { field: 'system', index: system.length, item })
  }
  const own = asName(system)
  return setField(json, 'system', JSON.stringify(own === null ? content : `${own}\n\n${content}`))
}

function readMessage(message: unknown): ChatMessage {
  const { role, content } = asRecord(message) ?? {}
  const blocks = asList(content).map(asRecord)
  return {
    ...RESULT,
    by: role === 'user' ? 'user' : role === 'assistant' ? 'agent' : 'other',
    instructs: role === 'system' ? role : null,
    callsTools: role === 'assistant' && blocks.some((block) => block?.['type'] === 'tool_use'),
    text: messageText(content),
    words: role === 'assistant' ? agentWords(content, blocks) : messageWords(content),
  }
}

/** As they are said: what stands in several blocks on end is one text, cut where it cites something. */
function agentWords(content: unknown, blocks: readonly (JsonRecord | null)[]): string {
  return typeof content === 'string' ? content : joinBlocks(blocks)
}

/** The text of an answer's blocks: those on end are one text, cut where it cites something; a line parts what stands around other blocks. */
export function joinBlocks(blocks: readonly (JsonRecord | null)[]): string {
  const texts: string[] = []
  let isOnEnd = false
  for (const block of blocks) {
    const text = block?.['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : null
    if (text !== null && isOnEnd) texts.push((texts.pop() ?? '') + text)
    else if (text !== null) texts.push(text)
    isOnEnd = text !== null
  }
  return texts.filter((text) => text !== '').join('\n')
}
