import type { KeepsakeEvent } from './types.ts'

/** An event of a stream, by its name. */
export interface ServerSentEvent {
  readonly event: string
  readonly data: string
}

/**
 * The lines of a stream, however its bytes are cut. The stream is cancelled when the caller stops early.
 *
 * @param ends what ends a line: `/\n/` for JSON lines, `/\r\n|\n|\r/` for server-sent events.
 */
export async function* readLines(stream: ReadableStream<Uint8Array>, ends: RegExp): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      // A carriage return at the end may be half of a line's end.
      const held = !done && rest.endsWith('\r') ? '\r' : ''
      const lines = rest.slice(0, rest.length - held.length).split(ends)
      rest = `${lines.pop() ?? ''}${held}`
      yield* lines
      if (done) break
    }
    if (rest !== '') yield rest
  } finally {
    await reader.cancel()
  }
}

/** The events of a `text/event-stream`. Comments are left out, and so is an event that the stream's end cuts off. */
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
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
  }
}

/** The events of a stream, parsed. */
export async function* parseEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<KeepsakeEvent> {
  for await (const { event, data } of readEvents(stream))
    yield { event, data: JSON.parse(data) as unknown } as KeepsakeEvent
}

/** The body of an answer that was asked for as a stream. */
export function bodyOf(stream: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> {
  return stream ?? new ReadableStream({ start: (controller) => controller.close() })
}
