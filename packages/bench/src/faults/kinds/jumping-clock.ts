import { join } from 'node:path'
import { openMemory, openSqliteStore } from 'keepsake'
import type { Fault } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { Promised } from '../promised.ts'
import { sayingOf } from './talker.ts'

const ROUNDS = 16
const DAY_MS = 86_400_000
const START = Date.UTC(2026, 4, 1)

/** The clock of engine and store leaps by up to two months, forth and back, in the middle of a talk. */
export const jumpingClock: Fault = {
  name: 'jump-clock',
  about: 'The clock jumps forth and back by seconds to months while a memory is at work.',
  async try({ folder, draw }) {
    const path = join(folder, 'memory.db')
    const promised = new Promised()
    let time = START
    let jumps = 0
    const now = (): number => (time += 1_000)
    const keepsake = await openMemory({ store: await openSqliteStore({ path, now }), now })
    try {
      const scope = keepsake.scope({ user: 'ana' })
      for (let round = 0; round < ROUNDS; round += 1) {
        const text = sayingOf(draw, String(round))
        await scope.remember([
          { role: 'user', text },
          { role: 'agent', text: `I see, ${round}.` },
        ])
        promised.keep('ana', text)
        if (draw.chance(0.5)) {
          time += Math.round(draw.real(-60, 60) * (draw.chance(0.5) ? DAY_MS : 1_000))
          jumps += 1
        }
        if (draw.chance(0.3)) await scope.recall('Where do I live?')
        if (draw.chance(0.2)) await scope.endSession()
        if (draw.chance(0.2)) await scope.forgetting()
        if (draw.chance(0.2)) await scope.drain()
      }
    } finally {
      await keepsake.close()
    }
    return { tried: { jumps, acknowledged: promised.size }, broken: await findBroken({ path, promised }) }
  },
}
