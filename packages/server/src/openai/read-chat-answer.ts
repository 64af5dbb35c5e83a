import { asList, asRecord, type JsonRecord } from '../chats/json-value.ts'
import { messageWords } from '../chats/message-text.ts'
import { answerReader, MOST_READ, NOTHING, type Answer, type EventReader } from '../chats/read-answer.ts'

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

/** Whether the agent had said what it would. What a filter withheld was not said. */
function isEnd(reason: unknown): boolean {
  return reason !== 'content_filter'
}

function firstChoice(completion: unknown): JsonRecord | null {
  const choices = asList(asRecord(completion)?.['choices'])
  return asRecord(choices.find((choice) => (asRecord(choice)?.['index'] ?? 0) === 0))
}
