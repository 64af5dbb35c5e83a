import { createParser } from 'eventsource-parser'

/** The agent's answer, read from the forwarded response. */
export interface Answer {
  /** Text of the first choice. Empty for tool calls and refusals. */
  readonly text: string
  /** Whether the answer is complete. Interrupted or filtered answers are not remembered. */
  readonly isComplete: boolean
  /** The answer's id at the upstream, which a later request can continue; `null` when there is none. */
  readonly id: string | null
}

/** Reads an answer while its bytes go to the caller. */
export interface AnswerReader {
  /** Reads the next bytes. Never throws. @returns whether the answer is complete, which may be known before the stream ends */
  push(bytes: Uint8Array): boolean
  end(): Answer
}

export interface AnswerFormat {
  /** Parses a whole answer; `null` for anything but JSON. */
  readonly readJson: (answer: unknown) => Answer
  readonly readEvents: () => EventReader
}

/** Receives a stream's events one by one. */
export interface EventReader {
  /** @param data unparsed; @param event parsed, `null` for anything but JSON. @returns whether the answer is complete */
  onEvent(event: unknown, data: string): boolean
  end(): Answer
}

/** Longer answers (pictures, sound) are passed on, but not read. In UTF-16 units. */
export const MAX_READ_LENGTH = 8_000_000
export const NO_ANSWER: Answer = { text: '', isComplete: false, id: null }

export const isEventStream = (contentType: string | null): boolean =>
  contentType?.toLowerCase().startsWith('text/event-stream') === true

export function answerReader(format: AnswerFormat): (contentType: string | null) => AnswerReader {
  return (contentType) =>
    isEventStream(contentType) ? streamReader(format.readEvents()) : jsonReader(format.readJson)
}

function jsonReader(readJson: AnswerFormat['readJson']): AnswerReader {
  const decoder = new TextDecoder()
  let json = ''
  return {
    push(bytes) {
      if (json.length <= MAX_READ_LENGTH) json += decoder.decode(bytes, { stream: true })
      return false
    },
    end: () => readJson(parseOrNull(json)),
  }
}

function streamReader(events: EventReader): AnswerReader {
  const decoder = new TextDecoder()
  let isDone = false
  const parser = createParser({
    maxBufferSize: MAX_READ_LENGTH,
    onEvent: ({ data }) => {
      if (events.onEvent(parseOrNull(data), data)) isDone = true
    },
    // Skips an event too large to hold; later events are read.
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') parser.reset()
    },
  })
  return {
    push: (bytes) => {
      parser.feed(decoder.decode(bytes, { stream: true }))
      return isDone
    },
    end: () => events.end(),
  }
}

/** `null` for anything but JSON: such an answer is passed on and not remembered. */
export function parseOrNull(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
