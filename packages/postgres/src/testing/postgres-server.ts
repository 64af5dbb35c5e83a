import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client, type QueryResult } from 'pg'

const run = promisify(execFile)

/** Wait for the child processes of a killed server. */
const CHILD_EXIT_MS = 300
/** Interval in which a starting server is checked. */
const START_CHECK_MS = 100
const MAX_START_CHECKS = 60_000 / START_CHECK_MS

/** Returns the folder of the newest server's programs, as Debian and Postgres' own packages install them; `null` if there is none. */
export function findPostgres(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return (
    versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ??
    null
  )
}

/** Returns why tests of a real server are skipped, or `null` where they can run. */
export function whyNoServer(): string | null {
  if (findPostgres() === null)
    return 'no Postgres server is installed (Debian: apt-get install postgresql-15)'
  return null
}

/** A server with a private folder and port. `stop` removes the folder. */
export class PostgresServer {
  readonly #bin: string
  readonly #folder: string
  readonly port: number
  #process: ChildProcess | null = null

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin
    this.#folder = folder
    this.port = port
  }

  static async start(settings: readonly string[] = []): Promise<PostgresServer> {
    const bin = findPostgres()
    if (bin === null) throw new Error('there is no Postgres server here')
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-postgres-'))
    const account = await findAccount()
    if (account !== null) chownSync(folder, account.uid, account.gid)
    const server = new PostgresServer(bin, folder, await freePort())
    await server.#run('initdb', [
      '-D',
      server.data,
      '-U',
      'keepsake',
      '--auth=trust',
      '-E',
      'UTF8',
      '--locale=C',
      '-N',
    ])
    await server.begin(settings)
    return server
  }

  get data(): string {
    return join(this.#folder, 'data')
  }

  address(user = 'keepsake', database = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`
  }

  /** Starts the server on its folder, also after it was killed. */
  async begin(settings: readonly string[] = []): Promise<void> {
    const options = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#folder}`,
    ]
    const account = await findAccount()
    this.#process = spawn(
      join(this.#bin, 'postgres'),
      ['-D', this.data, ...[...options, ...settings].flatMap((setting) => ['-c', setting])],
      { stdio: 'ignore', ...account },
    )
    for (let tries = 0; ; tries += 1) {
      if (await this.#answers()) return
      if (tries > MAX_START_CHECKS) throw new Error('the Postgres server did not start within a minute')
      await sleep(START_CHECK_MS)
    }
  }

  /** Ends the server at once, like a power failure that leaves the disk's contents complete. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#process?.once('exit', resolve))
    this.#process?.kill('SIGKILL')
    await ended
    this.#process = null
    // Its child processes end by themselves. Until then no server can start on the folder.
    await sleep(CHILD_EXIT_MS)
  }

  async stop(): Promise<void> {
    if (this.#process !== null) {
      const ended = new Promise((resolve) => this.#process?.once('exit', resolve))
      // Postgres' "fast" shutdown: closes connections and writes everything.
      this.#process.kill('SIGINT')
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Runs statements beside the store. */
  async ask(text: string, user = 'keepsake'): Promise<unknown[]> {
    const client = new Client({ connectionString: this.address(user) })
    await client.connect()
    try {
      const answer: unknown = await client.query(text)
      const last = (Array.isArray(answer) ? answer.at(-1) : answer) as QueryResult<never>
      return last.rows
    } finally {
      await client.end()
    }
  }

  async #answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.address() })
    client.on('error', () => {})
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    await run(join(this.#bin, program), [...args], { cwd: this.#folder, ...(await findAccount()) })
  }
}

/** Returns the account that Debian's package creates, since the server refuses to run as root; `null` when this process is not root. */
async function findAccount(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  return { uid: uid ?? 0, gid: gid ?? 0 }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
