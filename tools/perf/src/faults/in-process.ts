// Faults within one process: a jumping clock, and messages that are delivered several times.
import { join } from 'node:path'
import { openMemory, openSqliteStore } from 'keepsake'
import { makeStatement } from './talkers.ts'
import { Ledger, findBroken, type Fault } from './trial.ts'

const ROUNDS = 16
const START = Date.UTC(2026, 4, 1)
const MESSAGES = 24

/** The clock of engine and store jumps by up to two months, in both directions. */
export const jumpingClock: Fault = {
  name: 'jump-clock',
  about: 'The clock jumps forth and back by seconds to months while a memory is used.',
  async try({ folder, draw }) {
    const path = join(folder, 'memory.db')
    const ledger = new Ledger()
    let time = START
    let jumps = 0
    const now = (): number => (time += 1_000)
    const keepsake = await openMemory({ store: await openSqliteStore({ path, now }), now })
    try {
      const scope = keepsake.scope({ user: 'ana' })
      for (let round = 0; round < ROUNDS; round += 1) {
        const text = makeStatement(draw, String(round))
        await scope.remember([
          { role: 'user', text },
          { role: 'assistant', text: `I see, ${round}.` },
        ])
        ledger.keep('ana', text)
        if (draw.chance(0.5)) {
          time += Math.round(draw.real(-60, 60) * (draw.chance(0.5) ? 86_400_000 : 1_000))
          jumps += 1
        }
        if (draw.chance(0.3)) await scope.recall('Where do I live?')
        if (draw.chance(0.2)) await scope.endSession()
        if (draw.chance(0.2)) await scope.runForgetting()
        if (draw.chance(0.2)) await scope.drain()
      }
    } finally {
      await keepsake.close()
    }
    return { tried: { jumps, acknowledged: ledger.size }, broken: await findBroken({ path, ledger }) }
  },
}

/** Each message is delivered one to three times, out of order, through two open memories on one file. */
export const repeatDeliveries: Fault = {
  name: 'repeat-deliveries',
  about: 'Messages with ids are delivered several times and out of order, through two open memories at once.',
  async try({ folder, draw }) {
    const path = join(folder, 'memory.db')
    const ledger = new Ledger()
    const messages = Array.from({ length: MESSAGES }, (_, number) => ({
      user: draw.pick(['ana', 'ben']),
      session: `session-${number % 3}`,
      turn: {
        role: draw.chance(0.5) ? ('user' as const) : ('assistant' as const),
        id: `message-${number}`,
        text: makeStatement(draw, String(number)),
      },
    }))
    const deliveries = draw.shuffled(
      messages.flatMap((message) => Array.from({ length: draw.whole(1, 3) }, () => message)),
    )
    const memories = [await openMemory({ path }), await openMemory({ path })]
    try {
      await Promise.all(
        memories.map(async (memory, index) => {
          for (const { user, session, turn } of deliveries.filter((_, at) => at % 2 === index)) {
            await memory.scope({ user }).remember(turn, { session })
            ledger.keep(user, turn.text)
          }
        }),
      )
    } finally {
      for (const memory of memories) await memory.close()
    }
    const { length } = deliveries
    return {
      tried: { deliveries: length, repeated: length - MESSAGES, acknowledged: ledger.size },
      broken: await findBroken({ path, ledger }),
    }
  },
}
