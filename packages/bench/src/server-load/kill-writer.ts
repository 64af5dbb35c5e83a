import { setTimeout as sleep } from 'node:timers/promises'
import { Client, errors } from 'undici'
import { seededRandom } from '../metrics/seeded-random.ts'
import { turnGenerator } from '../perf/generate.ts'
import type { KeptWrite, KillLedger, Write } from './kill-ledger.ts'

type Task =
  | { readonly kind: 'remember'; readonly write: Write }
  | { readonly kind: 'erase'; readonly write: KeptWrite; readonly key: string }

/** One in so many requests erases a turn that was acknowledged. */
const ERASE_ONE_IN = 8
const BUSY_MS = 20
/** Then it is asked again: what was handed to one process of several just when it was killed is answered by nobody. */
const PATIENCE_MS = 5_000

/**
 * Writes as an application would that loses its server all the time: what was not acknowledged is sent again, under the same
 * key, to the next server, before anything new.
 */
export class KillWriter {
  readonly #user: string
  readonly #name: string
  readonly #ledger: KillLedger
  readonly #random: () => number
  readonly #nextText: () => string
  readonly #mine: KeptWrite[] = []
  #task: Task | null = null
  /** Whether the task was sent before, so that it may have been done. */
  #isRetry = false
  #sent = 0

  constructor(
    number: number,
    given: { readonly user: string; readonly ledger: KillLedger; readonly seed: number },
  ) {
    this.#user = given.user
    this.#name = `writer-${number}`
    this.#ledger = given.ledger
    this.#random = seededRandom(given.seed + 31 * number)
    const nextTurn = turnGenerator(given.seed + 37 * number)
    this.#nextText = () => nextTurn().text
  }

  /** Sends one request after the other until the server is gone or the signal says so. */
  async write(url: string, key: string, until: AbortSignal): Promise<void> {
    const client = new Client(url, { headersTimeout: PATIENCE_MS })
    try {
      while (!until.aborted) {
        this.#task ??= this.#nextTask()
        if (!(await this.#send(client, key, this.#task))) return
      }
    } finally {
      await client.destroy()
    }
  }

  /** Has what is not acknowledged yet acknowledged. */
  async finish(url: string, key: string): Promise<void> {
    const client = new Client(url, { headersTimeout: PATIENCE_MS })
    try {
      while (this.#task !== null)
        if (!(await this.#send(client, key, this.#task)))
          throw new Error('The server was gone, and nobody killed it.')
    } finally {
      await client.destroy()
    }
  }

  #nextTask(): Task {
    this.#sent += 1
    const key = `${this.#name}-${this.#sent}`
    if (this.#mine.length > 0 && this.#random() < 1 / ERASE_ONE_IN) {
      const [write] = this.#mine.splice(Math.floor(this.#random() * this.#mine.length), 1)
      if (write !== undefined) {
        this.#ledger.beginErasing(write)
        return { kind: 'erase', write, key }
      }
    }
    return { kind: 'remember', write: { user: this.#user, text: `${markOf(key)} ${this.#nextText()}`, key } }
  }

  /** @returns whether the server is still there. */
  async #send(client: Client, key: string, task: Task): Promise<boolean> {
    const answer = await post(client, key, task)
    if (answer === null) {
      this.#isRetry = true
      this.#ledger.cutOff += 1
      return false
    }
    if (answer.status === 503 || answer.body.code === 'idempotency-busy') {
      // Whoever served it may have done it before it ended.
      this.#isRetry = true
      await sleep(BUSY_MS)
      return true
    }
    this.#note(task, answer)
    this.#task = null
    this.#isRetry = false
    return true
  }

  #note(task: Task, { status, body }: Answer): void {
    const { turns } = body
    if (task.kind === 'remember' && status === 201 && turns?.[0] !== undefined) {
      const write = { ...task.write, turn: turns[0] }
      this.#ledger.keep(write)
      this.#mine.push(write)
    } else if (task.kind === 'erase' && (status === 200 || (status === 404 && this.#isRetry))) {
      // Not found when it is asked again: the server was killed between erasing and saying so.
      this.#ledger.erase(task.write)
    } else this.#ledger.refuse(`${task.kind} ${status} ${body.code ?? ''}`.trim())
  }
}

interface Answer {
  readonly status: number
  readonly body: { readonly turns?: readonly string[]; readonly code?: string }
}

/** `null`: it broke off, and nobody knows what was done. */
async function post(client: Client, key: string, task: Task): Promise<Answer | null> {
  const { user } = task.write
  const request = task.kind === 'remember' ? rememberRequest(task.write) : eraseRequest(task.write, task.key)
  try {
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: `/v1/scopes/${user}${request.path}`,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': request.key,
      },
      body: JSON.stringify(request.body),
    })
    return { status: statusCode, body: (await body.json()) as Answer['body'] }
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 0, body: { code: 'no JSON' } }
    if (error instanceof errors.HeadersTimeoutError) return { status: 503, body: {} }
    return null
  }
}

function rememberRequest({ text, key }: Write): { path: string; key: string; body: object } {
  return { path: '/turns', key, body: { turns: [{ role: 'user', text }] } }
}

function eraseRequest({ turn }: KeptWrite, key: string): { path: string; key: string; body: object } {
  return { path: '/erase', key, body: { turns: [turn] } }
}

/** Sends an acknowledged write again. @returns whether it was answered as it was at first. */
export async function replay(client: Client, key: string, write: KeptWrite): Promise<boolean> {
  const answer = await post(client, key, { kind: 'remember', write })
  return answer?.status === 201 && answer.body.turns?.[0] === write.turn
}

/** One word that stands in this text alone, to look for in files. */
export function markOf(key: string): string {
  return `mark${key.replaceAll('-', '')}x`
}
