import { attachmentsIn } from 'keepsake'
import {
  asList,
  asName,
  asRecord,
  changeFields,
  messageText,
  messageWords,
  readRequestJson,
  readSpeaker,
  RESULT,
  splitBegun,
  type ChatMessage,
  type ChatRequest,
  type JsonRecord,
} from '../chats/chat-protocol.ts'
import { answerReader, MOST_READ, NOTHING, type Answer, type EventReader } from '../chats/read-answer.ts'

/**
 * The user that OpenAI's clients name: the first non-empty of `user`, its successor `safety_identifier`, and the metadata `user_id` or
 * `user`.
 */
export function openaiUser({ user, safety_identifier: safety, metadata }: JsonRecord): string | null {
  const { user_id: id, user: name } = asRecord(metadata) ?? {}
  return asName(user) ?? asName(safety) ?? asName(id) ?? asName(name)
}

/** Reads a request of `/chat/completions`. @throws Problem 400 for what is no JSON object. */
export function readChatRequest(json: string): ChatRequest {
  const request = readRequestJson(json, '{"model": "…", "messages": […]}')
  const list = request['messages']
  const messages = Array.isArray(list) ? list.map(readMessage) : null
  return {
    json,
    user: openaiUser(request),
    ...splitBegun(messages),
    continues: null,
    withRecalled: (content) => withMessage(json, messages ?? [], content),
  }
}

/** Adds a message after the application's instructions. */
function withMessage(json: string, messages: readonly ChatMessage[], content: string): string {
  const talk = messages.findIndex(({ instructs }) => instructs === null)
  const index = talk === -1 ? messages.length : talk
  const role = messages[index - 1]?.instructs ?? 'system'
  return changeFields(json, ({ messages: list }) => ({
    messages: asList(list).toSpliced(index, 0, { role, content }),
  }))
}

function readMessage(message: unknown): ChatMessage {
  const { role, content, name, tool_calls: calls, function_call: call } = asRecord(message) ?? {}
  return {
    ...RESULT,
    by: role === 'user' ? 'user' : role === 'assistant' ? 'assistant' : 'other',
    instructs: role === 'system' || role === 'developer' ? role : null,
    callsTools: asList(calls).length > 0 || asRecord(call) !== null,
    text: messageText(content),
    attachments: attachmentsIn(content),
    words: messageWords(content),
    name: readSpeaker(name),
  }
}

/** Reads a completion of `/chat/completions`, whole or streamed. */
export const chatAnswerReader = answerReader({ readWhole: readCompletion, readEvents: readChunks })

function readCompletion(completion: unknown): Answer {
  const choice = firstChoice(completion)
  const message = asRecord(choice?.['message'])
  if (choice === null || message === null) return NOTHING
  return {
    text: messageWords(message['content']),
    isWhole: isEnd(choice['finish_reason'] ?? 'stop'),
    id: null,
  }
}

function readChunks(): EventReader {
  let text = ''
  let isWhole = false
  let isBroken = false
  return {
    onEvent(event, data) {
      // Some servers end with this mark alone.
      if (data === '[DONE]') return (isWhole = true)
      if (asRecord(asRecord(event)?.['error']) !== null) isBroken = true
      const choice = firstChoice(event)
      const reason = choice?.['finish_reason'] ?? null
      if (reason !== null && !isEnd(reason)) isBroken = true
      if (reason !== null) isWhole = true
      if (text.length <= MOST_READ) text += messageWords(asRecord(choice?.['delta'])?.['content'])
      return false
    },
    end: () => ({ text, isWhole: isWhole && !isBroken && text.length <= MOST_READ, id: null }),
  }
}

/** Whether the agent finished. Words that a filter withheld were not said. */
function isEnd(reason: unknown): boolean {
  return reason !== 'content_filter'
}

function firstChoice(completion: unknown): JsonRecord | null {
  const choices = asList(asRecord(completion)?.['choices'])
  return asRecord(choices.find((choice) => (asRecord(choice)?.['index'] ?? 0) === 0))
}
