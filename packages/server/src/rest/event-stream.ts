/** Characters that may wait for a slow reader before the stream is closed. */
const MAX_BUFFERED = 2 * 1024 * 1024
const HEARTBEAT_MS = 15_000

const encoder = new TextEncoder()

export interface EventStreamOptions {
  /** Ends the stream when aborted. */
  readonly stopping: AbortSignal
  /** Milliseconds between the comments that keep proxies from closing a silent connection. */
  readonly heartbeatMs?: number
  /** Called once, when the stream has ended. */
  readonly onEnd?: () => void
}

/** A stream of server-sent events. Ends on `end()`, when its reader leaves or falls too far behind, and when the server stops. */
export class EventStream {
  readonly #stream: ReadableStream<Uint8Array>
  readonly #heartbeat: NodeJS.Timeout
  readonly #options: EventStreamOptions
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.#close(),
      },
      { highWaterMark: MAX_BUFFERED, size: (chunk) => chunk?.byteLength ?? 0 },
    )
    this.#heartbeat = setInterval(() => this.#write(': heartbeat\n\n'), options.heartbeatMs ?? HEARTBEAT_MS)
    this.#heartbeat.unref()
    options.stopping.addEventListener('abort', this.end, { once: true })
    // Sends the headers at once, so that a client knows it is subscribed.
    this.#write(': open\n\n')
    if (options.stopping.aborted) this.end()
  }

  get isOpen(): boolean {
    return this.#controller !== null
  }

  /** Sends one event. Does nothing after the end. */
  send(event: string, data: unknown): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** Ends the stream after the sent events. */
  readonly end = (): void => {
    const controller = this.#controller
    this.#close()
    controller?.close()
  }

  response(): Response {
    return new Response(this.#stream, {
      headers: {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-cache, no-transform',
        'X-Accel-Buffering': 'no',
      },
    })
  }

  #write(text: string): void {
    const controller = this.#controller
    if (controller === null) return
    controller.enqueue(encoder.encode(text))
    if ((controller.desiredSize ?? 0) >= 0) return
    this.#close()
    controller.error(new Error('the reader of an event stream fell too far behind'))
  }

  #close(): void {
    if (this.#controller === null) return
    this.#controller = null
    clearInterval(this.#heartbeat)
    this.#options.stopping.removeEventListener('abort', this.end)
    this.#options.onEnd?.()
  }
}
