import type { MiddlewareHandler } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'
import { asksModel, doorOf, isImport } from '../doors.ts'
import { presentedKey } from './authenticate.ts'

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
  isCalled: boolean
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
    const line = lines.get(id) ?? { working: 0, waiting: [], isCalled: false }
    lines.set(id, line)
    await enter(line)
    try {
      await next()
    } finally {
      line.working -= 1
      callNext(line)
      if (line.working === 0 && line.waiting.length === 0) lines.delete(id)
    }
  }
}

/**
 * Lets requests that present the same key in one by one, with a look at everybody else's in between: before it is known whose they are, since
 * finding that out for a thousand that come at once is work already.
 *
 * @throws Problem 429 `too-many-at-once`
 */
export function arriveInTurn(): MiddlewareHandler<ServerEnv> {
  const lines = new Map<string, (() => void)[]>()
  const letIn = (key: string, waiting: (() => void)[]): void => {
    const next = waiting.shift()
    if (next === undefined) lines.delete(key)
    else {
      setImmediate(letIn, key, waiting)
      next()
    }
  }
  return async (c, next) => {
    const key = presentedKey(c) ?? ''
    const waiting = lines.get(key)
    if (waiting === undefined) {
      const own: (() => void)[] = []
      lines.set(key, own)
      setImmediate(letIn, key, own)
    } else {
      requireRoom(waiting)
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    return next()
  }
}

function waitsForModel(request: ServerRequest['req']): boolean {
  return asksModel(doorOf(request)) || request.path.endsWith('/reply') || isImport(request)
}

async function enter(line: Line): Promise<void> {
  if (line.working === 0 && line.waiting.length === 0) {
    line.working = 1
    return
  }
  requireRoom(line.waiting)
  const turn = new Promise<void>((resolve) => line.waiting.push(resolve))
  callNext(line)
  await turn
}

/** Those who wait begin one by one, each after whatever else has come meanwhile. */
function callNext(line: Line): void {
  if (line.isCalled || line.working >= AT_A_TIME || line.waiting.length === 0) return
  line.isCalled = true
  setImmediate(() => {
    line.isCalled = false
    line.working += 1
    line.waiting.shift()?.()
    callNext(line)
  })
}

function requireRoom(waiting: readonly unknown[]): void {
  if (waiting.length < MOST_WAITING) return
  const detail = `${MOST_WAITING} requests of this key wait already. Wait for answers before sending more.`
  throw new Problem(429, 'too-many-at-once', detail, { retryAfter: 1 })
}
