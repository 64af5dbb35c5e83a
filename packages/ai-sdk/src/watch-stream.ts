import type { Answer, Part, StreamPart } from './call.ts'

/**
 * Passes a stream on, part by part as it is read, and tells what it said once: when it ends, or `null` when it broke off
 * or its reader stopped. It closes after `onEnd` is done, so that an answer read to the end is remembered.
 */
export function watchStream<Streamed extends StreamPart>(
  stream: ReadableStream<Streamed>,
  onEnd: (answer: Answer | null) => Promise<void>,
): ReadableStream<Streamed> {
  const reader = stream.getReader()
  const answer = new AnswerSoFar()
  let ended = false
  const end = async (whole: Answer | null) => {
    if (ended) return
    ended = true
    await onEnd(whole)
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
        // A reader that stopped ended it already.
        if (ended) return
        await end(answer.whole)
        controller.close()
      },
      async cancel(reason) {
        await Promise.all([reader.cancel(reason), end(null)])
      },
    },
    // A part is read when it is asked for: nothing is held here.
    { highWaterMark: 0 },
  )
}

class AnswerSoFar {
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

  /** `null` when it did not come to its end. */
  get whole(): Answer | null {
    this.#endText()
    return this.#failed || this.#finish === null ? null : { content: this.#parts, finishReason: this.#finish }
  }

  #endText(): void {
    if (this.#text !== '') this.#parts.push({ type: 'text', text: this.#text })
    this.#text = ''
  }
}
