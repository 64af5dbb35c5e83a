import { setTimeout as wait } from 'node:timers/promises'

export interface StreamWatcher {
  /** Receives each piece, which is forwarded after the promise resolves. Must not fail. */
  readonly onBytes?: (bytes: Uint8Array) => void | Promise<void>
  /** Called once at the end of the body. The receiver sees the end after the promise resolves. Must not fail. */
  readonly onEnd?: (end: BodyEnd) => void | Promise<void>
  /** Returns the error that the receiver sees when the sender fails; `null` ends the stream without an error. */
  readonly onFailure: (error: unknown) => Error | null
}

/** `whole`: complete. `cut`: the sender failed. `unwanted`: the receiver stopped. */
export type BodyEnd = 'whole' | 'cut' | 'unwanted'

/** Forwards a body as fast as it is read. If the receiver stops, the sender is stopped too. */
export function watchStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  watcher: StreamWatcher,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  let hasEnded = false
  const end = async (bodyEnd: BodyEnd): Promise<void> => {
    if (hasEnded) return
    hasEnded = true
    await watcher.onEnd?.(bodyEnd)
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const piece = await reader.read()
          if (hasEnded) return
          if (piece.done) {
            await end('whole')
            controller.close()
            return
          }
          await watcher.onBytes?.(piece.value)
          if (hasEnded) return
          controller.enqueue(piece.value)
        } catch (error) {
          if (hasEnded) return
          await end('cut')
          const visibleError = watcher.onFailure(error)
          if (visibleError === null) controller.close()
          else controller.error(visibleError)
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

/** Reads a body until it ends or fails, at most for a time. @returns a body with the same bytes, and whether it was read to its end */
export async function readAhead(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  milliseconds: number,
): Promise<{ readonly body: ReadableStream<Uint8Array<ArrayBuffer>>; readonly isWhole: boolean }> {
  const reader = body.getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const timer = new AbortController()
  const isLate = wait(milliseconds, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const)
  let reading = reader.read()
  let isWhole = false
  for (;;) {
    const result = await Promise.race([reading.catch(() => 'failed' as const), isLate])
    if (typeof result === 'string') break
    isWhole = result.done
    if (result.done) break
    pieces.push(result.value)
    reading = reader.read()
  }
  timer.abort()
  const replayed = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const piece = pieces.shift()
        if (piece !== undefined) return controller.enqueue(piece)
        // The last read has ended, failed or is still open.
        const { done, value } = await reading
        if (done) return controller.close()
        controller.enqueue(value)
        reading = reader.read()
        // Without this, a failure before the next pull would end the process.
        reading.catch(() => undefined)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return { body: replayed, isWhole }
}
