import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { KillLedger } from '../../server-load/kill-ledger.ts'
import { KillWriter } from '../../server-load/kill-writer.ts'
import { makeKey, ServerProcess } from '../../server-load/server-process.ts'
import type { Fault } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { promisedBy, refusalsOf } from './promised-by.ts'

const WRITERS = 4
const LATEST_MS = 400

/** A server is killed in the middle of requests; what it did not acknowledge is sent again, under the same keys, to the next. */
export const killServerOnce: Fault = {
  name: 'kill-server',
  about: 'A server is killed (SIGKILL) in the middle of requests, which are sent again to the next.',
  async try({ folder, draw, seed }) {
    const path = join(folder, 'memory.db')
    const key = await makeKey(path, ['read', 'write', 'erase'])
    const ledger = new KillLedger()
    const writers = Array.from(
      { length: WRITERS },
      (_, number) => new KillWriter(number, { user: `person-${number % 2}`, ledger, seed }),
    )
    const request = { path, synchronous: draw.pick(['full', 'normal'] as const) }
    const server = await ServerProcess.start(request)
    const until = new AbortController()
    const writing = writers.map((writer) => writer.write(server.url, key, until.signal))
    await sleep(draw.whole(0, LATEST_MS))
    await server.kill()
    until.abort()
    await Promise.all(writing)
    const cutOff = ledger.cutOff
    const next = await ServerProcess.start(request)
    for (const writer of writers) await writer.finish(next.url, key)
    await next.stop()
    return {
      tried: { kills: 1, cut_off_requests: cutOff, acknowledged: ledger.kept.length },
      broken: [...refusalsOf(ledger), ...(await findBroken({ path, promised: promisedBy(ledger) }))],
    }
  },
}
