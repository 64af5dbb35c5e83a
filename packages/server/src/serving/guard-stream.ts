import type { HttpBindings } from '@hono/node-server'
import type { LogEntry, ServerRequest } from '../server-context.ts'
import { doorOf } from './doors.ts'
import { describeError } from './write-log.ts'

const STREAMED = /^(?:text\/event-stream|application\/x-ndjson)\b/

/**
 * Sees to it that an answer which breaks off while it streams is logged as every failure is, and ends the connection so that its
 * reader knows. The HTTP adapter would print the error, message and all: it may quote what somebody said.
 */
export function guardStream(c: ServerRequest, log: (entry: LogEntry) => void, withMessages: boolean): void {
  if (!STREAMED.test(c.res.headers.get('content-type') ?? '') || c.res.body === null) return
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  const request = c.get('requestId')
  // That door has logged already how its upstream broke off.
  const isReported = doorOf(c.req.path) === 'openai'
  const breakOff = (error: unknown, controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (!isReported)
      log({ level: 'error', event: 'answer-broke-off', request, ...describeError(error, withMessages) })
    if (outgoing === undefined) {
      controller.error(error)
      return
    }
    outgoing.destroy()
    controller.close()
  }
  c.res = new Response(passOn(c.res.body, breakOff), c.res)
}

function passOn(
  body: ReadableStream<Uint8Array>,
  breakOff: (error: unknown, controller: ReadableStreamDefaultController<Uint8Array>) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let isWanted = true
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (!isWanted) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        if (isWanted) breakOff(error, controller)
      }
    },
    cancel: async (reason) => {
      isWanted = false
      await reader.cancel(reason)
    },
  })
}
