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
  readSpeaker,
  TOOL_RESULT,
  type ChatMessage,
  type ChatRequest,
  type JsonRecord,
} from '../chats/chat-protocol.ts'
import {
  answerReader,
  MAX_READ_LENGTH,
  NO_ANSWER,
  type Answer,
  type EventReader,
} from '../chats/read-answer.ts'
import { openaiUser } from './read-chat.ts'

/** Reads a request of `/responses`. @throws Problem 400 for what is no JSON object. */
export function readResponsesRequest(json: string): ChatRequest {
  const request = readRequestJson(json, '{"model": "…", "input": "…"}')
  const { input, instructions } = request
  const messages = readInput(input)
  return {
    json,
    user: openaiUser(request),
    messages: messages === null ? null : [...readInstructions(instructions), ...messages],
    continuedId: asText(request['previous_response_id']) ?? conversationOf(request),
    answerPrefix: null,
    // Adds the context to the instructions, which apply to one request. The upstream would store and repeat the `input`.
    addContext: (content) =>
      changeFields(json, ({ instructions }) => ({
        instructions: addInstructions(instructions, content, (text) => ({ role: 'system', content: text })),
      })),
  }
}

function conversationOf({ conversation }: JsonRecord): string | null {
  return asText(conversation) ?? asText(asRecord(conversation)?.['id'])
}

/** Reads the messages. An assistant's message calls tools if a tool result is the next message of another role. */
function readInput(input: unknown): readonly ChatMessage[] | null {
  if (typeof input === 'string') return [toMessage('user', input)]
  if (!Array.isArray(input)) return null
  const items = input.map((item) => ({ message: readItem(item), isResult: isResult(item) }))
  return items.map(({ message }, index) => {
    if (message.role !== 'assistant') return message
    const next = items.slice(index).find((item) => item.message.role !== 'assistant')
    return { ...message, callsTools: next?.isResult === true }
  })
}

/** Whether an item is a tool result, after which the model continues its answer. */
function isResult(item: unknown): boolean {
  const type = asText(asRecord(item)?.['type']) ?? ''
  return type.endsWith('_output') || type === 'mcp_approval_response'
}

/** Reads an item of the conversation. Items that are neither messages nor tool results are work of the agent without words. */
function readItem(item: unknown): ChatMessage {
  const { type = 'message', role, content, name } = asRecord(item) ?? {}
  if (isResult(item)) return TOOL_RESULT
  if (type !== 'message') return { ...TOOL_RESULT, role: 'assistant' }
  if (role === 'user') return { ...toMessage('user', content), name: readSpeaker(name) }
  if (role === 'assistant') return toMessage('assistant', content)
  return {
    ...toMessage('other', content),
    instructionRole: role === 'system' || role === 'developer' ? role : null,
  }
}

function toMessage(role: ChatMessage['role'], content: unknown): ChatMessage {
  return {
    ...TOOL_RESULT,
    role,
    text: messageText(content),
    attachments: attachmentsIn(content),
    textOnly: plainText(content),
  }
}

/** Reads an answer of `/responses`, whole or streamed. */
export const responsesAnswerReader = answerReader({ readJson: readResponse, readEvents: readStream })

function readResponse(answer: unknown): Answer {
  const response = asRecord(answer)
  if (response === null) return NO_ANSWER
  const texts = asList(response['output']).flatMap((item) => {
    const { type, content } = asRecord(item) ?? {}
    return type === 'message' ? [plainText(content)] : []
  })
  const text = texts.filter((part) => part !== '').join('\n')
  return {
    text,
    isComplete: isFinished(response) && text.length <= MAX_READ_LENGTH,
    id: asText(response['id']),
  }
}

/** Whether the agent finished its answer, or reached its length limit. An answer that a filter cut off is not complete. */
function isFinished({ status = 'completed', incomplete_details: details }: JsonRecord): boolean {
  const reachedLimit = asRecord(details)?.['reason'] === 'max_output_tokens'
  return status === 'completed' || (status === 'incomplete' && reachedLimit)
}

const END_EVENTS: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
])

function readStream(): EventReader {
  const texts = new Map<string, string>()
  let last: Answer = NO_ANSWER
  let length = 0
  return {
    onEvent(event) {
      const { type, response, delta, output_index: output, content_index: content } = asRecord(event) ?? {}
      if (type === 'response.output_text.delta' && typeof delta === 'string' && length <= MAX_READ_LENGTH) {
        const part = `${String(output)}/${String(content)}`
        texts.set(part, (texts.get(part) ?? '') + delta)
        length += delta.length
      }
      if (type === 'response.created') last = { ...NO_ANSWER, id: readResponse(response).id }
      if (!END_EVENTS.has(type)) return false
      last = readResponse(response)
      return true
    },
    end: () => {
      const streamed = [...texts.values()].join('\n')
      // Some servers' last event only marks the end.
      return { ...last, text: last.text === '' ? streamed : last.text }
    },
  }
}
