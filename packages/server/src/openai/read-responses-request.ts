import { RESULT, readSpeaker, type ChatMessage } from '../chats/chat-message.ts'
import type { ChatRequest } from '../chats/chat-protocol.ts'
import { asName, asRecord, type JsonRecord } from '../chats/json-value.ts'
import { messageText, messageWords } from '../chats/message-text.ts'
import { readRequestJson } from '../chats/read-request-json.ts'
import { insertIntoList, setField } from '../chats/splice-json.ts'
import { openaiUser } from './openai-user.ts'

/** Reads a request of `/responses`. @throws Problem 400 for what is no JSON object. */
export function readResponsesRequest(json: string): ChatRequest {
  const request = readRequestJson(json, '{"model": "…", "input": "…"}')
  const { input, instructions } = request
  return {
    json,
    user: openaiUser(request),
    messages: readInput(input),
    continues: asName(request['previous_response_id']) ?? conversationOf(request),
    begun: '',
    withRecalled: (content) => withInstructions(json, instructions, content),
  }
}

/**
 * With words of ours after the application's instructions. Not in `input`, which the upstream keeps and hands to the model again with
 * each answer that goes on from this one: instructions count for one request.
 */
function withInstructions(json: string, instructions: unknown, content: string): string {
  if (Array.isArray(instructions)) {
    const item = JSON.stringify({ role: 'system', content })
    return insertIntoList(json, { field: 'instructions', index: instructions.length, item })
  }
  const own = asName(instructions)
  return setField(json, 'instructions', JSON.stringify(own === null ? content : `${own}\n\n${content}`))
}

function conversationOf({ conversation }: JsonRecord): string | null {
  return asName(conversation) ?? asName(asRecord(conversation)?.['id'])
}

function readInput(input: unknown): readonly ChatMessage[] | null {
  if (typeof input === 'string') return [said('user', input)]
  if (!Array.isArray(input)) return null
  const items = input.map((item) => ({ message: readItem(item), isResult: isResult(item) }))
  return items.map(({ message }, index) => {
    if (message.by !== 'agent') return message
    const next = items.slice(index).find((item) => item.message.by !== 'agent')
    return { ...message, callsTools: next?.isResult === true }
  })
}

/** What an application did for the model, which then goes on with its answer. */
function isResult(item: unknown): boolean {
  const type = asName(asRecord(item)?.['type']) ?? ''
  return type.endsWith('_output') || type === 'mcp_approval_response'
}

/**
 * A message is the user's or the agent's. What else there is in a talk is the agent's work (reasoning, calls, what it refers to by
 * id), which says nothing, and results.
 */
function readItem(item: unknown): ChatMessage {
  const { type = 'message', role, content, name } = asRecord(item) ?? {}
  if (isResult(item)) return RESULT
  if (type !== 'message') return { ...RESULT, by: 'agent' }
  if (role === 'user') return { ...said('user', content), name: readSpeaker(name) }
  if (role === 'assistant') return said('agent', content)
  return { ...said('other', content), instructs: role === 'system' || role === 'developer' ? role : null }
}

function said(by: ChatMessage['by'], content: unknown): ChatMessage {
  return { ...RESULT, by, text: messageText(content), words: messageWords(content) }
}
