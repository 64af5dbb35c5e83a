/** Who watches a body that is handed on. */
export interface StreamWatcher {
  /** Shown each piece before it is handed on. Must not throw. */
  readonly onBytes?: (bytes: Uint8Array) => void
  /** Told once how it ended, before the receiver sees it: to its end, broken off by who sent it, or no longer wanted. */
  readonly onEnd?: (end: BodyEnd) => void
  /** What the receiver is told of a sender's failure; `null`: nothing, its stream just ends. */
  readonly onFailure: (error: unknown) => Error | null
}

export type BodyEnd = 'whole' | 'cut' | 'unwanted'

/**
 * Hands a body on as it comes, piece for piece, no faster than it is read. Who stops reading stops the sender. A failure
 * reaches the receiver as one: a broken stream must not look finished.
 */
export function watchStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  watcher: StreamWatcher,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  let isOver = false
  const end = (how: BodyEnd): void => {
    if (isOver) return
    isOver = true
    watcher.onEnd?.(how)
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const piece = await reader.read()
          if (isOver) return
          if (piece.done) {
            end('whole')
            controller.close()
            return
          }
          watcher.onBytes?.(piece.value)
          controller.enqueue(piece.value)
        } catch (error) {
          if (isOver) return
          end('cut')
          const told = watcher.onFailure(error)
          if (told === null) controller.close()
          else controller.error(told)
        }
      },
      async cancel(reason) {
        end('unwanted')
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
