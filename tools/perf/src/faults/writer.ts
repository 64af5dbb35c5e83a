import { setTimeout as sleep } from 'node:timers/promises'
import { seededDraw, type Draw } from '@keepsake/bench/parts'
import { Client, errors } from 'undici'
import { makeStatement } from './talkers.ts'
import type { Ledger } from './trial.ts'

/** A turn to remember. */
interface Write {
  readonly text: string
  readonly idempotencyKey: string
  /** Id of the turn, once the write was acknowledged. */
  readonly turn: string
}

interface Task {
  readonly kind: 'remember' | 'erase'
  readonly write: Write
  readonly idempotencyKey: string
}

interface Answer {
  readonly status: number
  readonly body: { readonly turns?: readonly string[]; readonly code?: string }
}

/** Share of requests that erase an earlier turn. */
const ERASE_SHARE = 1 / 8
/** A killed worker never answers its request, so the writer sends it again after this time. */
const ANSWER_TIMEOUT_MS = 5_000

/** Returns the word by which a text can be found in files, such as `markwriter3n17x`. */
export function markOf(text: string): string {
  return /mark\w+x/.exec(text)?.[0] ?? text
}

type WriterOptions = Readonly<{ user: string; ledger: Ledger; seed: number }>

/** Writes to a server that is killed many times. It sends an unacknowledged request again first, under the same key. */
export class Writer {
  readonly user: string
  readonly #name: string
  readonly #ledger: Ledger
  readonly #draw: Draw
  readonly #acknowledged: Write[] = []
  readonly #erasable: Write[] = []
  #task: Task | null = null
  /** Whether the task was sent before, so that the server may already have done it. */
  #isRetry = false
  #sent = 0

  constructor(number: number, { user, ledger, seed }: WriterOptions) {
    this.user = user
    this.#name = `writer${number}`
    this.#ledger = ledger
    this.#draw = seededDraw(seed, number)
  }

  /** Sends requests one after another until the server is gone or the signal aborts. */
  write(url: string, apiKey: string, until: AbortSignal): Promise<void> {
    return this.#withClient(url, async (client) => {
      while (!until.aborted) {
        this.#task ??= this.#nextTask()
        if (!(await this.#send(client, apiKey, this.#task))) return
      }
    })
  }

  /** Sends the open task until it is acknowledged. */
  finish(url: string, apiKey: string): Promise<void> {
    return this.#withClient(url, async (client) => {
      while (this.#task !== null)
        if (!(await this.#send(client, apiKey, this.#task)))
          throw new Error('The server was gone, and no one killed it.')
    })
  }

  /** Sends every acknowledged write again. @returns how many were answered differently */
  replay(url: string, apiKey: string): Promise<number> {
    return this.#withClient(url, async (client) => {
      let different = 0
      for (const write of this.#acknowledged) {
        const { idempotencyKey } = write
        const answer = await this.#post(client, apiKey, { kind: 'remember', write, idempotencyKey })
        if (answer?.status !== 201 || answer.body.turns?.[0] !== write.turn) different += 1
      }
      return different
    })
  }

  async #withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client(url, { headersTimeout: ANSWER_TIMEOUT_MS })
    try {
      return await work(client)
    } finally {
      await client.destroy()
    }
  }

  #nextTask(): Task {
    this.#sent += 1
    const idempotencyKey = `${this.#name}-${this.#sent}`
    if (this.#erasable.length > 0 && this.#draw.chance(ERASE_SHARE)) {
      const write = this.#draw.pick(this.#erasable)
      this.#erasable.splice(this.#erasable.indexOf(write), 1)
      this.#ledger.beginErasing(this.user, write.text)
      return { kind: 'erase', write, idempotencyKey }
    }
    const text = makeStatement(this.#draw, `mark${idempotencyKey.replace('-', 'n')}x`)
    return { kind: 'remember', write: { text, idempotencyKey, turn: '' }, idempotencyKey }
  }

  /** Sends a task once. It stays the open task if it was not acknowledged. @returns whether the server is still running */
  async #send(client: Client, apiKey: string, task: Task): Promise<boolean> {
    const answer = await this.#post(client, apiKey, task)
    if (answer === null) {
      this.#isRetry = true
      this.#ledger.cutOffRequests += 1
      return false
    }
    if (answer.status === 503 || answer.body.code === 'idempotency-busy') {
      this.#isRetry = true
      await sleep(20)
      return true
    }
    this.#noteAnswer(task, answer)
    this.#task = null
    this.#isRetry = false
    return true
  }

  #noteAnswer({ kind, write }: Task, { status, body: { turns, code } }: Answer): void {
    // The answer to an erasure has a number in `turns`, other answers have a list.
    const turn = Array.isArray(turns) ? turns[0] : undefined
    if (kind === 'remember' && status === 201 && turn !== undefined) {
      this.#ledger.keep(this.user, write.text)
      this.#acknowledged.push({ ...write, turn })
      this.#erasable.push({ ...write, turn })
    } else if (kind === 'erase' && (status === 200 || (status === 404 && this.#isRetry))) {
      // Not found at the second try: the server was killed between erasing and answering.
      this.#ledger.erase(this.user, write.text)
    } else this.#ledger.refuse(`${kind} ${status} ${code ?? ''}`.trim())
  }

  /** @returns `null` if the connection broke, so that it is unknown whether the server did the task */
  async #post(client: Client, apiKey: string, { kind, write, idempotencyKey }: Task): Promise<Answer | null> {
    try {
      const { statusCode, body } = await client.request({
        method: 'POST',
        path: `/v1/scopes/${this.user}/${kind === 'remember' ? 'turns' : 'erase'}`,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify({
          turns: kind === 'remember' ? [{ role: 'user', text: write.text }] : [write.turn],
        }),
      })
      return { status: statusCode, body: (await body.json()) as Answer['body'] }
    } catch (error) {
      // The status is unknown here. The ledger notes the code as a wrong answer.
      if (error instanceof SyntaxError) return { status: 0, body: { code: 'no JSON' } }
      if (error instanceof errors.HeadersTimeoutError) return { status: 503, body: {} }
      return null
    }
  }
}
