/** Callbacks on a forwarded body. */
export interface StreamWatcher {
  /** Receives each piece, which is forwarded once the result resolves. Must not fail. */
  readonly onBytes?: (bytes: Uint8Array) => void | Promise<void>
  /** Called once with how the body ended. The receiver sees the end once the result resolves. Must not fail. */
  readonly onEnd?: (end: BodyEnd) => void | Promise<void>
  /** The error that the receiver sees when the sender fails; `null`: its stream just ends. */
  readonly onFailure: (error: unknown) => Error | null
}

export type BodyEnd = 'whole' | 'cut' | 'unwanted'

/**
 * Forwards a body piece by piece, as fast as it is read. A reader that stops also stops the sender. A sender's failure reaches the
 * receiver: a broken stream must not look finished.
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
          const shown = watcher.onFailure(error)
          if (shown === null) controller.close()
          else controller.error(shown)
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
