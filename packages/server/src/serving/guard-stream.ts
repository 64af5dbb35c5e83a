import type { HttpBindings } from '@hono/node-server'
import type { LogEntry, ServerRequest } from '../server-context.ts'
import { asksModel } from '../protocols.ts'
import { watchStream } from './watch-stream.ts'
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
  // Those protocols have logged already how their upstream broke off.
  const isReported = asksModel(c.get('protocol'))
  const onFailure = (error: unknown): Error | null => {
    if (!isReported)
      log({ level: 'error', event: 'answer-broke-off', request, ...describeError(error, withMessages) })
    outgoing?.destroy()
    return outgoing === undefined ? (error as Error) : null
  }
  c.res = new Response(watchStream(c.res.body, { onFailure }), c.res)
}
