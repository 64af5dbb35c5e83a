import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { runServer, type ServedProcess } from './run-server.ts'

/** The processes that a kill ends: the whole server, or only its workers, which it then restarts. */
export const KILL_TARGETS = ['server', 'workers'] as const
export type KillTarget = (typeof KILL_TARGETS)[number]

const WORKERS = 2
const PAUSE_MS = 20
const PATIENCE_MS = 30_000

/** `keepsake serve --workers 2`, which a test kills repeatedly and which restarts on the same files. */
export class KilledServer {
  readonly #args: readonly string[]
  #served: ServedProcess

  private constructor(args: readonly string[], served: ServedProcess) {
    this.#args = args
    this.#served = served
  }

  static async start(...args: string[]): Promise<KilledServer> {
    const all = ['--workers', String(WORKERS), ...args]
    return new KilledServer(all, await runServer(all))
  }

  get url(): string {
    return this.#served.url
  }

  /** Returns the process ids of the workers. */
  async workers(): Promise<number[]> {
    const { pid } = this.#served.child
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return children.trim().split(' ').map(Number)
  }

  /** Kills processes with SIGKILL and waits until the server serves again. Restarts a killed server; a server restarts its workers itself. */
  async kill(target: KillTarget): Promise<void> {
    if (target === 'server') {
      await this.#served.end('SIGKILL')
      this.#served = await runServer(this.#args)
      return
    }
    const before = await this.workers()
    for (const pid of before) process.kill(pid, 'SIGKILL')
    for (let waited = 0; ; waited += PAUSE_MS) {
      const now = await this.workers()
      const isNew = now.length === WORKERS && now.every((pid) => pid > 0 && !before.includes(pid))
      if (isNew && (await this.#isReady())) return
      if (waited > PATIENCE_MS) throw new Error(`Its workers did not come back: ${this.#served.err()}`)
      await sleep(PAUSE_MS)
    }
  }

  /** Sends a request until it is answered, as clients do. Retries if no process accepts it, or if the same request is still running. */
  async ask(path: string, init: RequestInit): Promise<Response> {
    for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
      const answer = await fetch(this.url + path, init).catch(() => null)
      if (answer !== null && answer.status !== 503 && answer.status !== 409) return answer
      await answer?.body?.cancel()
      await sleep(PAUSE_MS)
    }
    throw new Error(`${path} was not served: ${this.#served.err()}`)
  }

  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    return this.#served.end(signal)
  }

  /** Returns the exported turns of a user, in order. */
  async turns(user: string): Promise<{ readonly role: string; readonly text: string }[]> {
    const answer = await this.ask(`/v1/scopes/${user}/export`, { headers: { connection: 'close' } })
    if (answer.status === 404) return []
    if (!answer.ok) throw new Error(`The export of ${user} was answered with ${answer.status}.`)
    const rows = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { row: string; role: string; text: string })
    return rows.flatMap(({ row, role, text }) => (row === 'turn' ? [{ role, text }] : []))
  }

  async #isReady(): Promise<boolean> {
    const ready = await fetch(`${this.url}/readyz`).catch(() => null)
    if (ready?.ok !== true) return false
    const { workers } = (await ready.json()) as { readonly workers?: { readonly serving: number } }
    return workers?.serving === WORKERS
  }
}
