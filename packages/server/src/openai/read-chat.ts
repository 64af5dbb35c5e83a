import { attachmentsIn } from 'keepsake'
import {
  asList,
  asText,
  asRecord,
  changeFields,
  messageText,
  plainText,
  readRequestJson,
  readSpeaker,
  TOOL_RESULT,
  splitLastMessage,
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

/** The user that a client names: the first of `user`, its successor `safety_identifier`, and the metadata `user_id` or `user`. */
export function openaiUser({ user, safety_identifier: safety, metadata }: JsonRecord): string | null {
  const { user_id: id, user: name } = asRecord(metadata) ?? {}
  return asText(user) ?? asText(safety) ?? asText(id) ?? asText(name)
}

/** Reads a request of `/chat/completions`. @throws Problem 400 for what is no JSON object. */
export function readChatRequest(json: string): ChatRequest {
  const request = readRequestJson(json, '{"model": "…", "messages": […]}')
  const list = request['messages']
  const messages = Array.isArray(list) ? list.map(readMessage) : null
  return {
    json,
    user: openaiUser(request),
    ...splitLastMessage(messages),
    continuedId: null,
    addContext: (content) => withMessage(json, messages ?? [], content),
  }
}

/** Adds a message after the application's instructions, with their role. */
function withMessage(json: string, messages: readonly ChatMessage[], content: string): string {
  const firstSpoken = messages.findIndex(({ instructionRole }) => instructionRole === null)
  const index = firstSpoken === -1 ? messages.length : firstSpoken
  const role = messages[index - 1]?.instructionRole ?? 'system'
  return changeFields(json, ({ messages: list }) => ({
    messages: asList(list).toSpliced(index, 0, { role, content }),
  }))
}

function readMessage(message: unknown): ChatMessage {
  const { role, content, name, tool_calls: calls, function_call: call } = asRecord(message) ?? {}
  return {
    ...TOOL_RESULT,
    role: role === 'user' || role === 'assistant' ? role : 'other',
    instructionRole: role === 'system' || role === 'developer' ? role : null,
    callsTools: asList(calls).length > 0 || asRecord(call) !== null,
    text: messageText(content),
    attachments: attachmentsIn(content),
    textOnly: plainText(content),
    name: readSpeaker(name),
  }
}

/** Reads a completion of `/chat/completions`, whole or streamed. */
export const chatAnswerReader = answerReader({ readJson: readCompletion, readEvents: readChunks })

function readCompletion(completion: unknown): Answer {
  const choice = firstChoice(completion)
  const message = asRecord(choice?.['message'])
  if (choice === null || message === null) return NO_ANSWER
  return {
    text: plainText(message['content']),
    isComplete: isFinished(choice['finish_reason'] ?? 'stop'),
    id: null,
  }
}

function readChunks(): EventReader {
  let text = ''
  let hasFinished = false
  let hasFailed = false
  return {
    onEvent(event, data) {
      // Some servers end with this mark alone.
      if (data === '[DONE]') return (hasFinished = true)
      if (asRecord(asRecord(event)?.['error']) !== null) hasFailed = true
      const choice = firstChoice(event)
      const reason = choice?.['finish_reason'] ?? null
      if (reason !== null && !isFinished(reason)) hasFailed = true
      if (reason !== null) hasFinished = true
      if (text.length <= MAX_READ_LENGTH) text += plainText(asRecord(choice?.['delta'])?.['content'])
      return false
    },
    end: () => ({
      text,
      isComplete: hasFinished && !hasFailed && text.length <= MAX_READ_LENGTH,
      id: null,
    }),
  }
}

/** Whether the agent finished its answer. An answer that a filter cut off is not complete. */
function isFinished(reason: unknown): boolean {
  return reason !== 'content_filter'
}

function firstChoice(completion: unknown): JsonRecord | null {
  const choices = asList(asRecord(completion)?.['choices'])
  return asRecord(choices.find((choice) => (asRecord(choice)?.['index'] ?? 0) === 0))
}
