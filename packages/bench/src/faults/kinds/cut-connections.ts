import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openServer } from '@keepsake/server'
import { openMemory } from 'keepsake'
import { KillLedger } from '../../server-load/kill-ledger.ts'
import { KillWriter } from '../../server-load/kill-writer.ts'
import { makeKey } from '../../server-load/server-process.ts'
import type { Fault } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { cuttingProxy } from './cutting-proxy.ts'
import { promisedBy, refusalsOf } from './promised-by.ts'

const WRITERS = 3
const LASTS_MS = 300

/** Writers reach a server by a way that breaks off in the middle of requests and answers; they send again what was not acknowledged. */
export const cutConnections: Fault = {
  name: 'cut-connections',
  about: 'Connections to a server break off in the middle of requests and answers, which are sent again.',
  async try({ folder, draw, seed }) {
    const path = join(folder, 'memory.db')
    const key = await makeKey(path, ['read', 'write', 'erase'])
    const keepsake = await openMemory({ path })
    const server = await openServer({ keepsake, port: 0 })
    const proxy = await cuttingProxy(server.port, draw)
    const ledger = new KillLedger()
    const writers = Array.from(
      { length: WRITERS },
      (_, number) => new KillWriter(number, { user: `person-${number % 2}`, ledger, seed }),
    )
    const until = Date.now() + LASTS_MS
    const write = async (writer: KillWriter): Promise<void> => {
      const signal = AbortSignal.timeout(LASTS_MS)
      // Each comes back when its connection was cut, and goes on over another.
      while (Date.now() < until) {
        await writer.write(proxy.url, key, signal)
        await sleep(1)
      }
    }
    await Promise.all(writers.map(write))
    for (const writer of writers) await writer.finish(server.url, key)
    await proxy.close()
    await server.close()
    await keepsake.close()
    return {
      tried: { cuts: proxy.cuts(), cut_off_requests: ledger.cutOff, acknowledged: ledger.kept.length },
      broken: [...refusalsOf(ledger), ...(await findBroken({ path, promised: promisedBy(ledger) }))],
    }
  },
}
