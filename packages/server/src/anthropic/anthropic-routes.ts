import { Hono } from 'hono'
import { attachmentsIn } from 'keepsake'
import {
  addInstructions,
  asList,
  asText,
  asRecord,
  changeFields,
  messageText,
  plainText,
  readInstructions,
  readRequestJson,
  TOOL_RESULT,
  type ChatMessage,
  type ChatProtocol,
  type ChatRequest,
  splitLastMessage,
  type JsonRecord,
} from '../chats/chat-protocol.ts'
import { ERROR_TYPES, requireUpstream, retryHeaders } from '../chats/forward-upstream.ts'
import {
  answerReader,
  MAX_READ_LENGTH,
  NO_ANSWER,
  type Answer,
  type EventReader,
} from '../chats/read-answer.ts'
import type { ChatProxy } from '../chats/chat-conversation.ts'
import { relayChat } from '../chats/relay-chat.ts'
import type { Problem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'

function readMessagesRequest(json: string): ChatRequest {
  const request = readRequestJson(json, '{"model": "…", "max_tokens": 1024, "messages": […]}')
  const { messages: list, metadata, system: instructions } = request
  const messages = Array.isArray(list)
    ? [...readInstructions(instructions), ...list.map(readChatMessage)]
    : null
  return {
    json,
    user: asText(asRecord(metadata)?.['user_id']),
    ...splitLastMessage(messages),
    continuedId: null,
    // The context comes last, so that blocks which the application marked for caching keep their place.
    addContext: (content) =>
      changeFields(json, ({ system }) => ({
        system: addInstructions(system, content, (text) => ({ type: 'text', text })),
      })),
  }
}

function readChatMessage(message: unknown): ChatMessage {
  const { role, content } = asRecord(message) ?? {}
  const blocks = asList(content).map(asRecord)
  return {
    ...TOOL_RESULT,
    role: role === 'user' || role === 'assistant' ? role : 'other',
    instructionRole: role === 'system' ? role : null,
    callsTools: role === 'assistant' && blocks.some((block) => block?.['type'] === 'tool_use'),
    text: messageText(content),
    attachments: attachmentsIn(content),
    textOnly: role === 'assistant' ? agentWords(content, blocks) : plainText(content),
  }
}

/** Joins consecutive text blocks, which citations split, into one text. */
function agentWords(content: unknown, blocks: readonly (JsonRecord | null)[]): string {
  return typeof content === 'string' ? content : joinBlocks(blocks)
}

/** Joins the text of an answer's blocks. A line break replaces blocks of other types. */
function joinBlocks(blocks: readonly (JsonRecord | null)[]): string {
  const texts: string[] = []
  let isAfterText = false
  for (const block of blocks) {
    const text = block?.['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : null
    if (text !== null && isAfterText) texts.push((texts.pop() ?? '') + text)
    else if (text !== null) texts.push(text)
    isAfterText = text !== null
  }
  return texts.filter((text) => text !== '').join('\n')
}

const messagesAnswerReader = answerReader({ readJson: readMessage, readEvents: readStream })

function readMessage(answer: unknown): Answer {
  const message = asRecord(answer)
  if (message?.['type'] !== 'message') return NO_ANSWER
  const text = joinBlocks(asList(message['content']).map(asRecord))
  return { text, isComplete: isFinished(message['stop_reason'] ?? null), id: null }
}

/** Whether the agent finished its answer. A refusal is no answer, and the request that follows a pause repeats the answer so far. */
function isFinished(reason: unknown): boolean {
  return typeof reason === 'string' && reason !== 'refusal' && reason !== 'pause_turn'
}

function readStream(): EventReader {
  const blocks = new Map<unknown, JsonRecord>()
  let length = 0
  let hasFinished = false
  let hasFailed = false
  const appendText = (index: unknown, delta: JsonRecord): void => {
    const { type, text } = delta
    if (type !== 'text_delta' || typeof text !== 'string' || length > MAX_READ_LENGTH) return
    length += text.length
    const earlierText = blocks.get(index)?.['text']
    blocks.set(index, { type: 'text', text: (typeof earlierText === 'string' ? earlierText : '') + text })
  }
  return {
    onEvent(event) {
      const { type, index, delta, content_block: block } = asRecord(event) ?? {}
      if (type === 'content_block_start') blocks.set(index, asRecord(block) ?? {})
      if (type === 'content_block_delta') appendText(index, asRecord(delta) ?? {})
      if (type === 'message_delta') hasFinished = isFinished(asRecord(delta)?.['stop_reason'] ?? null)
      if (type === 'error') hasFailed = true
      return type === 'message_stop'
    },
    end: () => ({
      text: joinBlocks([...blocks.values()]),
      isComplete: hasFinished && !hasFailed && length <= MAX_READ_LENGTH,
      id: null,
    }),
  }
}

const MESSAGES: ChatProtocol = {
  path: '/messages',
  userField: 'metadata.user_id',
  read: readMessagesRequest,
  answerReader: messagesAnswerReader,
  upstream: (deps) => requireUpstream(deps.anthropic ?? null, '--anthropic-upstream'),
}

/** Anthropic's API at `/v1`: serves `/v1/messages` and passes other requests through. */
export function anthropicRoutes(proxy: ChatProxy): Hono<ServerEnv> {
  return new Hono<ServerEnv>().post('/messages', relayChat(proxy, MESSAGES))
}

const TYPES: Readonly<Record<number, string>> = {
  ...ERROR_TYPES,
  413: 'request_too_large',
  504: 'timeout_error',
}

export function anthropicErrorResponse(problem: Problem, request: string): Response {
  const { status, code, message } = problem
  const headers = { 'request-id': request, ...retryHeaders(problem) }
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return Response.json(
    { type: 'error', error: { type, message, code }, request_id: request },
    { status, headers },
  )
}
