import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { joinPrimary, openServer, startWorkers, type WorkerLink } from '@keepsake/server'
import { openMemory, openSqliteStore, rehearse } from 'keepsake'
import { answerFurther, answerParent, isChild } from '../processes/child.ts'
import { profileProcess, type RoomTimes } from '../processes/cpu-profile.ts'
import { familyUsage } from '../processes/family-usage.ts'
import { processUsage } from '../processes/process-usage.ts'
import { watchHolds } from '../processes/watch-holds.ts'

export interface ServeRequest {
  readonly path: string
  readonly synchronous: 'full' | 'normal'
  readonly cacheBytes?: number
  /** Where chats go on to, with its version; nowhere when absent. */
  readonly upstream?: string
  /** Processes that share the load; this one alone when absent. */
  readonly workers?: number
}

/** As `keepsake serve` has it. */
const LONGEST_TURN = 100_000
const GRACE_MS = 10_000
const LOOK_EVERY_MS = 50

/** A server as `keepsake serve` opens it, in a process of its own that answers its parent beside. */
async function serve(request: ServeRequest): Promise<string> {
  return (request.workers ?? 1) > 1 ? serveByWorkers(request) : serveHere(request)
}

async function open(
  { path, upstream, synchronous, cacheBytes, workers = 1 }: ServeRequest,
  link: WorkerLink | null,
) {
  const keepsake = await openMemory({
    path,
    synchronous,
    longestTurn: LONGEST_TURN,
    processes: workers,
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  })
  await rehearse()
  const server = await openServer({
    keepsake,
    port: link?.port ?? 0,
    siblings: link,
    upstream: upstream === undefined ? null : { url: upstream, key: null },
  })
  return { keepsake, server }
}

async function serveHere(request: ServeRequest): Promise<string> {
  const { keepsake, server } = await open(request, null)
  const holds = watchHolds()
  let endProfile: (() => Promise<RoomTimes>) | null = null
  answerFurther(async (ask) => {
    switch (ask) {
      case 'usage':
        return processUsage()
      case 'collected usage':
        return processUsage({ collect: true })
      case 'holds':
        return holds()
      case 'settle':
        return keepsake.drain()
      case 'profile':
        endProfile = await profileProcess()
        return null
      case 'profiled':
        return endProfile?.() ?? null
      default:
        await server.close()
        return keepsake.close()
    }
  })
  return server.url
}

async function serveByWorkers(request: ServeRequest): Promise<string> {
  const workers = await startWorkers({
    count: request.workers ?? 1,
    host: '127.0.0.1',
    port: 0,
    graceMs: GRACE_MS,
    exec: fileURLToPath(import.meta.url),
    args: [JSON.stringify(request)],
  })
  answerFurther(async (ask) => {
    switch (ask) {
      case 'usage':
      case 'collected usage':
        return familyUsage(workers.pids().values())
      case 'settle':
        return settle(request.path)
      case 'workers':
        return [...workers.pids().values()]
      case 'stop':
        return workers.stop()
      default:
        return null
    }
  })
  return workers.url
}

/** What waits stands in the store, whoever does it. */
async function settle(path: string): Promise<void> {
  const store = await openSqliteStore({ path, readOnly: true })
  while ((await store.jobs({ state: 'queued' })).length > 0) await sleep(LOOK_EVERY_MS)
  await store.close()
}

/** One of the processes that {@link serveByWorkers} starts. */
async function serveAsWorker(link: WorkerLink): Promise<void> {
  const { keepsake, server } = await open(JSON.parse(process.argv[2] ?? '{}') as ServeRequest, link)
  link.serves(server)
  await link.stopped
  await server.close()
  await keepsake.close()
  link.leave()
}

/** This module, for whoever starts it as a process. */
export const SERVE_SCOPES = import.meta.url

const link = joinPrimary()
if (link !== null) await serveAsWorker(link)
else if (isChild(import.meta.url)) await answerParent(serve)
