import type { KeepsakeEvent } from './types.ts'

/** An event of a stream, by its name. */
export interface ServerSentEvent {
  readonly event: string
  readonly data: string
}

/** Reads a stream by lines that end with `lineEnd`. Cancels the stream when the caller stops early. */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  lineEnd: RegExp,
): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      // A carriage return at the end is read with the next chunk, because it may be the first half of a line end.
      const lastReturn = !done && rest.endsWith('\r') ? '\r' : ''
      const lines = rest.slice(0, rest.length - lastReturn.length).split(lineEnd)
      rest = `${lines.pop() ?? ''}${lastReturn}`
      yield* lines
      if (done) break
    }
    if (rest !== '') yield rest
  } finally {
    await reader.cancel()
  }
}

/** Reads the events of a `text/event-stream`. Skips comments, and an incomplete event at the end of the stream. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let event = ''
  let data: string[] = []
  for await (const line of readLines(stream, /\r\n|\n|\r/)) {
    if (line === '') {
      if (data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n') }
      event = ''
      data = []
      continue
    }
    // A comment begins with a colon, so it has no field.
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
  }
}

/** Reads the memory events of a stream and parses their JSON. */
export async function* parseEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<KeepsakeEvent> {
  for await (const { event, data } of readEvents(stream))
    yield { event, data: JSON.parse(data) as unknown } as KeepsakeEvent
}

/** Returns the body of a streamed response; an empty stream for `null`. */
export function bodyOf(stream: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> {
  return stream ?? new ReadableStream({ start: (controller) => controller.close() })
}
