import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { KillLedger } from '../../server-load/kill-ledger.ts'
import { KillWriter } from '../../server-load/kill-writer.ts'
import { makeKey, ServerProcess } from '../../server-load/server-process.ts'
import type { Fault } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { promisedBy, refusalsOf } from './promised-by.ts'

const WORKERS = 2
const WRITERS = 4
const LATEST_MS = 300
/** Writers go on until the worker that was killed is there again. */
const AFTERWARDS_MS = 1_200

/** One of a server's processes is killed in the middle of requests; the others go on, and it is started anew. */
export const killWorker: Fault = {
  name: 'kill-worker',
  about: 'Of the processes of a server, one is killed in the middle of requests, which go on meanwhile.',
  async try({ folder, draw, seed }) {
    const path = join(folder, 'memory.db')
    const key = await makeKey(path, ['read', 'write', 'erase'])
    const ledger = new KillLedger()
    const writers = Array.from(
      { length: WRITERS },
      (_, number) => new KillWriter(number, { user: `person-${number % 3}`, ledger, seed }),
    )
    const server = await ServerProcess.start({ path, synchronous: 'normal', workers: WORKERS })
    const over = new AbortController()
    const write = async (writer: KillWriter): Promise<void> => {
      while (!over.signal.aborted) {
        await writer.write(server.url, key, over.signal)
        await sleep(5)
      }
    }
    const writing = writers.map(write)
    await sleep(draw.whole(0, LATEST_MS))
    process.kill(draw.pick(await server.workers()), 'SIGKILL')
    await sleep(AFTERWARDS_MS)
    over.abort()
    await Promise.all(writing)
    const cutOff = ledger.cutOff
    for (const writer of writers) await writer.finish(server.url, key)
    await server.stop()
    return {
      tried: { kills: 1, cut_off_requests: cutOff, acknowledged: ledger.kept.length },
      broken: [...refusalsOf(ledger), ...(await findBroken({ path, promised: promisedBy(ledger) }))],
    }
  },
}
