import type { Answer, Part, StreamPart } from './call.ts'

/** Passes a stream on and calls `onEnd` once, with the answer or `null`. The stream closes after `onEnd`, so that the answer is remembered by then. */
export function watchStream<Streamed extends StreamPart>(
  stream: ReadableStream<Streamed>,
  onEnd: (answer: Answer | null) => Promise<void>,
): ReadableStream<Streamed> {
  const reader = stream.getReader()
  const answer = new AnswerBuilder()
  let hasEnded = false
  const end = async (complete: Answer | null) => {
    if (hasEnded) return
    hasEnded = true
    await onEnd(complete)
  }
  return new ReadableStream<Streamed>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) {
            answer.add(value)
            return controller.enqueue(value)
          }
        } catch (error) {
          await end(null)
          return controller.error(error)
        }
        // A reader that stopped has called `end` already.
        if (hasEnded) return
        await end(answer.complete)
        controller.close()
      },
      async cancel(reason) {
        await Promise.all([reader.cancel(reason), end(null)])
      },
    },
    // Reads a part only when it is requested, without a buffer.
    { highWaterMark: 0 },
  )
}

class AnswerBuilder {
  #text = ''
  readonly #parts: Part[] = []
  #finish: Answer['finishReason'] | null = null
  #failed = false

  add(part: StreamPart): void {
    if (part.type === 'text-delta' && typeof part.delta === 'string') this.#text += part.delta
    if (part.type === 'text-end') this.#endText()
    if (part.type === 'tool-call') this.#parts.push(part)
    if (part.type === 'error') this.#failed = true
    if (part.type === 'finish') this.#finish = part.finishReason ?? null
  }

  /** The complete answer, or `null` after an error or without a finish part. */
  get complete(): Answer | null {
    this.#endText()
    return this.#failed || this.#finish === null ? null : { content: this.#parts, finishReason: this.#finish }
  }

  #endText(): void {
    if (this.#text !== '') this.#parts.push({ type: 'text', text: this.#text })
    this.#text = ''
  }
}
