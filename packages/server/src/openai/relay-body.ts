/** How a body ended: to its end, broken off by who sent it, or no longer wanted by who asked. */
export type BodyEnd = 'whole' | 'cut' | 'unwanted'

export interface BodyWatcher {
  /** Shown each piece before it is handed on. Must not throw. */
  readonly onBytes: (bytes: Uint8Array) => void
  /** Told once, before the receiver sees the end. Must not throw. */
  readonly onEnd: (end: BodyEnd) => void
}

/**
 * Hands a body on as it comes, piece for piece, no faster than it is read. Who stops reading stops the sender. An error
 * reaches the receiver as one: a broken stream must not look finished.
 */
export function relayBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  watcher: BodyWatcher,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  let isOver = false
  const end = (how: BodyEnd): void => {
    if (isOver) return
    isOver = true
    watcher.onEnd(how)
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const piece = await reader.read().catch(() => {
          end('cut')
          // Told without its cause: the server under us prints what it is told, and causes name addresses.
          throw new Error('The sender broke off.')
        })
        if (isOver) return
        if (piece.done) {
          end('whole')
          controller.close()
          return
        }
        watcher.onBytes(piece.value)
        controller.enqueue(piece.value)
      },
      async cancel(reason) {
        end('unwanted')
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
