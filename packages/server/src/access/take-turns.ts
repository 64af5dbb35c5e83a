import type { MiddlewareHandler } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'
import { asksModel, isImport, protocolOf } from '../protocols.ts'
import { presentedKey } from './authenticate.ts'

/**
 * Requests of one key that are worked on at a time while others ask as well. Most of a request is work of this one process, so that more
 * at once would hardly be done sooner, and a key that sends a thousand would be a thousand turns ahead of everybody.
 */
const BESIDE_OTHERS = 4
/**
 * The same where nobody else has asked for a while. More wait for the disk together so, and what was said before is read more turns at a time; of that
 * a process does as much as its requests leave time for.
 */
const ALONE = 16
/** For so long after another key has asked, none is alone: who asks now and then is not to find sixteen at work each time. */
const ABOUT_MS = 2_000
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
  const lines = new Lines()
  return (c, next) => (waitsForModel(c.req) ? next() : lines.take(c.get('grant').id, next))
}

/** Everybody who asks now, a line a key. */
class Lines {
  readonly #lines = new Map<string, Line>()
  /** Who asked last, and until when somebody else counts as about. */
  #last: string | null = null
  #othersUntil = 0

  get #most(): number {
    return this.#lines.size > 1 || performance.now() < this.#othersUntil ? BESIDE_OTHERS : ALONE
  }

  async take(key: string, work: () => Promise<void>): Promise<void> {
    if (key !== this.#last && this.#last !== null) this.#othersUntil = performance.now() + ABOUT_MS
    this.#last = key
    const line = this.#lines.get(key) ?? { working: 0, waiting: [], isCalled: false }
    this.#lines.set(key, line)
    await this.#enter(line)
    try {
      await work()
    } finally {
      line.working -= 1
      this.#callNext(line)
      if (line.working === 0 && line.waiting.length === 0) this.#lines.delete(key)
    }
  }

  async #enter(line: Line): Promise<void> {
    if (line.working === 0 && line.waiting.length === 0) {
      line.working = 1
      return
    }
    requireRoom(line.waiting)
    const turn = new Promise<void>((resolve) => line.waiting.push(resolve))
    this.#callNext(line)
    await turn
  }

  /** Those who wait begin one by one, each after whatever else has come meanwhile. */
  #callNext(line: Line): void {
    if (line.isCalled || line.working >= this.#most || line.waiting.length === 0) return
    line.isCalled = true
    setImmediate(() => {
      line.isCalled = false
      line.working += 1
      line.waiting.shift()?.()
      this.#callNext(line)
    })
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
  return asksModel(protocolOf(request)) || request.path.endsWith('/reply') || isImport(request)
}

function requireRoom(waiting: readonly unknown[]): void {
  if (waiting.length < MOST_WAITING) return
  const detail = `${MOST_WAITING} requests of this key wait already. Wait for answers before sending more.`
  throw new Problem(429, 'too-many-at-once', detail, { retryAfter: 1 })
}
