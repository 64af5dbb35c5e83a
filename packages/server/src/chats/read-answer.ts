import { createParser } from 'eventsource-parser'
import { parseOrNull } from './chat-protocol.ts'

/** What the agent said, put together from an answer that was handed on. */
export interface Answer {
  /** Of the first choice. Empty when it asked for tools, refused, or said nothing. */
  readonly text: string
  /** Whether it came to its end. What was broken off or withheld is not remembered as said. */
  readonly isWhole: boolean
  /** The name under which the upstream keeps it, by which a later request may go on from it; `null` where there is none. */
  readonly id: string | null
}

/** Reads an answer on the side, while its bytes go on to the caller. */
export interface AnswerReader {
  /** Never throws. @returns whether nothing can come any more, which a stream says before it ends. */
  push(bytes: Uint8Array): boolean
  end(): Answer
}

/** How a protocol's answers are read. */
export interface AnswerForm {
  /** Of an answer that came whole, parsed; `null` for what was no JSON. */
  readonly readWhole: (answer: unknown) => Answer
  /** A reader of a stream's events. */
  readonly readEvents: () => EventReader
}

/** Takes a stream's events one by one. */
export interface EventReader {
  /** @param data as it came; @param event parsed, `null` for what is no JSON. @returns whether the answer is at its end */
  onEvent(event: unknown, data: string): boolean
  end(): Answer
}

/** Longer answers (pictures, sound) are handed on, but not read. In UTF-16 units. */
export const MOST_READ = 8_000_000
export const NOTHING: Answer = { text: '', isWhole: false, id: null }

/** A reader for answers of a form. */
export function answerReader(form: AnswerForm): (contentType: string | null) => AnswerReader {
  return (contentType) =>
    contentType?.toLowerCase().startsWith('text/event-stream') === true
      ? streamReader(form.readEvents())
      : wholeReader(form.readWhole)
}

function wholeReader(readWhole: AnswerForm['readWhole']): AnswerReader {
  const decoder = new TextDecoder()
  let json = ''
  return {
    push(bytes) {
      if (json.length <= MOST_READ) json += decoder.decode(bytes, { stream: true })
      return false
    },
    end: () => readWhole(parseOrNull(json)),
  }
}

function streamReader(events: EventReader): AnswerReader {
  const decoder = new TextDecoder()
  let isDone = false
  const parser = createParser({
    maxBufferSize: MOST_READ,
    onEvent: ({ data }) => {
      if (events.onEvent(parseOrNull(data), data)) isDone = true
    },
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
    end: () => events.end(),
  }
}
