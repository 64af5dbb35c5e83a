import type { MiddlewareHandler } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'
import { asksModel, doorOf } from '../doors.ts'

/**
 * Requests of one key that are worked on at a time. Most of a request is work of this one process, so that more at once would
 * not be done sooner, and a key that sends a thousand would be a thousand turns ahead of everybody.
 */
const AT_A_TIME = 4
/** How many of a key may wait. */
const MOST_WAITING = 10_000

/** The turns of one key. */
interface Line {
  working: number
  readonly waiting: (() => void)[]
}

/**
 * Has each key wait for itself: a few of its requests are worked on at a time, the others wait in line, and between two of them
 * everybody else has a turn. What waits for a language model (chats, replies) does not stand in line.
 *
 * @throws Problem 429 `too-many-at-once`
 */
export function takeTurns(): MiddlewareHandler<ServerEnv> {
  const lines = new Map<string, Line>()
  return async (c, next) => {
    if (waitsForModel(c.req)) return next()
    const { id } = c.get('grant')
    const line = lines.get(id) ?? { working: 0, waiting: [] }
    lines.set(id, line)
    await enter(line)
    try {
      await next()
    } finally {
      leave(line)
      if (line.working === 0) lines.delete(id)
    }
  }
}

function waitsForModel(request: ServerRequest['req']): boolean {
  const { path } = request
  return asksModel(doorOf(request)) || path.endsWith('/reply') || path === '/v1/import'
}

async function enter(line: Line): Promise<void> {
  if (line.working < AT_A_TIME) {
    line.working += 1
    return
  }
  if (line.waiting.length >= MOST_WAITING) {
    const detail = `${MOST_WAITING} requests of this key wait already. Wait for answers before sending more.`
    throw new Problem(429, 'too-many-at-once', detail, { retryAfter: 1 })
  }
  await new Promise<void>((resolve) => line.waiting.push(resolve))
}

/** The next of the line takes this place, after whatever else has come meanwhile. */
function leave(line: Line): void {
  const next = line.waiting.shift()
  if (next === undefined) line.working -= 1
  else setImmediate(next)
}
