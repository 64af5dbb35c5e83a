import { createParser } from 'eventsource-parser'
import { messageWords } from './message-text.ts'

/** What the agent said, put together from an answer that was handed on. */
export interface Answer {
  /** Of the first choice. Empty when it asked for tools, refused, or said nothing. */
  readonly text: string
  /** Whether it came to its end. What was broken off or withheld is not remembered as said. */
  readonly isWhole: boolean
}

/** Reads an answer on the side, while its bytes go on to the caller. */
export interface AnswerReader {
  /** Never throws. @returns whether nothing can come any more, which a stream says before it ends. */
  push(bytes: Uint8Array): boolean
  end(): Answer
}

/** Longer answers (pictures, sound) are handed on, but not read. In UTF-16 units. */
const MOST_READ = 8_000_000
const LONGEST_EVENT = 1_000_000
const NOTHING: Answer = { text: '', isWhole: false }

/** A reader for an answer of a content type; the request's `stream` says what is wished, this what came. */
export function answerReader(contentType: string | null): AnswerReader {
  return contentType?.toLowerCase().startsWith('text/event-stream') === true ? streamReader() : wholeReader()
}

function wholeReader(): AnswerReader {
  const decoder = new TextDecoder()
  let json = ''
  return {
    push(bytes) {
      if (json.length <= MOST_READ) json += decoder.decode(bytes, { stream: true })
      return false
    },
    end() {
      const choice = firstChoice(parse(json))
      const message = record(choice?.['message'])
      if (choice === null || message === null) return NOTHING
      return { text: messageWords(message['content']), isWhole: isEnd(choice['finish_reason'] ?? 'stop') }
    },
  }
}

function streamReader(): AnswerReader {
  const decoder = new TextDecoder()
  let text = ''
  let isDone = false
  let isWhole = false
  let isBroken = false
  const onData = (data: string): void => {
    // Some servers end with this mark alone.
    if (data === '[DONE]') {
      isDone = true
      isWhole = true
      return
    }
    const event = parse(data)
    if (record(record(event)?.['error']) !== null) isBroken = true
    const choice = firstChoice(event)
    const reason = choice?.['finish_reason'] ?? null
    if (reason !== null && !isEnd(reason)) isBroken = true
    if (reason !== null) isWhole = true
    if (text.length <= MOST_READ) text += messageWords(record(choice?.['delta'])?.['content'])
  }
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ data }) => onData(data),
    // An event too large to hold is passed over; what follows it is read.
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') parser.reset()
    },
  })
  return {
    push: (bytes) => {
      parser.feed(decoder.decode(bytes, { stream: true }))
      return isDone
    },
    end: () => ({ text, isWhole: isWhole && !isBroken && text.length <= MOST_READ }),
  }
}

/** Whether the agent had said what it would. What a filter withheld was not said. */
function isEnd(reason: unknown): boolean {
  return reason !== 'content_filter'
}

function firstChoice(completion: unknown): Readonly<Record<string, unknown>> | null {
  const choices = record(completion)?.['choices']
  if (!Array.isArray(choices)) return null
  return record(choices.find((choice) => (record(choice)?.['index'] ?? 0) === 0))
}

function record(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null
}

/** `null` for what is not JSON: it was handed on as it is, and says nothing to be remembered. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
