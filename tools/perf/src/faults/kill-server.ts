// Faults of a server: it is killed, one of its processes is killed, or its connections are cut.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Draw } from '@keepsake/bench/parts'
import { openServer } from '@keepsake/server'
import { openMemory } from 'keepsake'
import { makeKey, ServerProcess } from '../load/server-process.ts'
import { markOf, Writer } from './writer.ts'
import { Ledger, findBroken, type Fault, type Outcome, type Trial } from './trial.ts'

interface Scene {
  readonly path: string
  readonly key: string
  readonly ledger: Ledger
  readonly writers: readonly Writer[]
}

const MAX_ANSWERS_BEFORE_KILL = 60

async function openScene({ folder, seed }: Trial, writers: number, users: number): Promise<Scene> {
  const path = join(folder, 'memory.db')
  const key = await makeKey(path, ['read', 'write', 'erase'])
  const ledger = new Ledger()
  const make = (_: unknown, number: number) =>
    new Writer(number, { user: `person-${number % users}`, ledger, seed })
  return { path, key, ledger, writers: Array.from({ length: writers }, make) }
}

async function checkScene(
  { path, ledger }: Scene,
  tried: Readonly<Record<string, number>>,
  otherProblems: readonly string[] = [],
): Promise<Outcome> {
  return {
    tried: { ...tried, acknowledged: ledger.size, erasures: ledger.erasedTexts.length },
    broken: [...ledger.refusals, ...otherProblems, ...(await findBroken({ path, ledger }))],
  }
}

/** Kills a server several times during requests. They are sent again under the same keys. Afterwards no file may contain an erased word. */
export async function killServer(trial: Trial, kills: number): Promise<Outcome> {
  const { draw, folder } = trial
  const scene = await openScene(trial, 8, 4)
  const { path, key, ledger, writers } = scene
  const request = { path, synchronous: draw.pick(['full', 'normal'] as const) }
  let killsMidRequest = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const server = await ServerProcess.start(request)
    const cutOffBefore = ledger.cutOffRequests
    const until = new AbortController()
    const writing = writers.map((writer) => writer.write(server.url, key, until.signal))
    // Waits for answers and not only for a time, since a busy machine may answer nothing in it.
    await Promise.race([
      ledger.waitForAcknowledged(draw.whole(0, MAX_ANSWERS_BEFORE_KILL)),
      Promise.all(writing),
    ])
    await sleep(draw.whole(0, 30))
    await server.kill()
    until.abort()
    await Promise.all(writing)
    if (ledger.cutOffRequests > cutOffBefore) killsMidRequest += 1
  }
  const server = await ServerProcess.start(request)
  let different = 0
  for (const writer of writers) await writer.finish(server.url, key)
  for (const writer of writers) different += await writer.replay(server.url, key)
  await server.settle()
  await server.stop()
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
  const left = ledger.erasedTexts.filter((text) => files.some((bytes) => bytes.includes(markOf(text))))
  return checkScene(
    scene,
    { kills, kills_mid_request: killsMidRequest, cut_off_requests: ledger.cutOffRequests },
    [
      ...(different === 0 ? [] : [`${different} writes were answered differently when sent again`]),
      ...(left.length === 0 ? [] : [`${left.length} erased words are in a file`]),
    ],
  )
}

export const killServerOnce: Fault = {
  name: 'kill-server',
  about: 'A server is killed (SIGKILL) in the middle of requests, which are sent again to the next.',
  try: (trial) => killServer(trial, 1),
}

/** One process of a server is killed during requests. The others go on, and it is started again. */
export const killWorker: Fault = {
  name: 'kill-worker',
  about: 'Of the processes of a server, one is killed in the middle of requests, which go on.',
  async try(trial) {
    const scene = await openScene(trial, 4, 3)
    const { path, key, ledger, writers } = scene
    const server = await ServerProcess.start({ path, synchronous: 'normal', workers: 2 })
    const stopped = new AbortController()
    const writing = writers.map((writer) => writeUntil(writer, server.url, key, stopped.signal))
    await sleep(trial.draw.whole(0, 300))
    process.kill(trial.draw.pick(await server.workers()), 'SIGKILL')
    // Waits until the killed worker was started again.
    await sleep(1_200)
    stopped.abort()
    await Promise.all(writing)
    for (const writer of writers) await writer.finish(server.url, key)
    await server.stop()
    return checkScene(scene, { kills: 1, cut_off_requests: ledger.cutOffRequests })
  },
}

/** Writers reach a server through a proxy that cuts connections in the middle of requests and answers. */
export const cutConnections: Fault = {
  name: 'cut-connections',
  about: 'Connections to a server break in the middle of requests and answers, which are sent again.',
  async try(trial) {
    const scene = await openScene(trial, 3, 2)
    const { path, key, ledger, writers } = scene
    const keepsake = await openMemory({ path })
    const server = await openServer({ keepsake, port: 0 })
    const proxy = await openCuttingProxy(server.port, trial.draw)
    const signal = AbortSignal.timeout(300)
    await Promise.all(writers.map((writer) => writeUntil(writer, proxy.url, key, signal)))
    for (const writer of writers) await writer.finish(server.url, key)
    await proxy.close()
    await server.close()
    await keepsake.close()
    return checkScene(scene, { cuts: proxy.cuts(), cut_off_requests: ledger.cutOffRequests })
  },
}

/** Writes until the signal aborts, and connects again when the connection breaks. */
async function writeUntil(writer: Writer, url: string, key: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await writer.write(url, key, signal)
    await sleep(2)
  }
}

/** Maximum bytes that pass a connection before it is cut: a part of a request, or a few requests. */
const MAX_BYTES = 3_000

/** Passes bytes on to a port of this machine, and cuts two of three connections at random. */
async function openCuttingProxy(port: number, draw: Draw) {
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let left = draw.chance(2 / 3) ? draw.whole(1, MAX_BYTES) : Number.POSITIVE_INFINITY
    const cutConnection = (): void => {
      for (const socket of [client, upstream]) {
        socket.destroy()
        open.delete(socket)
      }
    }
    const forward = (from: Socket, to: Socket): void => {
      open.add(from)
      from.on('error', cutConnection).on('close', cutConnection)
      from.on('data', (bytes) => {
        left -= bytes.length
        if (left >= 0) return void to.write(bytes)
        to.write(bytes.subarray(0, bytes.length + left), cutConnection)
        cuts += 1
        left = Number.POSITIVE_INFINITY
        from.pause()
      })
    }
    forward(client, upstream)
    forward(upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}
