/** Who watches a body that is handed on. */
export interface StreamWatcher {
  /** Shown each piece, which is handed on once it returns or its promise resolves. Must not fail. */
  readonly onBytes?: (bytes: Uint8Array) => void | Promise<void>
  /**
   * Told once how it ended: to its end, broken off by who sent it, or no longer wanted. The receiver sees the end once it returns or
   * its promise resolves. Must not fail.
   */
  readonly onEnd?: (end: BodyEnd) => void | Promise<void>
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
  const end = async (how: BodyEnd): Promise<void> => {
    if (isOver) return
    isOver = true
    await watcher.onEnd?.(how)
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const piece = await reader.read()
          if (isOver) return
          if (piece.done) {
            await end('whole')
            controller.close()
            return
          }
          await watcher.onBytes?.(piece.value)
          if (isOver) return
          controller.enqueue(piece.value)
        } catch (error) {
          if (isOver) return
          await end('cut')
          const told = watcher.onFailure(error)
          if (told === null) controller.close()
          else controller.error(told)
        }
      },
      async cancel(reason) {
        void end('unwanted')
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
