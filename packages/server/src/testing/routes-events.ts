export interface ReadEvent {
  readonly event: string
  readonly data: unknown
}

/** The events of a response, one after another, without comments. Ends with the stream, which it cancels when it is left. */
export async function* readEvents(response: Response): AsyncGenerator<ReadEvent> {
  if (response.body === null) return
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${text}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event] = /^event: (.*)$/m.exec(block) ?? []
      const [, data] = /^data: (.*)$/m.exec(block) ?? []
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) }
    }
  }
  if (rest !== '') throw new Error(`a stream of events ended within one: ${rest}`)
}

/** As many events as are asked for, or all until the end. */
export async function takeEvents(response: Response, count = Number.POSITIVE_INFINITY): Promise<ReadEvent[]> {
  const events: ReadEvent[] = []
  for await (const event of readEvents(response)) {
    events.push(event)
    if (events.length >= count) break
  }
  return events
}
