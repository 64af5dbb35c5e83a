import { join } from 'node:path'
import { openMemory, type TurnInput } from 'keepsake'
import type { Draw } from '../../metrics/seeded-draw.ts'
import type { Fault } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { Promised } from '../promised.ts'
import { sayingOf } from './talker.ts'

const MESSAGES = 24
const USERS = ['ana', 'ben'] as const

interface Delivery {
  readonly user: string
  readonly session: string
  readonly turn: TurnInput & { readonly text: string }
}

/** Every message comes once to three times, out of order, through two openings of the store at once. */
export const repeatDeliveries: Fault = {
  name: 'repeat-deliveries',
  about:
    'Messages with ids are delivered several times and out of order, through two processes’ stores at once.',
  async try({ folder, draw }) {
    const path = join(folder, 'memory.db')
    const promised = new Promised()
    const doors = [await openMemory({ path }), await openMemory({ path })]
    const deliveries = draw.shuffled(messages(draw).flatMap((one) => repeated(draw, one)))
    try {
      await Promise.all(
        doors.map(async (door, index) => {
          for (const { user, session, turn } of deliveries.filter((_, at) => at % doors.length === index)) {
            await door.scope({ user }).remember(turn, { session })
            promised.keep(user, turn.text)
          }
        }),
      )
    } finally {
      for (const door of doors) await door.close()
    }
    return {
      tried: {
        deliveries: deliveries.length,
        repeated: deliveries.length - MESSAGES,
        acknowledged: promised.size,
      },
      broken: await findBroken({ path, promised }),
    }
  },
}

function messages(draw: Draw): Delivery[] {
  return Array.from({ length: MESSAGES }, (_, number) => ({
    user: draw.pick(USERS),
    session: `session-${number % 3}`,
    turn: {
      role: draw.chance(0.5) ? ('user' as const) : ('agent' as const),
      id: `message-${number}`,
      text: sayingOf(draw, String(number)),
    },
  }))
}

function repeated<One>(draw: Draw, one: One): One[] {
  return Array.from({ length: draw.whole(1, 3) }, () => one)
}
