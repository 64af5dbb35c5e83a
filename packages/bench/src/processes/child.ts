import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Characters of standard error reported when it ends. */
const LONGEST_SAID = 2_000

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** A module in a separate process, which answers requests. Pending requests fail when it ends. */
export class Child<Started = unknown> {
  /** Its answer to the start request. */
  readonly started: Promise<Started>
  readonly #process: ChildProcess
  /** Its exit: `close` does not come when the channel is disconnected from here. */
  readonly #ended: Promise<unknown>
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #asked = 0
  #said = ''

  /** @param url the module's `import.meta.url`; it answers by {@link answerParent} */
  constructor(url: string, request: unknown) {
    const path = fileURLToPath(url)
    this.#process = fork(path, [JSON.stringify(request)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    this.#ended = once(this.#process, 'exit')
    this.started = this.#wait() as Promise<Started>
    this.#process.stderr?.on('data', (piece: Buffer) => {
      this.#said = (this.#said + piece.toString('utf8')).slice(-LONGEST_SAID)
    })
    this.#process.on('message', (reply: Reply) => this.#take(reply))
    this.#process.once('close', (code, signal) => {
      const how = signal ?? `code ${code}`
      const gone = new Error(`${path} ended (${how}) and gave no answer. ${this.#said}`.trim())
      for (const one of this.#waiting.values()) one.reject(gone)
    })
  }

  ask(what: string): Promise<unknown> {
    const answer = this.#wait()
    this.#process.send({ id: this.#asked, what })
    return answer
  }

  /** Lets it end by itself: the channel kept it alive until its answers had arrived. */
  async release(): Promise<void> {
    if (this.#process.connected) this.#process.disconnect()
    await this.#ended
  }

  /** Pauses it (SIGSTOP), or resumes it (SIGCONT). */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(name)
  }

  /** Kills it (SIGKILL), and waits until it is gone. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
  }

  #wait(): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    this.#asked += 1
    this.#waiting.set(this.#asked, answer)
    return answer.promise
  }

  #take({ id, value, error }: Reply): void {
    const one = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) one?.resolve(value)
    else one?.reject(new Error(error))
  }
}

/** Runs a module in a separate process for a single answer. */
export async function askChild<Answer>(url: string, request: unknown): Promise<Answer> {
  const child = new Child<Answer>(url, request)
  const answer = await child.started
  await child.release()
  return answer
}

/** Whether a module runs as a {@link Child}. */
export function isChild(url: string): boolean {
  return process.send !== undefined && process.argv[1] === fileURLToPath(url)
}

export async function answerParent<Request>(answer: (request: Request) => Promise<unknown>): Promise<void> {
  const value = await answer(JSON.parse(process.argv[2] ?? '{}') as Request)
  process.send?.({ id: 1, value } satisfies Reply)
}

/** In the child: answers further requests until the parent releases it or is gone. */
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
