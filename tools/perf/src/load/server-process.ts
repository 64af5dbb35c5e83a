import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  answerFurther,
  answerParent,
  Child,
  isChild,
  processUsage,
  type ProcessUsage,
} from '@keepsake/bench/parts'
import { joinPrimary, openKeys, openServer, startWorkers, type WorkerLink } from '@keepsake/server'
import { openMemory, openSqliteStore } from 'keepsake'

export interface ServeRequest {
  readonly path: string
  readonly synchronous: 'full' | 'normal'
  /** Base URL of the language model for chats, with its version. */
  readonly upstream?: string
  /** The number of processes that serve. The default is 1. */
  readonly workers?: number
}

export class ServerProcess {
  readonly url: string
  readonly #child: Child

  private constructor(url: string, child: Child) {
    this.url = url
    this.#child = child
  }

  /** Starts a server on a free port and waits until it listens. @throws Error with its output if it ends before that */
  static async start(request: ServeRequest): Promise<ServerProcess> {
    const child = new Child<string>(import.meta.url, request)
    return new ServerProcess(await child.started, child)
  }

  /** Returns the memory and processor time of all processes of the server. */
  async usage(): Promise<ProcessUsage> {
    return (await this.#child.ask('usage')) as ProcessUsage
  }

  async settle(): Promise<void> {
    await this.#child.ask('settle')
  }

  async workers(): Promise<readonly number[]> {
    return (await this.#child.ask('workers')) as readonly number[]
  }

  async stop(): Promise<void> {
    await this.#child.ask('stop')
    await this.#child.release()
  }

  /** Kills the server (SIGKILL) and waits until it is gone. */
  kill(): Promise<void> {
    return this.#child.kill()
  }
}

/** Creates a key for a server's file, with limits that no benchmark reaches. */
export async function makeKey(
  path: string,
  actions?: readonly ('read' | 'write' | 'erase')[],
): Promise<string> {
  const { keys, close } = await openKeys(path)
  try {
    const limits = { requestsPerMinute: 1e12, bytesPerMinute: 1e12 }
    return (await keys.create({ name: 'perf', ...(actions === undefined ? {} : { actions }), ...limits })).key
  } finally {
    await close()
  }
}

/** Opens a memory and a server with the settings of `keepsake serve`. */
async function open({ path, upstream, synchronous, workers = 1 }: ServeRequest, link: WorkerLink | null) {
  const keepsake = await openMemory({ path, synchronous, maxTurnLength: 100_000, processes: workers })
  const server = await openServer({
    keepsake,
    port: link?.port ?? 0,
    worker: link,
    upstream: upstream === undefined ? null : { url: upstream, key: null },
  })
  return { keepsake, server }
}

async function serve(request: ServeRequest): Promise<string> {
  if ((request.workers ?? 1) > 1) return serveByWorkers(request)
  const { keepsake, server } = await open(request, null)
  answerFurther(async (command) => {
    if (command === 'usage') return processUsage()
    if (command === 'settle') return keepsake.drain()
    await server.close()
    return keepsake.close()
  })
  return server.url
}

async function serveByWorkers(request: ServeRequest): Promise<string> {
  const exec = fileURLToPath(import.meta.url)
  const args = [JSON.stringify(request)]
  const count = request.workers ?? 1
  const workers = await startWorkers({ count, host: '127.0.0.1', port: 0, graceMs: 10_000, exec, args })
  const pids = (): number[] => [...workers.pids().values()]
  answerFurther(async (command) => {
    if (command === 'usage') return sumUsage(pids())
    if (command === 'settle') return waitForJobs(request.path)
    return command === 'workers' ? pids() : workers.stop()
  })
  return workers.url
}

async function waitForJobs(path: string): Promise<void> {
  const store = await openSqliteStore({ path, readOnly: true })
  while ((await store.listJobs({ state: 'queued' })).length > 0) await sleep(50)
  await store.close()
}

/** Adds up the memory and processor time of this process and its workers, from /proc. The workers' heaps are unknown. */
async function sumUsage(pids: readonly number[]): Promise<ProcessUsage> {
  let { residentBytes, cpuMs } = processUsage()
  for (const pid of pids) {
    const [stat, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ])
    // The fields follow the program's name, which is in brackets and may contain spaces. Times are in hundredths of a second.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    cpuMs += (Number(fields[11]) + Number(fields[12])) * 10
    residentBytes += Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024
  }
  return { residentBytes, cpuMs }
}

/** Runs one of the processes that {@link serveByWorkers} starts. */
async function serveAsWorker(link: WorkerLink): Promise<void> {
  const { keepsake, server } = await open(JSON.parse(process.argv[2] ?? '{}') as ServeRequest, link)
  link.serves(server)
  await link.stopped
  await server.close()
  await keepsake.close()
  link.disconnect()
}

const link = process.argv[1] === fileURLToPath(import.meta.url) ? joinPrimary() : null
if (link !== null) await serveAsWorker(link)
else if (isChild(import.meta.url)) await answerParent(serve)
