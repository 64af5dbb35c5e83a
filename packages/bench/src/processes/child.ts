import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The number of last characters of standard error that an error message quotes. */
const MAX_ERROR_OUTPUT = 2_000

/** The id of the request with which a child is started. */
const FIRST_REQUEST = 1

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** A module that runs in a separate process and answers requests. Pending requests fail when the process ends. */
export class Child<Started = unknown> {
  /** The answer to the first request, which is an argument of the process and has the id 1. */
  readonly started: Promise<Started>
  readonly #process: ChildProcess
  /** Resolves at the event `exit`. The event `close` does not come after {@link release} has disconnected the channel. */
  readonly #ended: Promise<unknown>
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #requestCount = 0
  #errorOutput = ''

  /** @param url the `import.meta.url` of the module, which answers by {@link answerParent} */
  constructor(url: string, request: unknown) {
    const path = fileURLToPath(url)
    this.#process = fork(path, [JSON.stringify(request)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    this.#ended = once(this.#process, 'exit')
    this.started = this.#wait() as Promise<Started>
    this.#process.stderr?.on('data', (piece: Buffer) => {
      this.#errorOutput = (this.#errorOutput + piece.toString('utf8')).slice(-MAX_ERROR_OUTPUT)
    })
    this.#process.on('message', (reply: Reply) => this.#take(reply))
    this.#process.once('close', (code, signal) => {
      const how = signal ?? `code ${code}`
      const endError = new Error(`${path} ended (${how}) and gave no answer. ${this.#errorOutput}`.trim())
      for (const waiter of this.#waiting.values()) waiter.reject(endError)
    })
  }

  /** Sends a further request and waits for its answer. */
  ask(what: string): Promise<unknown> {
    const answer = this.#wait()
    this.#process.send({ id: this.#requestCount, what })
    return answer
  }

  /** Disconnects from the process, which kept it alive, and waits until it ends. */
  async release(): Promise<void> {
    if (this.#process.connected) this.#process.disconnect()
    await this.#ended
  }

  /** Pauses the process (SIGSTOP) or resumes it (SIGCONT). */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(name)
  }

  /** Kills the process (SIGKILL) and waits until it has ended. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
  }

  /** Raises the number of requests, which is the id of the next request, and waits for its answer. */
  #wait(): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    this.#requestCount += 1
    this.#waiting.set(this.#requestCount, answer)
    return answer.promise
  }

  #take({ id, value, error }: Reply): void {
    const waiter = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiter?.resolve(value)
    else waiter?.reject(new Error(error))
  }
}

/** Runs a module in a separate process for a single answer. */
export async function askChild<Answer>(url: string, request: unknown): Promise<Answer> {
  const child = new Child<Answer>(url, request)
  const answer = await child.started
  await child.release()
  return answer
}

/** Reports whether a module runs as a {@link Child}. */
export function isChild(url: string): boolean {
  return process.send !== undefined && process.argv[1] === fileURLToPath(url)
}

/** Answers the first request in the child. */
export async function answerParent<Request>(answer: (request: Request) => Promise<unknown>): Promise<void> {
  const value = await answer(JSON.parse(process.argv[2] ?? '{}') as Request)
  process.send?.({ id: FIRST_REQUEST, value } satisfies Reply)
}

/** Answers further requests in the child, until the parent releases it or ends. */
export function answerFurther(answer: (what: string) => Promise<unknown>): void {
  const reply = async ({ id, what }: { id: number; what: string }): Promise<void> => {
    const reply = await answer(what).then(
      (value): Reply => ({ id, value }),
      (error: unknown): Reply => ({ id, error: String(error) }),
    )
    process.send?.(reply)
  }
  process.on('message', (asked: { id: number; what: string }) => void reply(asked))
  process.once('disconnect', () => process.exit())
}
